package stablehlo

import "testing"

const transferProgram = `
func.func @f(%x: tensor<4xf32>, %t: !stablehlo.token) {
  %s = "stablehlo.send"(%x, %t) {
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>,
    source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>
  } : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %r:2 = "stablehlo.recv"(%s) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %i:2 = "stablehlo.infeed"(%r#1) {layout = [[0]]} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %o = "stablehlo.outfeed"(%i#0, %i#1) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  func.return
}`

func TestTransferConstraints(t *testing.T) {
	testEdits(t, transferProgram, []edit{
		{"send_c1", []string{"dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>", "dense<0> : tensor<1x3xi64>"}},
		{"send_c2", []string{"[1, 2]", "[0, 2]"}},
		{"send_c3", []string{"[1, 2]", "[2, 1]"}},
		{"send_c4", []string{"[1, 2]", "[1, -7]"}},
		{"send_c5", []string{"handle = 0, type = 1", "handle = 0, type = 2"}},
		{"recv_c5", []string{"handle = 1, type = 3", "handle = 1, type = 2"}},
		{"recv_c5", []string{", is_host_transfer = true", ""}},
		{"", []string{"%r:2 =", "%r =", "(%r#1)", "(%s)", "(!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)\n  %i",
			"(!stablehlo.token) -> tensor<4xf32>\n  %i"}},
		{"", []string{"layout = [[0]]", "layout = [[0], [0]]"}},
		{"", []string{"layout = [[0]]", "layout = [0]"}},
		{"", []string{"layout = [[0]]", "layout = [[\"0\"]]"}},
		{"infeed_c2", []string{"-> (tensor<4xf32>, !stablehlo.token)\n  %o",
			"-> (!stablehlo.token, !stablehlo.token)\n  %o",
			"(%i#0, %i#1)", "(%x, %i#1)"}},
		{"infeed_c3", []string{"-> (tensor<4xf32>, !stablehlo.token)\n  %o", "-> (tensor<4xf32>, tensor<4xf32>)\n  %o",
			"(%i#0, %i#1)", "(%i#0, %s)"}},
	})
}

const asyncProgram = `
func.func @f(%x: tensor<8x2xf32>) {
  %s = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<8x2xf32>):
    %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 4, 2>, strides = array<i64: 1, 1>} : (tensor<8x2xf32>) -> tensor<4x2xf32>
    stablehlo.return %0 : tensor<4x2xf32>
  }) : (tensor<8x2xf32>) -> !stablehlo.future<tensor<4x2xf32>>
  %r = "stablehlo.async_done"(%s) : (!stablehlo.future<tensor<4x2xf32>>) -> tensor<4x2xf32>
  func.return
}`

func TestAsyncConstraints(t *testing.T) {
	testEdits(t, asyncProgram, []edit{
		{"async_start_c1",
			[]string{"    stablehlo.return", "    %1 = stablehlo.abs %0 : tensor<4x2xf32>\n    stablehlo.return"}},
		{"async_start_c2",
			[]string{
				`"stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 4, 2>, strides = array<i64: 1, 1>} : (tensor<8x2xf32>) -> tensor<4x2xf32>`,
				"stablehlo.constant dense<0.0> : tensor<4x2xf32>"}},
		{"async_start_c3", []string{"^bb0(%a: tensor<8x2xf32>)", "^bb0(%a: tensor<8x2xf32>, %b: tensor<8x2xf32>)"}},
		{"async_start_c3", []string{"^bb0(%a: tensor<8x2xf32>)", "^bb0(%a: tensor<?x2xf32>)",
			"(tensor<8x2xf32>) -> tensor<4x2xf32>\n", "(tensor<?x2xf32>) -> tensor<4x2xf32>\n"}},
		{"async_start_c4", []string{"return %0 : tensor<4x2xf32>", "return"}},
		{"async_start_c4", []string{"-> !stablehlo.future<tensor<4x2xf32>>", "-> !stablehlo.future<tensor<4x3xf32>>",
			"(!stablehlo.future<tensor<4x2xf32>>)", "(!stablehlo.future<tensor<4x3xf32>>)"}},
		{"async_done_c1",
			[]string{"(!stablehlo.future<tensor<4x2xf32>>) -> tensor<4x2xf32>",
				"(!stablehlo.future<tensor<4x2xf32>>) -> tensor<4x3xf32>"}},
	})
}
