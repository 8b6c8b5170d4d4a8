package stablehlo

import "testing"

const elementwiseProgram = `
func.func @f(%x: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>, %s: tensor<f32>) {
  %abs = "stablehlo.abs"(%c) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %cos = "stablehlo.cosine"(%x) : (tensor<4xf32>) -> tensor<?xf32>
  %add = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %and = "stablehlo.and"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %cmp = "stablehlo.compare"(%x, %x) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %cpx = "stablehlo.complex"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %re = "stablehlo.real"(%c) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %fin = "stablehlo.is_finite"(%x) : (tensor<4xf32>) -> tensor<4xi1>
  %sel = "stablehlo.select"(%p, %x, %x) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %clp = "stablehlo.clamp"(%s, %x, %s) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %cvt = "stablehlo.convert"(%x) : (tensor<4xf32>) -> tensor<4xi8>
  %red = "stablehlo.reduce_precision"(%x) {exponent_bits = 5 : i32, mantissa_bits = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}`

func TestElementwiseConstraints(t *testing.T) {
	testEdits(t, elementwiseProgram, []edit{
		{"abs_c2", []string{"(tensor<4xcomplex<f32>>) -> tensor<4xf32>", "(tensor<4xcomplex<f32>>) -> tensor<4xf64>"}},
		{"cosine_c1", []string{"-> tensor<?xf32>", "-> tensor<?xf64>"}},
		{"cosine_c1", []string{"-> tensor<?xf32>", "-> tensor<3xf32>"}},
		{"add_c1", []string{"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
			"(%x, %s) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"}},
		{"and_c1", []string{`"stablehlo.and"(%i, %i) : (tensor<4xi32>, tensor<4xi32>)`,
			`"stablehlo.and"(%i, %p) : (tensor<4xi32>, tensor<4xi1>)`}},
		{"compare_c1", []string{"LT>} : (tensor<4xf32>, tensor<4xf32>)", "LT>} : (tensor<4xf32>, tensor<4xi32>)",
			`"stablehlo.compare"(%x, %x)`, `"stablehlo.compare"(%x, %i)`}},
		{"compare_c2", []string{"-> tensor<4xi1>", "-> tensor<5xi1>"}},
		{"complex_c3", []string{"-> tensor<4xcomplex<f32>>", "-> tensor<4xcomplex<f64>>"}},
		{"real_c2", []string{`"stablehlo.real"(%c) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>`,
			`"stablehlo.real"(%c) : (tensor<4xcomplex<f32>>) -> tensor<2xf32>`}},
		{"is_finite_c1", []string{`"stablehlo.is_finite"(%x) : (tensor<4xf32>) -> tensor<4xi1>`,
			`"stablehlo.is_finite"(%x) : (tensor<4xf32>) -> tensor<2xi1>`}},
		{"select_c2", []string{"(tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
			"(tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf16>"}},
		{"clamp_c4", []string{"(tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>",
			"(tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<3xf32>"}},
		{"clamp_c3",
			[]string{`"stablehlo.clamp"(%s, %x, %s) : (tensor<f32>, `,
				`"stablehlo.clamp"(%i, %x, %s) : (tensor<4xi32>, `}},
		{"convert_c1", []string{"-> tensor<4xi8>", "-> tensor<2x2xi8>"}},
		{"reduce_precision_c2", []string{"exponent_bits = 5", "exponent_bits = 0"}},
		{"reduce_precision_c3", []string{"mantissa_bits = 2", "mantissa_bits = -1"}},
		{"",
			[]string{`"stablehlo.cosine"(%x)`,
				`"stablehlo.cosine"(%x) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<HIGHEST>>}`}},
	})
}

const selectShapesProgram = `
func.func @f(%p: tensor<2xi1>, %x: tensor<2xf32>, %lo: tensor<2xf32>, %y: tensor<?x2xf32>) {
  %sel = "stablehlo.select"(%p, %x, %x) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %clp = "stablehlo.clamp"(%lo, %x, %x) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return
}`

