package stablehlo

import "testing"

const shapeProgram = `
func.func @f(%x: tensor<2x3xf32>, %v: tensor<3xf32>, %s: tensor<f32>, %i: tensor<i32>, %j: tensor<i64>) {
  %cst = "stablehlo.constant"() {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
  %iota = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x3xi32>
  %bits = "stablehlo.bitcast_convert"(%x) : (tensor<2x3xf32>) -> tensor<2x3x4xi8>
  %bc = "stablehlo.broadcast"(%x) {broadcast_sizes = array<i64: 7>} : (tensor<2x3xf32>) -> tensor<7x2x3xf32>
  %bid = "stablehlo.broadcast_in_dim"(%v) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<4x3xf32>
  %cat = "stablehlo.concatenate"(%x, %x) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %ds = "stablehlo.dynamic_slice"(%x, %i, %i) {slice_sizes = array<i64: 1, 2>} : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %dus = "stablehlo.dynamic_update_slice"(%x, %ds, %i, %i) : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %gds = "stablehlo.get_dimension_size"(%x) {dimension = 1 : i64} : (tensor<2x3xf32>) -> tensor<i32>
  %sds = "stablehlo.set_dimension_size"(%x, %i) {dimension = 1 : i64} : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  %pad = "stablehlo.pad"(%x, %s) {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 0, -1>, interior_padding = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>
  %rsh = "stablehlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf32>
  %rev = "stablehlo.reverse"(%x) {dimensions = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %slc = "stablehlo.slice"(%x) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 3>, strides = array<i64: 1, 2>} : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %tr = "stablehlo.transpose"(%x) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %tis = "stablehlo.torch_index_select"(%x, %cst) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  func.return
}`

func TestShapeConstraints(t *testing.T) {
	testEdits(t, shapeProgram, []edit{
		{"constant_c1", []string{"() -> tensor<2xi32>", "() -> tensor<3xi32>", "(tensor<2x3xf32>, tensor<2xi32>)",
			"(tensor<2x3xf32>, tensor<3xi32>)"}},
		{"iota_c1", []string{"iota_dimension = 1", "iota_dimension = 2"}},
		{"iota_c1", []string{"iota_dimension = 1", "iota_dimension = -1"}},
		{"bitcast_convert_c1", []string{"-> tensor<2x3x4xi8>", "-> tensor<2x3x2xi8>"}},
		{"bitcast_convert_c1", []string{"-> tensor<2x3x4xi8>", "-> tensor<2x12xi8>"}},
		{"bitcast_convert_c1", []string{"-> tensor<2x3x4xi8>", "-> tensor<2x4xi32>"}},
		{"bitcast_convert_c2", []string{"-> tensor<2x3x4xi8>", "-> tensor<2xcomplex<f32>>"}},
		{"", []string{"broadcast_sizes = array<i64: 7>", "broadcast_sizes = array<i64: -7>"}},
		{"broadcast_in_dim_c1", []string{"-> tensor<4x3xf32>", "-> tensor<4x3xf64>"}},
		{"broadcast_in_dim_c2", []string{"array<i64: 1>} : (tensor<3xf32>)", "array<i64: 0, 1>} : (tensor<3xf32>)"}},
		{"broadcast_in_dim_c3", []string{"array<i64: 1>} : (tensor<3xf32>)", "array<i64: 2>} : (tensor<3xf32>)"}},
		{"broadcast_in_dim_c5", []string{"array<i64: 1>} : (tensor<3xf32>)", "array<i64: 0>} : (tensor<3xf32>)"}},
		{"concatenate_c1", []string{"(%x, %x) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>)",
			"(%x, %iota) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xi32>)"}},
		{"concatenate_c2", []string{"(%x, %x) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>)",
			"(%x, %v) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>)"}},
		{"concatenate_c2", []string{"(%x, %x) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>)",
			"(%x, %bid) {dimension = 1 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>)"}},
		{"concatenate_c3", []string{"(%x, %x) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>)",
			"() {dimension = 0 : i64} : ()"}},
		{"concatenate_c4", []string{"{dimension = 0 : i64}", "{dimension = 2 : i64}"}},
		{"concatenate_c5", []string{"tensor<2x3xf32>) -> tensor<4x3xf32>", "tensor<2x3xf32>) -> tensor<4x3xf64>"}},
		{"concatenate_c6", []string{"tensor<2x3xf32>) -> tensor<4x3xf32>", "tensor<2x3xf32>) -> tensor<5x3xf32>"}},
		{"dynamic_slice_c2", []string{"array<i64: 1, 2>", "array<i64: 1>"}},
		{"dynamic_slice_c3",
			[]string{"(%x, %i, %i) {slice_sizes = array<i64: 1, 2>} : (tensor<2x3xf32>, tensor<i32>, tensor<i32>)",
				"(%x, %i, %j) {slice_sizes = array<i64: 1, 2>} : (tensor<2x3xf32>, tensor<i32>, tensor<i64>)"}},
		{"dynamic_slice_c4", []string{"array<i64: 1, 2>", "array<i64: 1, 4>"}},
		{"dynamic_update_slice_c3",
			[]string{"(%x, %ds, %i, %i) : (tensor<2x3xf32>, tensor<1x2xf32>",
				"(%x, %v, %i, %i) : (tensor<2x3xf32>, tensor<3xf32>"}},
		{"dynamic_update_slice_c4",
			[]string{"(%x, %ds, %i, %i) : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>)",
				"(%x, %ds, %i) : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>)"}},
		{"dynamic_update_slice_c6",
			[]string{"(%x, %ds, %i, %i) : (tensor<2x3xf32>, tensor<1x2xf32>",
				"(%x, %bid, %i, %i) : (tensor<2x3xf32>, tensor<4x3xf32>"}},
		{"get_dimension_size_c1", []string{"(%x) {dimension = 1 : i64}", "(%x) {dimension = 2 : i64}"}},
		{"pad_c1", []string{"(%x, %s) {edge", "(%x, %i) {edge", "(tensor<2x3xf32>, tensor<f32>)",
			"(tensor<2x3xf32>, tensor<i32>)"}},
		{"pad_c2", []string{"edge_padding_low = array<i64: 1, 0>", "edge_padding_low = array<i64: 1>"}},
		{"pad_c3", []string{"interior_padding = array<i64: 0, 1>", "interior_padding = array<i64: 0, -1>"}},
		{"pad_c4", []string{"-> tensor<3x4xf32>", "-> tensor<3x5xf32>"}},
		{"pad_c4", []string{"edge_padding_low = array<i64: 1, 0>", "edge_padding_low = array<i64: 1, -9>"}},
		{"reshape_c1", []string{"-> tensor<6xf32>", "-> tensor<6xf64>"}},
		{"reshape_c2", []string{"-> tensor<6xf32>", "-> tensor<7xf32>"}},
		{"reverse_c2", []string{"{dimensions = array<i64: 1>}", "{dimensions = array<i64: 1, 1>}"}},
		{"reverse_c3", []string{"{dimensions = array<i64: 1>}", "{dimensions = array<i64: 2>}"}},
		{"slice_c2", []string{"strides = array<i64: 1, 2>", "strides = array<i64: 1>"}},
		{"slice_c3", []string{"limit_indices = array<i64: 1, 3>", "limit_indices = array<i64: 1, 4>"}},
		{"slice_c4", []string{"strides = array<i64: 1, 2>", "strides = array<i64: 1, 0>"}},
		{"slice_c5", []string{"-> tensor<1x2xf32>\n  %tr", "-> tensor<1x3xf32>\n  %tr"}},
		{"transpose_c2", []string{"array<i64: 1, 0>}", "array<i64: 1, 1>}"}},
		{"transpose_c3", []string{"-> tensor<3x2xf32>", "-> tensor<2x3xf32>"}},
		{"", []string{"-> tensor<2x2xf32>", "-> tensor<2x5xf32>"}},
	})
}

