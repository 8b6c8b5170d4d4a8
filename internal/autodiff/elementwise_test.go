package autodiff_test

import (
	"fmt"
	"strings"
	"testing"
)

// unaryCase is a unary op and its test points.
type unaryCase struct {
	op      string
	lo, hi  float64
	complex bool // also of complex numbers
}

var unaryCases = []unaryCase{
	{"stablehlo.abs", -2, 2, true},
	{"stablehlo.cbrt", 0.2, 2, false},
	{"stablehlo.cosine", -2, 2, true},
	{"stablehlo.sine", -2, 2, true},
	{"stablehlo.tan", -1, 1, true},
	{"stablehlo.tanh", -2, 2, true},
	{"stablehlo.logistic", -2, 2, true},
	{"stablehlo.exponential", -2, 2, true},
	{"stablehlo.exponential_minus_one", -2, 2, true},
	{"stablehlo.log", 0.2, 2, true},
	{"stablehlo.log_plus_one", -0.5, 2, true},
	{"stablehlo.sqrt", 0.2, 2, true},
	{"stablehlo.rsqrt", 0.2, 2, true},
	{"stablehlo.negate", -2, 2, true},
	{"stablehlo.floor", 0.2, 0.8, false},
	{"stablehlo.ceil", 0.2, 0.8, false},
	{"stablehlo.sign", 0.2, 0.8, false},
	{"stablehlo.round_nearest_afz", 0.6, 0.9, false},
	{"stablehlo.round_nearest_even", 0.6, 0.9, false},
	{"stablehlo.optimization_barrier", -2, 2, true},
	{"chlo.square", -2, 2, true},
	{"chlo.conj", -2, 2, true},
	{"chlo.sinh", -2, 2, true},
	{"chlo.cosh", -2, 2, true},
	{"chlo.tan", -1, 1, true},
	{"chlo.asin", -0.9, 0.9, true},
	{"chlo.acos", -0.9, 0.9, true},
	{"chlo.atan", -2, 2, true},
	{"chlo.asinh", -2, 2, true},
	{"chlo.acosh", 1.2, 3, true},
	{"chlo.atanh", -0.9, 0.9, true},
	{"chlo.erf", -2, 2, false},
	{"chlo.erfc", -2, 2, false},
	{"chlo.erf_inv", -0.9, 0.9, false},
	{"chlo.lgamma", 0.3, 4, false},
	{"chlo.digamma", 0.3, 4, false},
	{"nx.bessel_i0e", -3, 3, false},
	{"nx.bessel_i0e", 20, 90, false},
	{"chlo.bessel_i1e", -3, 3, false},
	{"chlo.bessel_i1e", 20, 90, false},
}

// elementwiseShapes are a vector, a scalar, and tensors without elements and with sizes of 1.
var elementwiseShapes = []string{"5x", "", "2x0x", "1x3x1x"}

func TestUnary(t *testing.T) {
	for _, c := range unaryCases {
		for _, typ := range []string{"f64", "complex<f64>"} {
			if typ != "f64" && !c.complex {
				continue
			}
			for _, shape := range elementwiseShapes {
				t.Run(c.op+"/"+shape+typ, func(t *testing.T) {
					out := typ
					if c.op == "stablehlo.abs" {
						out = "f64"
					}
					checkGrad(t, gradCase{lo: c.lo, hi: c.hi, text: fmt.Sprintf(`
func.func @main(%%x: tensor<%[2]s>) -> tensor<%[3]s> {
  %%0 = "%[1]s"(%%x) : (tensor<%[2]s>) -> tensor<%[3]s>
  return %%0 : tensor<%[3]s>
}`, c.op, shape+typ, shape+out)})
				})
			}
		}
	}
}

var binaryCases = []unaryCase{
	{"stablehlo.add", -2, 2, true},
	{"stablehlo.subtract", -2, 2, true},
	{"stablehlo.multiply", -2, 2, true},
	{"stablehlo.divide", 0.2, 2, true},
	{"stablehlo.maximum", -2, 2, false},
	{"stablehlo.minimum", -2, 2, false},
	{"stablehlo.power", 0.2, 2, true},
	{"stablehlo.remainder", 0.3, 4, false},
	{"stablehlo.atan2", -2, 2, false},
	{"chlo.next_after", 0.3, 0.4, false},
	{"chlo.broadcast_add", -2, 2, true},
	{"chlo.broadcast_subtract", -2, 2, true},
	{"chlo.broadcast_multiply", -2, 2, true},
	{"chlo.broadcast_divide", 0.2, 2, true},
	{"chlo.broadcast_maximum", -2, 2, false},
	{"chlo.broadcast_minimum", -2, 2, false},
	{"chlo.broadcast_power", 0.2, 2, true},
	{"chlo.broadcast_remainder", 0.3, 4, false},
	{"chlo.broadcast_atan2", -2, 2, false},
	{"chlo.broadcast_next_after", 0.3, 0.4, false},
}

