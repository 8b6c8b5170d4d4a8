package autodiff_test

import (
	"strings"
	"testing"
)

// TestWithoutElements checks that ops on tensors without elements have derivatives, also by their
// other operands.
func TestWithoutElements(t *testing.T) {
	sum := ` ({
      ^bb0(%p: tensor<f64>, %q: tensor<f64>):
        %r = stablehlo.add %p, %q : tensor<f64>
        stablehlo.return %r : tensor<f64>
    })`
	const none = "0x3xf64"
	const solve = `"stablehlo.triangular_solve"(%x0, %x1) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (IN, IN) -> OUT`
	cases := map[string]string{
		"all_gather": one(1, none, `"stablehlo.all_gather"(%x0) {all_gather_dim = 1 : i64, `+alone+`} : (IN) -> OUT`,
			none),
		"all_reduce": one(1, none, `"stablehlo.all_reduce"(%x0)`+sum+` {`+alone+`} : (IN) -> OUT`, none),
		"reduce_scatter": one(1, none,
			`"stablehlo.reduce_scatter"(%x0)`+sum+` {scatter_dimension = 1 : i64, `+alone+`} : (IN) -> OUT`, none),
		"cross-replica-sum": one(1, none, `"stablehlo.cross-replica-sum"(%x0) {`+alone+`} : (IN) -> OUT`, none),
		"collective_permute": one(1, none,
			`"stablehlo.collective_permute"(%x0) {source_target_pairs = dense<0> : tensor<1x2xi64>} : (IN) -> OUT`, none),
		"all_to_all": one(1, none, `"stablehlo.all_to_all"(%x0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64, `+
			alone+`} : (IN) -> OUT`, none),
		"broadcast":   one(1, none, `"stablehlo.broadcast"(%x0) {broadcast_sizes = array<i64: 4>} : (IN) -> OUT`, "4x"+none),
		"custom_call": one(1, none, `stablehlo.custom_call @Sharding(%x0) : (IN) -> OUT`, none),
		"map": one(2, none, `"stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%p: tensor<f64>, %q: tensor<f64>):
        %r = stablehlo.multiply %p, %q : tensor<f64>
        stablehlo.return %r : tensor<f64>
    }) : (IN, IN) -> OUT`, none),
		"dot": one(1, none, `stablehlo.constant dense<2.0> : tensor<3x2xf64>
  %y = stablehlo.dot %x0, %c : (IN, tensor<3x2xf64>) -> OUT`, "0x2xf64"),
		"dot of no terms": one(2, "0xf64", `"stablehlo.dot"(%x0, %x1) : (IN, IN) -> OUT`, "f64"),
		"einsum": one(2, none,
			`"stablehlo.einsum"(%x0, %x1) {einsum_config = "ab,ac->bc"} : (IN, IN) -> OUT`, "3x3xf64"),
		"unary_einsum": one(1, none,
			`"stablehlo.unary_einsum"(%x0) {einsum_config = "ab->b"} : (IN) -> OUT`, "3xf64"),
		"convert":                    one(1, none, `stablehlo.convert %x0 : (IN) -> OUT`, "0x3xcomplex<f64>"),
		"imag":                       one(1, "0x3xcomplex<f64>", `stablehlo.imag %x0 : (IN) -> OUT`, none),
		"reduce_precision":           one(1, none, `stablehlo.reduce_precision %x0, format = e11m52 : IN`, none),
		"cholesky":                   one(1, "0x3x3xf64", `stablehlo.cholesky %x0, lower = true : IN`, "0x3x3xf64"),
		"cholesky of 0 rows":         one(1, "2x0x0xf64", `stablehlo.cholesky %x0, lower = true : IN`, "2x0x0xf64"),
		"triangular_solve":           one(2, "0x3x3xf64", solve, "0x3x3xf64"),
		"triangular_solve of 0 rows": one(2, "2x0x0xf64", solve, "2x0x0xf64"),
		"fft": one(1, "0x3xcomplex<f64>",
			`stablehlo.fft %x0, type = FFT, length = [3] : (IN) -> OUT`, "0x3xcomplex<f64>"),
		"broadcast_complex": one(2, none, `"chlo.broadcast_complex"(%x0, %x1) : (IN, IN) -> OUT`, "0x3xcomplex<f64>"),
		"sharding_constraint": `
sdy.mesh @mesh = <["data"=1]>
` + one(1, none, `sdy.sharding_constraint %x0 <@mesh, [{}, {}]> : IN`, none),
		"manual_computation": `
sdy.mesh @mesh = <["x"=2]>
` + one(1, none, `sdy.manual_computation(%x0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%p: tensor<0x3xf64>) {
    %s = stablehlo.sine %p : tensor<0x3xf64>
    sdy.return %s : tensor<0x3xf64>
  } : (IN) -> OUT`, none),
		"dynamic_slice": `
func.func @main(%x: tensor<0x3xf64>) -> tensor<0x2xf64> {
  %i = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.sine %x : tensor<0x3xf64>
  %1 = stablehlo.dynamic_slice %0, %i, %i, sizes = [0, 2] : (tensor<0x3xf64>, tensor<i32>, tensor<i32>) -> tensor<0x2xf64>
  return %1 : tensor<0x2xf64>
}`,
		"dynamic_broadcast_in_dim": `
func.func @main(%x: tensor<0xf64>) -> tensor<2x0xf64> {
  %s = stablehlo.constant dense<[2, 0]> : tensor<2xi64>
  %0 = stablehlo.sine %x : tensor<0xf64>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [1] : (tensor<0xf64>, tensor<2xi64>) -> tensor<2x0xf64>
  return %1 : tensor<2x0xf64>
}`,
		"dynamic_reshape": `
func.func @main(%x: tensor<0x3xf64>) -> tensor<0xf64> {
  %s = stablehlo.constant dense<[0]> : tensor<1xi64>
  %0 = stablehlo.sine %x : tensor<0x3xf64>
  %1 = stablehlo.dynamic_reshape %0, %s : (tensor<0x3xf64>, tensor<1xi64>) -> tensor<0xf64>
  return %1 : tensor<0xf64>
}`,
		"gather": `
func.func @main(%x: tensor<4x0xf64>) -> tensor<2x0xf64> {
  %i = stablehlo.constant dense<[[0], [3]]> : tensor<2x1xi32>
  %0 = stablehlo.sine %x : tensor<4x0xf64>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 0>}> : (tensor<4x0xf64>, tensor<2x1xi32>) -> tensor<2x0xf64>
  return %1 : tensor<2x0xf64>
}`,
		"torch_index_select": `
func.func @main(%x: tensor<4x0xf64>) -> tensor<2x0xf64> {
  %i = stablehlo.constant dense<[0, 3]> : tensor<2xi32>
  %0 = stablehlo.sine %x : tensor<4x0xf64>
  %1 = "stablehlo.torch_index_select"(%0, %i) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<4x0xf64>, tensor<2xi32>) -> tensor<2x0xf64>
  return %1 : tensor<2x0xf64>
}`,
		"select_and_scatter": `
func.func @main(%x: tensor<0x5xf64>, %s: tensor<0x4xf64>, %c: tensor<f64>) -> tensor<0x5xf64> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %c) <{window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<0x5xf64>, tensor<0x4xf64>, tensor<f64>) -> tensor<0x5xf64>
  return %0 : tensor<0x5xf64>
}`,
		"batch_norm_training": `
func.func @main(%x: tensor<4x0xf64>, %s: tensor<0xf64>) -> tensor<4x0xf64> {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 0.5 : f32, feature_index = 1 : i64}> : (tensor<4x0xf64>, tensor<0xf64>, tensor<0xf64>) -> (tensor<4x0xf64>, tensor<0xf64>, tensor<0xf64>)
  return %0#0 : tensor<4x0xf64>
}`,
		"batch_norm_grad": `
func.func @main(%x: tensor<4x0xf64>, %s: tensor<0xf64>) -> tensor<4x0xf64> {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %x) <{epsilon = 0.5 : f32, feature_index = 1 : i64}> : (tensor<4x0xf64>, tensor<0xf64>, tensor<0xf64>, tensor<0xf64>, tensor<4x0xf64>) -> (tensor<4x0xf64>, tensor<0xf64>, tensor<0xf64>)
  return %0#0 : tensor<4x0xf64>
}`,
		"calls and composites": `
func.func @main(%x: tensor<0x3xf64>) -> tensor<0x3xf64> {
  %0 = func.call @f(%x) : (tensor<0x3xf64>) -> tensor<0x3xf64>
  %1 = stablehlo.composite "some.name" %0 {decomposition = @f} : (tensor<0x3xf64>) -> tensor<0x3xf64>
  %2 = func.call @f(%1) : (tensor<0x3xf64>) -> tensor<0x3xf64>
  return %2 : tensor<0x3xf64>
}
func.func private @f(%x: tensor<0x3xf64>) -> tensor<0x3xf64> {
  %0 = stablehlo.sine %x : tensor<0x3xf64>
  return %0 : tensor<0x3xf64>
}`,
		"branches": `
func.func @main(%x: tensor<0x3xf64>) -> (tensor<0x3xf64>, tensor<0x3xf64>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %p = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.sine %x : tensor<0x3xf64>
    stablehlo.return %1 : tensor<0x3xf64>
  }, {
    stablehlo.return %x : tensor<0x3xf64>
  }) : (tensor<i32>) -> tensor<0x3xf64>
  %2 = "stablehlo.if"(%p) ({
    %1 = stablehlo.cosine %x : tensor<0x3xf64>
    stablehlo.return %1 : tensor<0x3xf64>
  }, {
    stablehlo.return %x : tensor<0x3xf64>
  }) : (tensor<i1>) -> tensor<0x3xf64>
  return %0, %2 : tensor<0x3xf64>, tensor<0x3xf64>
}`,
		"scatter": `
func.func @main(%x: tensor<4x0xf64>, %u: tensor<2x0xf64>) -> tensor<4x0xf64> {
  %i = stablehlo.constant dense<[[0], [3]]> : tensor<2x1xi32>
  %1 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %2 = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }) : (tensor<4x0xf64>, tensor<2x1xi32>, tensor<2x0xf64>) -> tensor<4x0xf64>
  return %1 : tensor<4x0xf64>
}`,
		"scatter of no updates": `
func.func @main(%x: tensor<4xf64>, %u: tensor<0xf64>) -> tensor<4xf64> {
  %i = stablehlo.constant dense<> : tensor<0x1xi32>
  %1 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %2 = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }) : (tensor<4xf64>, tensor<0x1xi32>, tensor<0xf64>) -> tensor<4xf64>
  return %1 : tensor<4xf64>
}`,
		"while of unknown length": `
func.func @main(%x: tensor<0x3xf64>, %s: tensor<f64>) -> (tensor<0x3xf64>, tensor<f64>) {
  %n = stablehlo.constant dense<9.0> : tensor<f64>
  %0:2 = stablehlo.while(%v = %x, %w = %s) : tensor<0x3xf64>, tensor<f64>
  cond {
    %p = stablehlo.compare LT, %w, %n : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.sine %v : tensor<0x3xf64>
    %2 = stablehlo.add %w, %s : tensor<f64>
    stablehlo.return %1, %2 : tensor<0x3xf64>, tensor<f64>
  }
  return %0#0, %0#1 : tensor<0x3xf64>, tensor<f64>
}`,
		"scan of no rows": `
func.func @main(%xs: tensor<0x4xf64>, %h: tensor<4xf64>) -> (tensor<0x4xf64>, tensor<4xf64>) {
  %0:2 = "chlo.scan"(%xs, %h) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: tensor<4xf64>, %c: tensor<4xf64>):
    %1 = stablehlo.multiply %x, %c : tensor<4xf64>
    stablehlo.return %1, %1 : tensor<4xf64>, tensor<4xf64>
  }) : (tensor<0x4xf64>, tensor<4xf64>) -> (tensor<0x4xf64>, tensor<4xf64>)
  return %0#0, %0#1 : tensor<0x4xf64>, tensor<4xf64>
}`,
		"ragged_dot": `
func.func @main(%x: tensor<0x3xf64>, %y: tensor<2x3x4xf64>) -> tensor<0x4xf64> {
  %g = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %0 = "chlo.ragged_dot"(%x, %y, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<0x3xf64>, tensor<2x3x4xf64>, tensor<2xi32>) -> tensor<0x4xf64>
  return %0 : tensor<0x4xf64>
}`,
		"broadcast_select": `
func.func @main(%x: tensor<0x3xf64>, %y: tensor<f64>) -> tensor<0x3xf64> {
  %p = stablehlo.constant dense<> : tensor<0x3xi1>
  %0 = "chlo.broadcast_select"(%p, %x, %y) : (tensor<0x3xi1>, tensor<0x3xf64>, tensor<f64>) -> tensor<0x3xf64>
  return %0 : tensor<0x3xf64>
}`,
	}
	cases["dot"] = strings.Replace(cases["dot"], "%y = stablehlo.constant", "%c = stablehlo.constant", 1)
	for _, op := range []string{"polygamma", "broadcast_polygamma", "zeta", "broadcast_zeta"} {
		cases[op] = `
func.func @main(%x: tensor<0xf64>) -> tensor<0xf64> {
  %n = stablehlo.constant dense<2.0> : tensor<0xf64>
  %0 = "chlo.` + op + `"(%n, %x) : (tensor<0xf64>, tensor<0xf64>) -> tensor<0xf64>
  return %0 : tensor<0xf64>
}`
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) { checkGrad(t, gradCase{name: name, text: text}) })
	}
}
