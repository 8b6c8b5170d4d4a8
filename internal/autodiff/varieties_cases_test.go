package autodiff_test

import (
	"fmt"
	"strings"
	"testing"
)

// one returns a program of one op on the sine of one tensor, or of more tensors of the same type.
func one(n int, in, text, out string) string {
	var args, sines []string
	for i := range n {
		args = append(args, fmt.Sprintf("%%a%d: tensor<%s>", i, in))
		sines = append(sines, fmt.Sprintf("  %%x%d = stablehlo.sine %%a%d : tensor<%s>\n", i, i, in))
	}
	text = strings.NewReplacer("IN", "tensor<"+in+">", "OUT", "tensor<"+out+">").Replace(text)
	return fmt.Sprintf("func.func @main(%s) -> tensor<%s> {\n%s  %%y = %s\n  return %%y : tensor<%s>\n}",
		strings.Join(args, ", "), out, strings.Join(sines, ""), text, out)
}

const alone = `replica_groups = dense<0> : tensor<1x1xi64>`

// TestVarieties checks derivatives of varieties of ops that no other test covers.
func TestVarieties(t *testing.T) {
	cases := []gradCase{}
	add := func(name, text string) { cases = append(cases, gradCase{name: name, text: text}) }
	sum := func(elem string) string {
		return strings.ReplaceAll(` ({
      ^bb0(%p: tensor<E>, %q: tensor<E>):
        %r = stablehlo.add %p, %q : tensor<E>
        stablehlo.return %r : tensor<E>
    })`, "E", elem)
	}
	for _, e := range []string{"f64", "complex<f64>"} {
		in := "2x3x" + e
		add("all_gather/"+e, one(1, in,
			`"stablehlo.all_gather"(%x0) {all_gather_dim = 1 : i64, `+alone+`} : (IN) -> OUT`, in))
		add("all_reduce/"+e, one(1, in, `"stablehlo.all_reduce"(%x0)`+sum(e)+` {`+alone+`} : (IN) -> OUT`, in))
		add("reduce_scatter/"+e, one(1, in,
			`"stablehlo.reduce_scatter"(%x0)`+sum(e)+` {scatter_dimension = 1 : i64, `+alone+`} : (IN) -> OUT`, in))
		add("cross-replica-sum/"+e, one(1, in, `"stablehlo.cross-replica-sum"(%x0) {`+alone+`} : (IN) -> OUT`, in))
		add("collective_permute/"+e, one(1, in,
			`"stablehlo.collective_permute"(%x0) {source_target_pairs = dense<0> : tensor<1x2xi64>} : (IN) -> OUT`, in))
		add("all_to_all/"+e, one(1, in,
			`"stablehlo.all_to_all"(%x0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64, `+
				alone+`} : (IN) -> OUT`, in))
		add("broadcast by no dimension/"+e, one(1, in,
			`"stablehlo.broadcast"(%x0) {broadcast_sizes = array<i64>} : (IN) -> OUT`, in))
		add("broadcast/"+e, one(1, in,
			`"stablehlo.broadcast"(%x0) {broadcast_sizes = array<i64: 4, 2>} : (IN) -> OUT`, "4x2x"+in))
		add("custom_call/"+e, one(1, in, `stablehlo.custom_call @Sharding(%x0) : (IN) -> OUT`, in))
		add("map/"+e, one(2, in, strings.ReplaceAll(`"stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%p: tensor<E>, %q: tensor<E>):
        %r = stablehlo.multiply %p, %q : tensor<E>
        stablehlo.return %r : tensor<E>
    }) : (IN, IN) -> OUT`, "E", e), in))
		add("dot/"+e, one(2, "3x3x"+e, `"stablehlo.dot"(%x0, %x1) : (IN, IN) -> OUT`, "3x3x"+e))
		add("einsum/"+e, one(2, "3x3x"+e, `"stablehlo.einsum"(%x0, %x1) {einsum_config = "ab,cb->ca"} : (IN, IN) -> OUT`, "3x3x"+e))
		add("unary_einsum/"+e, one(1, "2x3x2x"+e,
			`"stablehlo.unary_einsum"(%x0) {einsum_config = "aba->ba"} : (IN) -> OUT`,
			"3x2x"+e))
		for dims, from := range map[string]string{"": "", "1": "3x", "0, 2": "2x4x"} {
			form := "array<i64: " + dims + ">"
			if dims == "" {
				form = "array<i64>"
			}
			add("dynamic_broadcast_in_dim along "+dims+"/"+e, fmt.Sprintf(`
func.func @main(%%x: tensor<%[1]s>) -> tensor<2x3x4x%[2]s> {
  %%s = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi64>
  %%0 = stablehlo.multiply %%x, %%x : tensor<%[1]s>
  %%1 = "stablehlo.dynamic_broadcast_in_dim"(%%0, %%s) {broadcast_dimensions = %[3]s} : (tensor<%[1]s>, tensor<3xi64>) -> tensor<2x3x4x%[2]s>
  return %%1 : tensor<2x3x4x%[2]s>
}`, from+e, e, form))
		}
		add("dynamic_reshape/"+e, strings.ReplaceAll(`
func.func @main(%x: tensor<2x3xE>) -> tensor<6xE> {
  %s = stablehlo.constant dense<[6]> : tensor<1xi64>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xE>, tensor<1xi64>) -> tensor<6xE>
  %1 = stablehlo.sine %0 : tensor<6xE>
  return %1 : tensor<6xE>
}`, "E", e))
		add("composite/"+e, strings.ReplaceAll(`
func.func @main(%x: tensor<3xE>) -> tensor<3xE> {
  %0 = stablehlo.composite "some.name" %x {decomposition = @f} : (tensor<3xE>) -> tensor<3xE>
  return %0 : tensor<3xE>
}
func.func private @f(%x: tensor<3xE>) -> tensor<3xE> {
  %0 = stablehlo.sine %x : tensor<3xE>
  return %0 : tensor<3xE>
}`, "E", e))
		add("while/"+e, strings.ReplaceAll(`
func.func @main(%x: tensor<2xE>) -> tensor<2xE> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %k = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%s = %x, %j = %i) : tensor<2xE>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.tanh %s : tensor<2xE>
    %2 = stablehlo.multiply %1, %x : tensor<2xE>
    %3 = stablehlo.add %j, %k : tensor<i32>
    stablehlo.return %2, %3 : tensor<2xE>, tensor<i32>
  }
  return %0#0 : tensor<2xE>
}`, "E", e))
		for dim, reverse := range []string{"false", "true", "false"} {
			types := [3][2]string{{"3x2x4x", "2x4x"}, {"2x3x4x", "2x4x"}, {"2x4x3x", "2x4x"}}[dim]
			add(fmt.Sprintf("scan along %d/%s", dim, e), strings.NewReplacer("XS", "tensor<"+types[0]+e+">",
				"X", "tensor<"+types[1]+e+">", "DIM", fmt.Sprint(dim), "REVERSE", reverse).Replace(`
func.func @main(%xs: XS, %h: X) -> (XS, X) {
  %0:2 = "chlo.scan"(%xs, %h) <{dimension = DIM : i64, is_reverse = REVERSE, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: X, %c: X):
    %1 = stablehlo.multiply %x, %c : X
    %2 = stablehlo.tanh %1 : X
    stablehlo.return %1, %2 : X, X
  }) : (XS, X) -> (XS, X)
  return %0#0, %0#1 : XS, X
}`))
		}
		add("ragged_dot of batches/"+e, strings.ReplaceAll(`
func.func @main(%x: tensor<2x6x3xE>, %y: tensor<2x6x4xE>) -> tensor<3x2x3x4xE> {
  %g = stablehlo.constant dense<[[2, 3, 1], [0, 4, 2]]> : tensor<2x3xi32>
  %0 = "chlo.ragged_dot"(%x, %y, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<2x6x3xE>, tensor<2x6x4xE>, tensor<2x3xi32>) -> tensor<3x2x3x4xE>
  return %0 : tensor<3x2x3x4xE>
}`, "xE>", "x"+e+">"))
	}
	for _, op := range []string{"stablehlo.atan2", "stablehlo.maximum", "stablehlo.minimum",
		"chlo.broadcast_atan2", "chlo.broadcast_maximum", "chlo.broadcast_minimum"} {
		add(op+" of complex numbers", one(2, "3xcomplex<f64>", `"`+op+`"(%x0, %x1) : (IN, IN) -> OUT`,
			"3xcomplex<f64>"))
	}
	add("cbrt of complex numbers", one(1, "3xcomplex<f64>", `stablehlo.cbrt %x0 : IN`, "3xcomplex<f64>"))
	add("clamp of complex numbers", one(3, "3xcomplex<f64>", `stablehlo.clamp %x0, %x1, %x2 : IN`, "3xcomplex<f64>"))
	for dim, n := range []int{4, 3, 2} {
		add(fmt.Sprintf("batch_norm_training of features in %d", dim), strings.NewReplacer("DIM", fmt.Sprint(dim),
			"V", fmt.Sprintf("tensor<%dxf64>", n)).Replace(`
func.func @main(%x: tensor<4x3x2xf64>, %s: V, %o: V) -> (tensor<4x3x2xf64>, V, V) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 0.5 : f32, feature_index = DIM : i64}> : (tensor<4x3x2xf64>, V, V) -> (tensor<4x3x2xf64>, V, V)
  return %0#0, %0#1, %0#2 : tensor<4x3x2xf64>, V, V
}`))
		add(fmt.Sprintf("batch_norm_grad of features in %d", dim), strings.NewReplacer("DIM", fmt.Sprint(dim),
			"V", fmt.Sprintf("tensor<%dxf64>", n)).Replace(`
func.func @main(%x: tensor<4x3x2xf64>, %s: V, %m: V, %v: V, %g: tensor<4x3x2xf64>) -> (tensor<4x3x2xf64>, V, V) {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) <{epsilon = 0.5 : f32, feature_index = DIM : i64}> : (tensor<4x3x2xf64>, V, V, V, tensor<4x3x2xf64>) -> (tensor<4x3x2xf64>, V, V)
  return %0#0, %0#1, %0#2 : tensor<4x3x2xf64>, V, V
}`))
	}
	add("ragged_dot of rows of batches", `
func.func @main(%x: tensor<2x2x6x3xf64>, %y: tensor<2x3x3x4xf64>) -> tensor<2x2x6x4xf64> {
  %g = stablehlo.constant dense<[[[2, 3, 1], [0, 4, 2]], [[1, 1, 1], [6, 0, 0]]]> : tensor<2x2x3xi32>
  %0 = "chlo.ragged_dot"(%x, %y, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [2], rhs_group_dimensions = [1]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<2x2x6x3xf64>, tensor<2x3x3x4xf64>, tensor<2x2x3xi32>) -> tensor<2x2x6x4xf64>
  return %0 : tensor<2x2x6x4xf64>
}`)
	// Complex numbers are sorted by their real parts here.
	add("sort of complex numbers", `
func.func @main(%x: tensor<2x5xcomplex<f64>>) -> tensor<2x5xcomplex<f64>> {
  %0 = stablehlo.sine %x : tensor<2x5xcomplex<f64>>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %p = stablehlo.real %a : (tensor<complex<f64>>) -> tensor<f64>
    %q = stablehlo.real %b : (tensor<complex<f64>>) -> tensor<f64>
    %2 = stablehlo.compare GT, %p, %q : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<2x5xcomplex<f64>>) -> tensor<2x5xcomplex<f64>>
  return %1 : tensor<2x5xcomplex<f64>>
}`)
	add("select_and_scatter of complex numbers", `
func.func @main(%x: tensor<5xcomplex<f64>>, %s: tensor<4xcomplex<f64>>, %c: tensor<complex<f64>>) -> tensor<5xcomplex<f64>> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %c) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %p = stablehlo.real %a : (tensor<complex<f64>>) -> tensor<f64>
    %q = stablehlo.real %b : (tensor<complex<f64>>) -> tensor<f64>
    %1 = stablehlo.compare GE, %p, %q : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %1 = stablehlo.add %a, %b : tensor<complex<f64>>
    stablehlo.return %1 : tensor<complex<f64>>
  }) : (tensor<5xcomplex<f64>>, tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<5xcomplex<f64>>
  %1 = stablehlo.multiply %0, %0 : tensor<5xcomplex<f64>>
  return %1 : tensor<5xcomplex<f64>>
}`)
	for dims, small := range map[string]string{"1": "3x", "0, 2": "2x4x"} {
		for _, op := range []string{"chlo.broadcast_polygamma", "chlo.broadcast_zeta"} {
			add(op+" along "+dims, fmt.Sprintf(`
func.func @main(%%x: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %%n = stablehlo.constant dense<2.0> : tensor<%[2]sf64>
  %%0 = "%[1]s"(%%n, %%x) {broadcast_dimensions = array<i64: %[3]s>} : (tensor<%[2]sf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %%0 : tensor<2x3x4xf64>
}`, op, small, dims))
		}
		add("chlo.broadcast_complex along "+dims, fmt.Sprintf(`
func.func @main(%%x: tensor<2x3x4xf64>, %%y: tensor<%[1]sf64>) -> tensor<2x3x4xcomplex<f64>> {
  %%0 = "chlo.broadcast_complex"(%%x, %%y) {broadcast_dimensions = array<i64: %[2]s>} : (tensor<2x3x4xf64>, tensor<%[1]sf64>) -> tensor<2x3x4xcomplex<f64>>
  %%1 = stablehlo.multiply %%0, %%0 : tensor<2x3x4xcomplex<f64>>
  return %%1 : tensor<2x3x4xcomplex<f64>>
}`, small, dims))
	}
	for _, op := range []string{"chlo.polygamma", "chlo.zeta"} {
		add(op+" of scalars", `
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %n = stablehlo.constant dense<2.0> : tensor<f64>
  %0 = "`+op+`"(%n, %x) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}`)
	}
	add("reduce_precision of a scalar", one(1, "f64", `stablehlo.reduce_precision %x0, format = e11m52 : IN`, "f64"))
	add("real of floats", one(1, "3xf64", `stablehlo.real %x0 : (IN) -> OUT`, "3xf64"))
	add("imag of floats", one(1, "3xf64", `stablehlo.imag %x0 : (IN) -> OUT`, "3xf64"))
	add("convert of complex numbers", one(1, "3xcomplex<f64>", `stablehlo.convert %x0 : (IN) -> OUT`, "3xcomplex<f64>"))
	add("top_k that need not be stable", `
func.func @main(%x: tensor<2x5xf64>) -> (tensor<2x3xf64>, tensor<2x3xi32>) {
  %0 = stablehlo.sine %x : tensor<2x5xf64>
  %1:2 = "chlo.top_k"(%0) {k = 3 : i64, is_stable = false} : (tensor<2x5xf64>) -> (tensor<2x3xf64>, tensor<2x3xi32>)
  return %1#0, %1#1 : tensor<2x3xf64>, tensor<2x3xi32>
}`)
	add("select_and_scatter with negative padding", selectAndScatterOf("5x5", "3x4",
		"padding = dense<[[-1, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>"))
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { checkGrad(t, c) })
	}
}