func TestBinary(t *testing.T) {
	for _, c := range binaryCases {
		for _, typ := range []string{"f64", "complex<f64>"} {
			if typ != "f64" && !c.complex {
				continue
			}
			for _, shape := range elementwiseShapes {
				t.Run(c.op+"/"+shape+typ, func(t *testing.T) {
					checkGrad(t, gradCase{lo: c.lo, hi: c.hi, text: fmt.Sprintf(`
func.func @main(%%x: tensor<%[2]s>, %%y: tensor<%[2]s>) -> tensor<%[2]s> {
  %%0 = "%[1]s"(%%x, %%y) : (tensor<%[2]s>, tensor<%[2]s>) -> tensor<%[2]s>
  return %%0 : tensor<%[2]s>
}`, c.op, shape+typ)})
				})
			}
			if !strings.HasPrefix(c.op, "chlo.broadcast_") {
				continue
			}
			for dims, small := range map[string]string{"1": "3x", "0, 2": "2x4x"} { // of 2x3x4
				t.Run(c.op+"/"+typ+" along "+dims, func(t *testing.T) {
					checkGrad(t, gradCase{lo: c.lo, hi: c.hi, text: fmt.Sprintf(`
func.func @main(%%x: tensor<2x3x4x%[2]s>, %%y: tensor<%[3]s%[2]s>) -> tensor<2x3x4x%[2]s> {
  %%0 = "%[1]s"(%%x, %%y) {broadcast_dimensions = array<i64: %[4]s>} : (tensor<2x3x4x%[2]s>, tensor<%[3]s%[2]s>) -> tensor<2x3x4x%[2]s>
  return %%0 : tensor<2x3x4x%[2]s>
}`, c.op, typ, small, dims)})
				})
			}
		}
	}
}

