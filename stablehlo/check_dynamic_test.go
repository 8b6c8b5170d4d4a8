package stablehlo

import "testing"

const dynamicBroadcastInDimProgram = `
func.func @f(%x: tensor<3x1xf32>) {
  %s = stablehlo.constant dense<[2, 5, 3]> : tensor<3xi64>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) {
    broadcast_dimensions = array<i64: 2, 1>, known_expanding_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: 0>
  } : (tensor<3x1xf32>, tensor<3xi64>) -> tensor<2x?x3xf32>
  func.return
}`

func TestDynamicBroadcastInDimConstraints(t *testing.T) {
	result := func(t string) []string {
		return []string{"-> tensor<2x?x3xf32>\n", "-> " + t + "\n"}
	}
	testEdits(t, dynamicBroadcastInDimProgram, []edit{
		{"dynamic_broadcast_in_dim_c1", result("tensor<2x?x3xf64>")},
		{"dynamic_broadcast_in_dim_c2", []string{"array<i64: 2, 1>", "array<i64: 2>"}},
		{"dynamic_broadcast_in_dim_c3", []string{"array<i64: 2, 1>", "array<i64: 3, 1>"}},
		{"dynamic_broadcast_in_dim_c3", []string{"array<i64: 2, 1>", "array<i64: 2, -1>"}},
		{"dynamic_broadcast_in_dim_c4", []string{"array<i64: 2, 1>", "array<i64: 2, 2>"}},
		{"dynamic_broadcast_in_dim_c5", result("tensor<2x?x4xf32>")},
		{"dynamic_broadcast_in_dim_c5", append([]string{"[2, 5, 3]", "[2, 5, 4]"}, result("tensor<2x?x?xf32>")...)},
		{"dynamic_broadcast_in_dim_c7", result("tensor<2x6x3xf32>")},
		{"dynamic_broadcast_in_dim_c7", []string{"[2, 5, 3]", "[2, -5, 3]"}},
		{"dynamic_broadcast_in_dim_c7", result("tensor<2x?x3x1xf32>")},
		{"dynamic_broadcast_in_dim_c7", result("tensor<2x?x3xf32, #stablehlo.bounds<?, 4, ?>>")},
		{"dynamic_broadcast_in_dim_c8",
			[]string{"known_expanding_dimensions = array<i64: 1>", "known_expanding_dimensions = array<i64: 0>"}},
		{"dynamic_broadcast_in_dim_c9",
			[]string{"known_expanding_dimensions = array<i64: 1>", "known_expanding_dimensions = array<i64: 2>"}},
		{"dynamic_broadcast_in_dim_c10",
			[]string{"known_nonexpanding_dimensions = array<i64: 0>",
				"known_nonexpanding_dimensions = array<i64: -1>"}},
	})
}

const quantizedDynamicBroadcastProgram = `
func.func @f(%x: tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>, %s: tensor<2xi64>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) {broadcast_dimensions = array<i64: 0, 1>}
    : (tensor<1x3x!quant.uniform<i8:f32:0, {0.5:1}>>, tensor<2xi64>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.5:1}>>
  func.return
}`

func TestQuantizedDynamicBroadcast(t *testing.T) {
	const id = "dynamic_broadcast_in_dim_c6"
	const result = "-> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.5:1}>>\n"
	testEdits(t, quantizedDynamicBroadcastProgram, []edit{
		{id, []string{result, "-> tensor<2x3x!quant.uniform<i8:f32:1, {0.5:1, 0.5:1, 0.5:1}>>\n"}},
		{id, []string{result, "-> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.6:1}>>\n"}},
		{id, []string{result, "-> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.5:2}>>\n"}},
		{"dynamic_broadcast_in_dim_c1", []string{result, "-> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>\n"}},
	})
}

const dynamicReshapeProgram = `
func.func @f(%x: tensor<4x3xf32>) {
  %s = stablehlo.constant dense<[2, 6]> : tensor<2xi64>
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<?x6xf32>
  func.return
}`

func TestDynamicReshapeConstraints(t *testing.T) {
	result := func(t string) []string { return []string{"-> tensor<?x6xf32>\n", "-> " + t + "\n"} }
	testEdits(t, dynamicReshapeProgram, []edit{
		{"dynamic_reshape_c1", result("tensor<?x6xi32>")},
		{"dynamic_reshape_c2", result("tensor<3x6xf32>")},
		{"dynamic_reshape_c2", []string{"[2, 6]", "[3, 6]"}},
		{"dynamic_reshape_c4", result("tensor<?x7xf32>")},
		{"dynamic_reshape_c4", result("tensor<?x?x?xf32>")},
	})
}

const quantizedDynamicReshapeProgram = `
func.func @f(%x: tensor<2x3x2x!quant.uniform<i8:f32:2, {0.1, 0.2}>>, %s: tensor<2xi64>) {
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<2x3x2x!quant.uniform<i8:f32:2, {0.1, 0.2}>>, tensor<2xi64>) -> tensor<6x2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>
  func.return
}`