func TestSelectShapes(t *testing.T) {
	testEdits(t, selectShapesProgram, []edit{
		{"select_c1", []string{"%p: tensor<2xi1>", "%p: tensor<3xi1>", "(tensor<2xi1>", "(tensor<3xi1>"}},
		{"clamp_c1", []string{"%lo: tensor<2xf32>", "%lo: tensor<1xf32>", "(%lo, %x, %x) : (tensor<2xf32>",
			"(%lo, %x, %x) : (tensor<1xf32>"}},
		{"clamp_c2", []string{"(%lo, %x, %x) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)",
			"(%lo, %x, %y) : (tensor<2xf32>, tensor<2xf32>, tensor<?x2xf32>)"}},
	})
}

const quantizedProgram = `
func.func @f(%x: tensor<2x!quant.uniform<i8:f32:0, {0.5:1, 0.25:2}>>, %y: tensor<2x!quant.uniform<i8:f32, 0.5:1>>, %z: tensor<2xf32>) {
  %add = "stablehlo.add"(%x, %y) : (tensor<2x!quant.uniform<i8:f32:0, {0.5:1, 0.25:2}>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  %deq = "stablehlo.uniform_dequantize"(%y) : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xf32>
  %quant = "stablehlo.uniform_quantize"(%z) : (tensor<2xf32>) -> tensor<2x!quant.uniform<u8:f32, 0.5:1>>
  func.return
}`

func TestQuantizedConstraints(t *testing.T) {
	const result = "-> tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>"
	testEdits(t, quantizedProgram, []edit{
		{"add_c2", []string{result, "-> tensor<2xf32>"}},
		{"add_c3", []string{result, "-> tensor<2x!quant.uniform<i16:f32:0, {1.0, 2.0}>>"}},
		{"add_c4", []string{result, "-> tensor<2x!quant.uniform<i8:f16:0, {1.0, 2.0}>>"}},
		{"add_c5", []string{result, "-> tensor<2x!quant.uniform<i8:f32, 1.0>>"}},
		{"uniform_dequantize_c2", []string{"(tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xf32>",
			"(tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xf16>"}},
		{"uniform_quantize_c1",
			[]string{"-> tensor<2x!quant.uniform<u8:f32, 0.5:1>>", "-> tensor<3x!quant.uniform<u8:f32, 0.5:1>>"}},
		{"uniform_quantize_c2",
			[]string{"-> tensor<2x!quant.uniform<u8:f32, 0.5:1>>", "-> tensor<2x!quant.uniform<u8:f16, 0.5:1>>"}},
	})
}

const broadcastProgram = `
func.func @f(%x: tensor<2x1xf32>, %y: tensor<3xf32>, %z: tensor<2x4xf32>, %p: tensor<i1>, %u: tensor<*xf32>, %b: tensor<?x3xf32, #stablehlo.bounds<5, ?>>) {
  %add = "chlo.broadcast_add"(%x, %y) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %dim = "chlo.broadcast_add"(%x, %y) {broadcast_dimensions = array<i64: 1>} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %any = "chlo.broadcast_add"(%x, %u) : (tensor<2x1xf32>, tensor<*xf32>) -> tensor<?xf32>
  %bnd = "chlo.broadcast_add"(%b, %y) : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>, tensor<3xf32>) -> tensor<?x3xf32, #stablehlo.bounds<5, ?>>
  %cmp = "chlo.broadcast_compare"(%x, %y) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %cpx = "chlo.broadcast_complex"(%x, %y) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  %sel = "chlo.broadcast_select"(%p, %x, %y) : (tensor<i1>, tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return
}`

func TestBroadcastRules(t *testing.T) {
	testEdits(t, broadcastProgram, []edit{
		{"", []string{"-> tensor<2x3xf32>", "-> tensor<2x4xf32>"}},
		{"", []string{`"chlo.broadcast_add"(%x, %y) : (tensor<2x1xf32>`,
			`"chlo.broadcast_add"(%z, %y) : (tensor<2x4xf32>`}},
		{"", []string{"array<i64: 1>", "array<i64: 2>"}},
		{"", []string{"array<i64: 1>", "array<i64: 0>"}},
		{"", []string{"array<i64: 1>", "array<i64: 1, 0>"}},
		{"", []string{"-> tensor<2x3xi1>", "-> tensor<2x3xi8>"}},
		{"", []string{"-> tensor<2x3xcomplex<f32>>", "-> tensor<2x3xcomplex<f64>>"}},
	})
}