const quantizedShapeProgram = `
func.func @f(%x: tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25:2}>>, %y: tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>) {
  %tr = "stablehlo.transpose"(%x) {permutation = array<i64: 1, 0>} : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25:2}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:2}>>
  %rsh = "stablehlo.reshape"(%x) : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25:2}>>) -> tensor<2x1x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25:2}>>
  %bc = "stablehlo.broadcast_in_dim"(%y) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.5:1}>>
  %cst = "stablehlo.constant"() {value = dense<1> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  func.return
}`

func TestQuantizedShapes(t *testing.T) {
	testEdits(t, quantizedShapeProgram, []edit{
		{"transpose_c1", []string{"{0.5:1, 0.25:2}>>\n  %rsh", "{0.5:1, 0.25:3}>>\n  %rsh"}},
		{"transpose_c4",
			[]string{"-> tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:2}>>",
				"-> tensor<?x2x!quant.uniform<i8:f32:0, {0.5:1, 0.25:2}>>"}},
		{"reshape_c1", []string{"{0.5:1, 0.25:2}>>\n  %bc", "{0.5:1, 0.75:2}>>\n  %bc"}},
		{"reshape_c3", []string{"-> tensor<2x1x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25:2}>>",
			"-> tensor<3x2x1x!quant.uniform<i8:f32:1, {0.5:1, 0.25:2}>>"}},
		{"broadcast_in_dim_c6", []string{"{0.5:1, 0.5:1}>>", "{0.5:1, 0.5:2}>>"}},
		{"broadcast_in_dim_c6", []string{"-> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.5:1}>>",
			"-> tensor<2x3x!quant.uniform<i8:f32:1, {0.5:1, 0.5:1, 0.5:1}>>"}},
		{"constant_c1",
			[]string{"-> tensor<2x!quant.uniform<i8:f32, 0.5:1>>", "-> tensor<2x!quant.uniform<i16:f32, 0.5:1>>"}},
	})
}
