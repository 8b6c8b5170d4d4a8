package derivatives_test

import (
	"bufio"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

type (
	unaryFunc  = func(nx.Tensor) nx.Tensor
	binaryFunc = func(a, b nx.Tensor) nx.Tensor
)

// unaryFunctions and binaryFunctions are the functions of testdata/second_derivatives.txt.
var unaryFunctions = map[string]unaryFunc{
	"Exp": nx.Exp, "Expm1": nx.Expm1, "Log": nx.Log, "Log1p": nx.Log1p, "Log2": nx.Log2, "Log10": nx.Log10,
	"Sigmoid": nx.Sigmoid, "Softplus": nx.Softplus, "Silu": nx.Silu, "Gelu": nx.Gelu, "GeluTanh": nx.GeluTanh,
	"Relu": nx.Relu,
	"Sin":  nx.Sin, "Cos": nx.Cos, "Tan": nx.Tan, "Sinh": nx.Sinh, "Cosh": nx.Cosh, "Tanh": nx.Tanh,
	"Asin": nx.Asin, "Acos": nx.Acos, "Atan": nx.Atan, "Asinh": nx.Asinh, "Acosh": nx.Acosh, "Atanh": nx.Atanh,
	"Sqrt": nx.Sqrt, "Rsqrt": nx.Rsqrt, "Cbrt": nx.Cbrt, "Square": nx.Square, "Neg": nx.Neg, "Abs": nx.Abs,
	"Erf": nx.Erf, "Erfc": nx.Erfc, "ErfInv": nx.ErfInv, "Lgamma": nx.Lgamma, "Digamma": nx.Digamma,
	"BesselI0e": nx.BesselI0e, "BesselI1e": nx.BesselI1e,
}

var binaryFunctions = map[string]binaryFunc{
	"Add": nx.Add[nx.Tensor, nx.Tensor], "Sub": nx.Sub[nx.Tensor, nx.Tensor], "Mul": nx.Mul[nx.Tensor, nx.Tensor],
	"Div": nx.Div[nx.Tensor, nx.Tensor], "Remainder": nx.Remainder[nx.Tensor, nx.Tensor],
	"Pow": nx.Pow[nx.Tensor, nx.Tensor], "Atan2": nx.Atan2[nx.Tensor, nx.Tensor],
	"Maximum": nx.Maximum[nx.Tensor, nx.Tensor], "Minimum": nx.Minimum[nx.Tensor, nx.Tensor],
	"Abs(Complex)":    func(a, b nx.Tensor) nx.Tensor { return nx.Abs(nx.Complex(a, b)) },
	"chlo.polygamma":  binaryOp("chlo.polygamma"),
	"chlo.zeta":       binaryOp("chlo.zeta"),
	"chlo.next_after": binaryOp("chlo.next_after"),
	// In the form in which NumPy and JAX compute it.
	"log(exp+exp)": func(a, b nx.Tensor) nx.Tensor {
		return nx.Add(nx.Maximum(a, b), nx.Log1p(nx.Exp(nx.Neg(nx.Abs(nx.Sub(a, b))))))
	},
}

// binaryOp returns the function of an op, of a loaded program: there may be no other function of it.
func binaryOp(op string) binaryFunc {
	return func(a, b nx.Tensor) nx.Tensor { return applied(op, a, b) }
}

// applied applies an op to operands of one type.
func applied(op string, operands ...nx.Tensor) nx.Tensor {
	typ := "tensor<"
	for _, n := range operands[0].Shape() {
		typ += fmt.Sprint(n, "x")
	}
	typ += operands[0].DType().String() + ">"
	var names, params, types []string
	for i := range operands {
		name := fmt.Sprintf("%%x%d", i)
		names, params, types = append(names, name), append(params, name+": "+typ), append(types, typ)
	}
	text := fmt.Sprintf("func.func @main(%s) -> %s {\n  %%y = %q(%s) : (%s) -> %s\n  return %%y : %s\n}",
		strings.Join(params, ", "), typ, op, strings.Join(names, ", "), strings.Join(types, ", "), typ, typ)
	module, err := stablehlo.Parse(op, []byte(text))
	if err != nil {
		panic(err)
	}
	program, err := nx.LoadModule(context.Background(), module)
	if err != nil {
		panic(err)
	}
	results, err := program.Call(context.Background(), operands...)
	if err != nil {
		panic(err)
	}
	return results[0]
}

// lossy are the functions whose derivatives are off by more than 32 units in the last place: by
// so many times the square of the argument, or of the result.
var lossy = map[string]float64{
	"Erf":       1,   // of an exponent -t², which is rounded
	"Erfc":      1,   // the same
	"Gelu":      1,   // the same
	"GeluTanh":  1,   // of an exponent that is rounded, in the second
	"ErfInv":    200, // exp(y²) of a y that is rounded; |t| < 1
	"BesselI0e": 4,   // e^-t(I₁ - I₀) below 30, and what is left of it in the second
}

// withinUnits reports whether a derivative is right but for roundings.
func withinUnits(name string, point []float64, got, want float64, d nx.DType) bool {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return true
	}
	least, x := 0x1p-1022, math.Min(math.Abs(point[0]), 40)
	if d == nx.F32 {
		least = 0x1p-126
	}
	units := 32 + lossy[name]*x*x
	return math.Abs(got-want) <= units*d.Epsilon()*math.Abs(want)+4*least
}