func TestElementwise(t *testing.T) {
	for _, c := range []gradCase{
		{name: "square of a value used twice", text: `
func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.multiply %x, %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}`},
		{name: "two results, one an argument", text: `
func.func @main(%x: tensor<3xf64>, %y: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xi1>) {
  %0 = stablehlo.multiply %x, %y : tensor<3xf64>
  %1 = stablehlo.compare LT, %x, %y : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  return %0, %x, %1 : tensor<3xf64>, tensor<3xf64>, tensor<3xi1>
}`},
		{name: "select", lo: -1, hi: 1, text: `
func.func @main(%x: tensor<6xf64>, %y: tensor<6xf64>) -> tensor<6xf64> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xi1>
  %1 = stablehlo.sine %x : tensor<6xf64>
  %2 = stablehlo.select %0, %1, %y : tensor<6xi1>, tensor<6xf64>
  return %2 : tensor<6xf64>
}`},
		{name: "select by a scalar", text: `
func.func @main(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %p = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.multiply %x, %x : tensor<3xf64>
  %1 = stablehlo.select %p, %0, %y : tensor<i1>, tensor<3xf64>
  return %1 : tensor<3xf64>
}`},
		{name: "clamp by scalars", lo: -2, hi: 2, text: `
func.func @main(%x: tensor<9xf64>, %d: tensor<f64>) -> tensor<9xf64> {
  %c = stablehlo.constant dense<0.1> : tensor<f64>
  %lo = stablehlo.multiply %d, %c : tensor<f64>
  %one = stablehlo.constant dense<0.7> : tensor<f64>
  %hi = stablehlo.add %lo, %one : tensor<f64>
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<f64>, tensor<9xf64>, tensor<f64>) -> tensor<9xf64>
  return %0 : tensor<9xf64>
}`},
		{name: "clamp by exchanged bounds", lo: -2, hi: 2, text: `
func.func @main(%x: tensor<9xf64>, %lo: tensor<9xf64>) -> tensor<9xf64> {
  %one = stablehlo.constant dense<0.7> : tensor<9xf64>
  %hi = stablehlo.subtract %lo, %one : tensor<9xf64>
  %0 = stablehlo.clamp %lo, %x, %hi : tensor<9xf64>
  %1 = stablehlo.clamp %x, %x, %lo : tensor<9xf64>
  %2 = stablehlo.multiply %0, %1 : tensor<9xf64>
  return %2 : tensor<9xf64>
}`},
		{name: "clamp by tensors", lo: -2, hi: 2, text: `
func.func @main(%x: tensor<9xf64>, %lo: tensor<9xf64>) -> tensor<9xf64> {
  %one = stablehlo.constant dense<0.7> : tensor<9xf64>
  %hi = stablehlo.add %lo, %one : tensor<9xf64>
  %0 = stablehlo.clamp %lo, %x, %hi : tensor<9xf64>
  return %0 : tensor<9xf64>
}`},
		{name: "complex, real and imag", text: `
func.func @main(%x: tensor<4xf64>, %y: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %0 = stablehlo.complex %x, %y : tensor<4xcomplex<f64>>
  %1 = stablehlo.exponential %0 : tensor<4xcomplex<f64>>
  %2 = stablehlo.real %1 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %3 = stablehlo.imag %1 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  return %2, %3 : tensor<4xf64>, tensor<4xf64>
}`},
		{name: "convert to complex and back", text: `
func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.convert %x : (tensor<4xf64>) -> tensor<4xcomplex<f64>>
  %1 = stablehlo.sqrt %0 : tensor<4xcomplex<f64>>
  %2 = stablehlo.multiply %1, %0 : tensor<4xcomplex<f64>>
  %3 = stablehlo.real %2 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  return %3 : tensor<4xf64>
}`},
		{name: "convert to integers has derivative 0", text: `
func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.convert %x : (tensor<4xf64>) -> tensor<4xi32>
  %1 = stablehlo.convert %0 : (tensor<4xi32>) -> tensor<4xf64>
  %2 = stablehlo.multiply %1, %x : tensor<4xf64>
  return %2 : tensor<4xf64>
}`},
		{name: "chlo.broadcast_multiply", text: `
func.func @main(%x: tensor<2x3xf64>, %y: tensor<3xf64>, %z: tensor<2x1xf64>) -> tensor<2x3xf64> {
  %0 = "chlo.broadcast_multiply"(%x, %y) : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  %1 = "chlo.broadcast_divide"(%0, %z) : (tensor<2x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
  return %1 : tensor<2x3xf64>
}`},
		{name: "chlo.broadcast_add with dimensions", text: `
func.func @main(%x: tensor<2x3xf64>, %y: tensor<2xf64>) -> tensor<2x3xf64> {
  %0 = "chlo.broadcast_power"(%x, %y) {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf64>, tensor<2xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}`},
		{name: "chlo.broadcast_complex", text: `
func.func @main(%x: tensor<3xf64>, %y: tensor<f64>) -> tensor<3xcomplex<f64>> {
  %0 = "chlo.broadcast_complex"(%x, %y) : (tensor<3xf64>, tensor<f64>) -> tensor<3xcomplex<f64>>
  %1 = stablehlo.multiply %0, %0 : tensor<3xcomplex<f64>>
  return %1 : tensor<3xcomplex<f64>>
}`},
		{name: "chlo.broadcast_select", text: `
func.func @main(%x: tensor<2x3xf64>, %y: tensor<f64>) -> tensor<2x3xf64> {
  %p = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %0 = "chlo.broadcast_select"(%p, %x, %y) : (tensor<3xi1>, tensor<2x3xf64>, tensor<f64>) -> tensor<2x3xf64>
  %1 = stablehlo.multiply %0, %0 : tensor<2x3xf64>
  return %1 : tensor<2x3xf64>
}`},
		{name: "polygamma and zeta", lo: 0.5, hi: 3, text: `
func.func @main(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %n = stablehlo.constant dense<2.0> : tensor<4xf64>
  %s = stablehlo.constant dense<2.5> : tensor<4xf64>
  %0 = "chlo.polygamma"(%n, %x) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = "chlo.zeta"(%s, %x) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0, %1 : tensor<4xf64>, tensor<4xf64>
}`},
		{name: "broadcast polygamma and zeta", lo: 0.5, hi: 3, text: `
func.func @main(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %n = stablehlo.constant dense<2.0> : tensor<f64>
  %s = stablehlo.constant dense<2.5> : tensor<f64>
  %0 = "chlo.broadcast_polygamma"(%n, %x) : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = "chlo.broadcast_zeta"(%s, %x) : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
  return %0, %1 : tensor<4xf64>, tensor<4xf64>
}`},
		{name: "tuples", text: `
func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.sine %x : tensor<4xf64>
  %1 = stablehlo.tuple %x, %0 : tuple<tensor<4xf64>, tensor<4xf64>>
  %2 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<4xf64>, tensor<4xf64>>) -> tensor<4xf64>
  return %2 : tensor<4xf64>
}`},
		{name: "map", text: `
func.func @main(%x: tensor<2x3xf64>, %y: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.constant dense<2.0> : tensor<f64>
    %1 = stablehlo.multiply %a, %b : tensor<f64>
    %2 = stablehlo.power %1, %c : tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}`},
		{name: "reduce_precision", text: `
func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.reduce_precision %x, format = e11m52 : tensor<3xf64>
  %1 = stablehlo.sine %0 : tensor<3xf64>
  return %1 : tensor<3xf64>
}`},
		{name: "sharding constraint", text: `
module {
  sdy.mesh @mesh = <["data"=1]>
  func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
    %0 = sdy.sharding_constraint %x <@mesh, [{"data"}]> : tensor<3xf64>
    %1 = stablehlo.sine %0 : tensor<3xf64>
    return %1 : tensor<3xf64>
  }
}`},
		{name: "custom call of an annotation", text: `
func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.custom_call @Sharding(%x) : (tensor<3xf64>) -> tensor<3xf64>
  %1 = stablehlo.sine %0 : tensor<3xf64>
  return %1 : tensor<3xf64>
}`},
	} {
		t.Run(c.name, func(t *testing.T) { checkGrad(t, c) })
	}
}