func TestQuantizedDynamicReshape(t *testing.T) {
	const result = "-> tensor<6x2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>\n"
	testEdits(t, quantizedDynamicReshapeProgram, []edit{
		{"dynamic_reshape_c1", []string{result, "-> tensor<6x2x!quant.uniform<i8:f32:1, {0.1, 0.3}>>\n"}},
		{"dynamic_reshape_c3", []string{result, "-> tensor<2x6x!quant.uniform<i8:f32:0, {0.1, 0.2}>>\n"}},
	})
}

const dynamicPadProgram = `
func.func @f(%x: tensor<4xf32>, %v: tensor<f32>) {
  %l = stablehlo.constant dense<-1> : tensor<1xi64>
  %h = stablehlo.constant dense<3> : tensor<1xi64>
  %n = stablehlo.constant dense<1> : tensor<1xi64>
  %r = stablehlo.dynamic_pad %x, %v, %l, %h, %n : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<9xf32>
  func.return
}`

func TestDynamicPadConstraints(t *testing.T) {
	result := func(t string) []string { return []string{"-> tensor<9xf32>\n", "-> " + t + "\n"} }
	testEdits(t, dynamicPadProgram, []edit{
		{"dynamic_pad_c1", result("tensor<9xf64>")},
		{"dynamic_pad_c2", []string{"dense<-1> : tensor<1xi64>", "dense<-1> : tensor<2xi64>",
			"tensor<f32>, tensor<1xi64>,",
			"tensor<f32>, tensor<2xi64>,"}},
		{"dynamic_pad_c3", []string{"dense<1>", "dense<-1>"}},
		{"dynamic_pad_c4", result("tensor<10xf32>")},
		{"dynamic_pad_c4", result("tensor<9x1xf32>")},
		{"dynamic_pad_c4", []string{"dense<1>", "dense<9223372036854775807>"}},
	})
}

const dynamicIotaProgram = `
func.func @f(%s: tensor<2xi64>) {
  %r = "stablehlo.dynamic_iota"(%s) {iota_dimension = 1 : i64} : (tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}`

func TestDynamicIotaConstraints(t *testing.T) {
	testEdits(t, dynamicIotaProgram, []edit{
		{"dynamic_iota_c1", []string{"iota_dimension = 1", "iota_dimension = 2"}},
		{"dynamic_iota_c1", []string{"iota_dimension = 1", "iota_dimension = -1"}},
		{"dynamic_iota_c2", []string{"-> tensor<?x?xf32>\n", "-> tensor<?x?x?xf32>\n"}},
	})
}

const realDynamicSliceProgram = `
func.func @f(%x: tensor<4x?xf32>, %a: tensor<2xindex>, %b: tensor<2xindex>, %c: tensor<2xindex>) {
  %r = stablehlo.real_dynamic_slice %x, %a, %b, %c : (tensor<4x?xf32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x?xf32>
  func.return
}`

func TestRealDynamicSliceConstraints(t *testing.T) {
	testEdits(t, realDynamicSliceProgram, []edit{
		{"", []string{"%b: tensor<2xindex>", "%b: tensor<3xindex>",
			"tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) ->",
			"tensor<2xindex>, tensor<3xindex>, tensor<2xindex>) ->"}},
		{"", []string{"-> tensor<?x?xf32>\n", "-> tensor<?x?xf64>\n"}},
		{"", []string{"-> tensor<?x?xf32>\n", "-> tensor<?xf32>\n"}},
	})
}

const rngProgram = `
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %k: tensor<2xui64>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %r = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %g:2 = "stablehlo.rng_bit_generator"(%k) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9xui32>)
  func.return
}`

func TestRngConstraints(t *testing.T) {
	key := func(t string) []string {
		return []string{"%k: tensor<2xui64>", "%k: " + t, "(tensor<2xui64>) -> (tensor<2xui64>", "(" + t + ") -> (" + t}
	}
	testEdits(t, rngProgram, []edit{
		{"rng_c1", []string{"%b: tensor<f32>", "%b: tensor<f64>", "tensor<f32>, tensor<2xi64>) ->",
			"tensor<f64>, tensor<2xi64>) ->"}},
		{"rng_c1", []string{"-> tensor<2x3xf32>\n", "-> tensor<2x3xf64>\n"}},
		{"rng_c2", []string{"%a: tensor<f32>, %b: tensor<f32>", "%a: tensor<i32>, %b: tensor<i32>",
			"(tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>",
			"(tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>"}},
		{"rng_c3", []string{"-> tensor<2x3xf32>\n", "-> tensor<2x4xf32>\n"}},
		{"rng_c3", []string{"-> tensor<2x3xf32>\n", "-> tensor<2xf32>\n"}},
		{"rng_c3", []string{"[2, 3]", "[2, -3]"}},
		{"rng_bit_generator_c1", []string{"-> (tensor<2xui64>, tensor<9xui32>)",
			"-> (tensor<3xui64>, tensor<9xui32>)"}},
		{"rng_bit_generator_c2", key("tensor<3xui64>")},
	})
}