// derivativesAt are the right derivatives of a function at a point.
type derivativesAt struct {
	point []float64
	want  []string
	line  string
}

// readDerivatives returns the lines of testdata/second_derivatives.txt by function and element type.
func readDerivatives(t *testing.T) map[string]map[nx.DType][]derivativesAt {
	t.Helper()
	file, err := os.Open("testdata/second_derivatives.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table := map[string]map[nx.DType][]derivativesAt{}
	types := map[string]nx.DType{"f32": nx.F32, "f64": nx.F64}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		text, _, _ := strings.Cut(lines.Text(), "#")
		at, want, ok := strings.Cut(text, ":")
		if !ok {
			continue
		}
		words := strings.Fields(at)
		r := derivativesAt{want: strings.Fields(want), line: lines.Text()}
		for _, w := range words[2:] {
			r.point = append(r.point, number(t, w))
		}
		name, d := words[0], types[words[1]]
		if table[name] == nil {
			table[name] = map[nx.DType][]derivativesAt{}
		}
		table[name][d] = append(table[name][d], r)
	}
	return table
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// column holds one of the derivatives at all points against what was computed.
func column(t *testing.T, name, way string, d nx.DType, rows []derivativesAt, column int, got nx.Tensor) {
	t.Helper()
	data := nx.Data[float64](nx.Cast(got, nx.F64))
	for i, r := range rows {
		if w := r.want[column]; w != "-" && !withinUnits(name, r.point, data[i], number(t, w), d) {
			t.Errorf("%s\n\tderivative %d, %s: got %v, want %v", r.line, column+1, way, data[i], number(t, w))
		}
	}
}

// along returns the derivative of f in the direction of ones: of an elementwise function, its derivative.
func along(f unaryFunc) unaryFunc {
	return func(x nx.Tensor) nx.Tensor {
		_, d := nx.JVP(f, x, nx.Ones(x.Shape(), x.DType()))
		return d
	}
}

// derivativeWays are the ways to a derivative of an elementwise function.
var derivativeWays = map[string]func(f unaryFunc) unaryFunc{
	"reverse": func(f unaryFunc) unaryFunc { return nx.Grad(f) },
	"forward": along,
	"jit":     func(f unaryFunc) unaryFunc { return nx.Jit(nx.Grad(nx.Jit(f))) },
	"vmap":    func(f unaryFunc) unaryFunc { return nx.Vmap(nx.Grad(f)) },
}

// secondWays are the ways to a second derivative: the derivative by way g of that by way f.
var secondWays = [][2]string{{"reverse", "reverse"}, {"forward", "reverse"}, {"reverse", "forward"},
	{"forward", "forward"}, {"jit", "reverse"}, {"vmap", "forward"}, {"reverse", "vmap"}, {"forward", "jit"}}

// TestSecondDerivatives holds the first and the second derivatives of all elementwise functions at
// special points: zeros of both signs, ends of domains, poles, kinks, where a function is flat,
// tiny and huge arguments, and infinities.
func TestSecondDerivatives(t *testing.T) {
	table := readDerivatives(t)
	for name, f := range unaryFunctions {
		for d, rows := range table[name] {
			t.Run(fmt.Sprintf("%s/%s", name, d), func(t *testing.T) {
				x := pointsOf(rows, 0, d)
				for way, of := range derivativeWays {
					column(t, name, way, d, rows, 0, of(f)(x))
				}
				for _, w := range secondWays {
					g := derivativeWays[w[0]](derivativeWays[w[1]](f))
					if w[0] == "vmap" { // of a function of an element
						g = nx.Vmap(along(along(f)))
					} else if w[1] == "vmap" {
						g = nx.Grad(nx.Vmap(nx.Grad(f)))
					}
					column(t, name, w[0]+" over "+w[1], d, rows, 1, g(x))
				}
			})
		}
	}
	for name, f := range binaryFunctions {
		for d, rows := range table[name] {
			t.Run(fmt.Sprintf("%s/%s", name, d), func(t *testing.T) {
				x, y := pointsOf(rows, 0, d), pointsOf(rows, 1, d)
				byX := func(of string, f binaryFunc) binaryFunc {
					return func(x, y nx.Tensor) nx.Tensor {
						return derivativeWays[of](func(x nx.Tensor) nx.Tensor { return f(x, y) })(x)
					}
				}
				byY := func(of string, f binaryFunc) binaryFunc {
					return func(x, y nx.Tensor) nx.Tensor {
						return derivativeWays[of](func(y nx.Tensor) nx.Tensor { return f(x, y) })(y)
					}
				}
				for _, w := range secondWays[:4] {
					way := w[0] + " over " + w[1]
					if rows[0].want[0] != "-" {
						column(t, name, w[1], d, rows, 0, byX(w[1], f)(x, y))
						column(t, name, way, d, rows, 2, byX(w[0], byX(w[1], f))(x, y))
						column(t, name, way, d, rows, 3, byX(w[0], byY(w[1], f))(x, y))
						column(t, name, way, d, rows, 3, byY(w[0], byX(w[1], f))(x, y))
					}
					column(t, name, w[1], d, rows, 1, byY(w[1], f)(x, y))
					column(t, name, way, d, rows, 4, byY(w[0], byY(w[1], f))(x, y))
				}
			})
		}
	}
}

// TestSecondDerivativesOfComplex holds those of complex functions on the real axis against the same
// rows, where the functions of real numbers are smooth: what cancels there cancels here.
func TestSecondDerivativesOfComplex(t *testing.T) {
	table := readDerivatives(t)
	for _, name := range []string{"Exp", "Expm1", "Log", "Log1p", "Sigmoid", "Sin", "Cos", "Tan", "Sinh", "Cosh",
		"Tanh", "Asin", "Acos", "Atan", "Asinh", "Atanh", "Sqrt", "Rsqrt", "Cbrt", "Square"} {
		for d, rows := range table[name] {
			rows = slices.DeleteFunc(slices.Clone(rows), func(r derivativesAt) bool {
				x := math.Abs(r.point[0])
				least := 1e-12 // powers of x⁻¹ leave the range of complex quotients sooner
				if name == "Tanh" || name == "Sigmoid" || name == "Asin" || name == "Acos" || name == "Atanh" {
					least = 0
				}
				return !(x > least && x <= 0.5) || r.point[0] < 0 && (name == "Cbrt" || name == "Rsqrt")
			})
			f := unaryFunctions[name]
			z := nx.Cast(pointsOf(rows, 0, d), d.Complex())
			column(t, name, "complex, forward", d, rows, 0, nx.Real(along(f)(z)))
			column(t, name, "complex, forward over forward", d, rows, 1, nx.Real(along(along(f))(z)))
			re := func(f unaryFunc) unaryFunc { return func(z nx.Tensor) nx.Tensor { return nx.Real(f(z)) } }
			column(t, name, "complex, reverse over reverse", d, rows, 1, nx.Real(nx.Grad(re(nx.Grad(re(f))))(z)))
		}
	}
}

func pointsOf(rows []derivativesAt, i int, d nx.DType) nx.Tensor {
	points := make([]float64, len(rows))
	for k, r := range rows {
		points[k] = r.point[i]
	}
	return nx.Cast(nx.New(points), d)
}

// derivativesOfOps says which rows check the derivatives of an elementwise op.
var derivativesOfOps = map[stablehlo.OpCode]string{
	stablehlo.OpAbs: "Abs", stablehlo.OpAdd: "Add", stablehlo.OpAtan2: "Atan2", stablehlo.OpCbrt: "Cbrt",
	stablehlo.OpComplex: "Abs(Complex)", stablehlo.OpCosine: "Cos", stablehlo.OpDivide: "Div",
	stablehlo.OpExponential: "Exp", stablehlo.OpExponentialMinusOne: "Expm1", stablehlo.OpLog: "Log",
	stablehlo.OpLogPlusOne: "Log1p", stablehlo.OpLogistic: "Sigmoid", stablehlo.OpMaximum: "Maximum",
	stablehlo.OpMinimum: "Minimum", stablehlo.OpMultiply: "Mul", stablehlo.OpNegate: "Neg", stablehlo.OpPower: "Pow",
	stablehlo.OpRemainder: "Remainder", stablehlo.OpRsqrt: "Rsqrt", stablehlo.OpSine: "Sin", stablehlo.OpSqrt: "Sqrt",
	stablehlo.OpSubtract: "Sub", stablehlo.OpTan: "Tan", stablehlo.OpTanh: "Tanh",

	stablehlo.OpChloAcos: "Acos", stablehlo.OpChloAcosh: "Acosh", stablehlo.OpChloAsin: "Asin",
	stablehlo.OpChloAsinh: "Asinh", stablehlo.OpChloAtan: "Atan", stablehlo.OpChloAtanh: "Atanh",
	stablehlo.OpChloBesselI1e: "BesselI1e", stablehlo.OpChloCosh: "Cosh", stablehlo.OpChloDigamma: "Digamma",
	stablehlo.OpChloErf: "Erf", stablehlo.OpChloErfc: "Erfc", stablehlo.OpChloErfInv: "ErfInv",
	stablehlo.OpChloLgamma: "Lgamma", stablehlo.OpChloNextAfter: "chlo.next_after",
	stablehlo.OpChloPolygamma: "chlo.polygamma", stablehlo.OpChloSinh: "Sinh", stablehlo.OpChloSquare: "Square",
	stablehlo.OpChloTan: "Tan", stablehlo.OpChloZeta: "chlo.zeta", stablehlo.OpNxBesselI0e: "BesselI0e",
}

// derivedAsOthers lists elementwise ops and functions whose derivatives are not formulas.
var derivedAsOthers = map[string]string{
	"stablehlo.clamp": "a choice", "stablehlo.select": "a choice", "stablehlo.convert": "linear",
	"Real": "linear", "Imag": "linear", "Conj": "linear", "Cast": "linear",
	"Phase": "Atan2 of the parts", "Complex": "of Abs(Complex)",
	"Sign": "constant", "Floor": "constant", "Ceil": "constant", "Round": "constant", "RoundEven": "constant",
	"LogicalNot": "no floats", "BitwiseNot": "no floats", "OnesCount": "no floats",
	"LeadingZeros": "no floats",
	"IsFinite":     "no floats", "IsInf": "no floats", "IsNaN": "no floats", "Quotient": "no floats",
	"BitwiseAnd": "no floats", "BitwiseOr": "no floats", "BitwiseXor": "no floats", "LeftShift": "no floats",
	"RightShift": "no floats", "Equal": "no floats", "NotEqual": "no floats", "Less": "no floats",
	"LessEqual": "no floats", "Greater": "no floats", "GreaterEqual": "no floats", "LogicalAnd": "no floats",
	"LogicalOr": "no floats", "LogicalXor": "no floats",
	"CrossEntropy": "no elementwise function", "LayerNorm": "no elementwise function",
	"NonZero": "no elementwise function",
}

// Every elementwise op that has a derivative, and every elementwise function, has rows.
func TestSecondDerivativesAreComplete(t *testing.T) {
	table := readDerivatives(t)
	check := func(what, row string) {
		if derivedAsOthers[what] == "" && (len(table[row][nx.F64]) < 5 || len(table[row][nx.F32]) < 5) {
			t.Errorf("no second derivatives of %s in testdata/second_derivatives.txt", what)
		}
	}
	for code, info := range stablehlo.Ops() {
		kind := autodiff.RuleOf(code).Kind
		if info.Traits&stablehlo.Elementwise != 0 && (kind == autodiff.Formula || kind == autodiff.CustomRow) {
			check(info.Name, derivativesOfOps[code])
		}
	}
	for _, file := range []string{"unary.go", "binary.go", "activation.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), testkit.Root(t, "internal", "core", file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.IsExported() {
				check(fn.Name.Name, fn.Name.Name)
			}
		}
	}
	for name := range table {
		if unaryFunctions[name] == nil && binaryFunctions[name] == nil {
			t.Errorf("%s has rows, but is not checked", name)
		}
	}
}
