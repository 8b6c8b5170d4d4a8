package stablehlo

import "testing"

const controlProgram = `
func.func private @g(%a: tensor<f32>) -> tensor<f32>
func.func @f(%p: tensor<i1>, %i: tensor<i32>, %x: tensor<f32>, %v: tensor<4xf32>, %t: tuple<tensor<f32>, tensor<i32>>) -> tensor<f32> {
  %if = "stablehlo.if"(%p) ({
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  %case = "stablehlo.case"(%i) ({
    "stablehlo.return"(%v) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  %while = "stablehlo.while"(%x) ({
  ^bb0(%s: tensor<f32>):
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%s: tensor<f32>):
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  %map = "stablehlo.map"(%v, %v) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %bar:2 = "stablehlo.optimization_barrier"(%x, %v) : (tensor<f32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  %tup = "stablehlo.tuple"(%x, %i) : (tensor<f32>, tensor<i32>) -> tuple<tensor<f32>, tensor<i32>>
  %get = "stablehlo.get_tuple_element"(%t) {index = 1 : i32} : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  %call = func.call @g(%x) : (tensor<f32>) -> tensor<f32>
  func.return %call : tensor<f32>
}`

func TestControlConstraints(t *testing.T) {
	testEdits(t, controlProgram, []edit{
		{"", []string{`"stablehlo.if"(%p) ({`, `"stablehlo.if"(%x) ({`, "}) : (tensor<i1>)", "}) : (tensor<f32>)"}},
		{"if_c1", []string{"\"stablehlo.if\"(%p) ({\n", "\"stablehlo.if\"(%p) ({\n  ^bb0(%z: tensor<f32>):\n"}},
		{"if_c2", []string{`"stablehlo.return"(%x) : (tensor<f32>) -> ()`,
			`"stablehlo.return"(%v) : (tensor<4xf32>) -> ()`}},
		{"if_c3", []string{"(tensor<i1>) -> tensor<f32>", "(tensor<i1>) -> tensor<f64>"}},
		{"case_c1", []string{"({\n    \"stablehlo.return\"(%v) : (tensor<4xf32>) -> ()\n  }) : ", ": "}},
		{"case_c4", []string{"(tensor<i32>) -> tensor<4xf32>", "(tensor<i32>) -> tensor<5xf32>"}},
		{"while_c1", []string{`"stablehlo.return"(%p) : (tensor<i1>)`, `"stablehlo.return"(%s) : (tensor<f32>)`}},
		{"while_c2", []string{`"stablehlo.return"(%s) : (tensor<f32>)`, `"stablehlo.return"(%v) : (tensor<4xf32>)`}},
		{"while_c3", []string{"}) : (tensor<f32>) -> tensor<f32>", "}) : (tensor<f32>) -> tensor<4xf32>"}},
		{"map_c1", []string{`"stablehlo.map"(%v, %v)`, `"stablehlo.map"(%v, %x)`,
			"(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>", "(tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"}},
		{"map_c3", []string{"dimensions = array<i64: 0>", "dimensions = array<i64: 1>"}},
		{"map_c4", []string{`^bb0(%a: tensor<f32>, %b: tensor<f32>)`, `^bb0(%a: tensor<f32>)`}},
		{"map_c4", []string{`"stablehlo.return"(%a) : (tensor<f32>)`, `"stablehlo.return"(%v) : (tensor<4xf32>)`}},
		{"optimization_barrier_c1", []string{"-> (tensor<f32>, tensor<4xf32>)", "-> (tensor<f32>, tensor<5xf32>)"}},
		{"tuple_c1", []string{"-> tuple<tensor<f32>, tensor<i32>>", "-> tuple<tensor<f32>, tensor<i64>>"}},
		{"get_tuple_element_c1", []string{"index = 1", "index = 2"}},
		{"get_tuple_element_c2", []string{"index = 1", "index = 0"}},
		{"", []string{"call @g", "call @h"}},
		{"", []string{"call @g(%x) : (tensor<f32>) -> tensor<f32>", "call @g(%v) : (tensor<4xf32>) -> tensor<f32>"}},
		{"", []string{"func.func private @g", "func.func @g"}},
		{"", []string{"return %call : tensor<f32>", "return %v : tensor<4xf32>"}},
	})
}

const testOpsProgram = `
func.func @p() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  func.return %0 : tensor<f32>
}
func.func @f(%x: tensor<f32>, %y: tensor<f32>) {
  "check.expect_eq"(%x, %y) : (tensor<f32>, tensor<f32>) -> ()
  "check.expect_almost_eq_const"(%x) {value = dense<1.0> : tensor<f32>} : (tensor<f32>) -> ()
  %r:2 = "interpreter.run_parallel"() {programs = [[@p], [@p]], infeed = [@p]} : () -> (tensor<f32>, tensor<f32>)
  %q = "interpreter.probe"(%x) {probe_id = "a"} : (tensor<f32>) -> tensor<f32>
  func.return
}`

func TestTestOps(t *testing.T) {
	testEdits(t, testOpsProgram, []edit{
		{"", []string{`%y: tensor<f32>`, `%y: tensor<i32>`, "(tensor<f32>, tensor<f32>) -> ()",
			"(tensor<f32>, tensor<i32>) -> ()"}},
		{"", []string{"value = dense<1.0> : tensor<f32>", "value = dense<1.0> : tensor<1xf32>"}},
		{"", []string{"[[@p], [@p]]", "[[@p], [@q]]"}},
		{"", []string{"[[@p], [@p]]", "[[@p], [@p, @p]]"}},
		{"", []string{"[[@p], [@p]]", "[[@p]]"}},
		{"", []string{"[[@p], [@p]]", "[]"}},
		{"", []string{"infeed = [@p]", "infeed = []"}},
	})
}
