package nx_test

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// These rules compute the expected result from the definition.

var constantsRule = nxRule{name: "constants",
	reason: "constants of bf16 and of f8 types are rounded to nearest, where Nx cuts them off and has the bits of another " +
		"type for f8_e4m3fn",
	maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
		bits, ok := c.constant("Constants.", "")
		if !ok || want.DType() != got.DType() {
			return want, got, false
		}
		return nx.Reshape(nx.FromBytes(bits, nx.Shape{}, got.DType()), want.Shape()...), got, true
	},
	other: func(c *recorded, want, got any) (any, any, bool) {
		bits, ok := c.constant("Type.", "_binary")
		return string(bits), got, ok
	}}

// constant returns the bits of the requested constant, in one of two types.
func (c *recorded) constant(before, after string) ([]byte, bool) {
	if len(c.Args) != 1 || !strings.HasPrefix(c.name(), before) {
		return nil, false
	}
	d := dtypeOf(c.Args[0])
	bits, ok := map[nx.DType]map[string][]byte{
		nx.BF16:     {"e": {0x2e, 0x40}, "euler_gamma": {0x14, 0x3f}},
		nx.F8E5M2:   {"euler_gamma": {0x39}},
		nx.F8E4M3FN: {"e": {0x43}, "pi": {0x45}, "euler_gamma": {0x31}, "epsilon": {0x20}},
	}[d][strings.TrimSuffix(strings.TrimPrefix(c.name(), before), after)]
	return bits, ok
}

var bf16Rule = nxRule{name: "bf16",
	reason: "bf16 in several steps is rounded once, where Nx truncates after each: variances, and " +
		"draws, by less than a step of the uniform number they are made of",
	maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
		if want.DType() != nx.BF16 || got.DType() != nx.BF16 {
			return want, got, false
		}
		spread := 1.0
		switch c.name() {
		case "variance":
			x := nx.Cast(c.t(0), nx.F64)
			return nx.Cast(nx.Mean(nx.Square(nx.Sub(x, nx.Mean(x)))), nx.BF16), got, len(c.Opts) == 0
		case "Random.normal", "Random.gumbel":
		case "Random.normal_split":
			spread = floatOf(c.Args[2])
		default:
			return want, got, false
		}
		close := nx.LessEqual(nx.Abs(nx.Sub(nx.Cast(want, nx.F32), nx.Cast(got, nx.F32))), spread/64)
		return nx.Where(close, got, want), got, true
	}}

var windowsRule = nxRule{name: "windows",
	reason: "of equal elements of a window the first counts, as in XLA, and padding never, where Nx takes the last, and " +
		"zeros of padding",
	maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
		if c.name() != "window_scatter_min" || want.DType() != got.DType() || c.t(0).Rank() != 2 {
			return want, got, false
		}
		size, strides := ints(c.Args[3]), []int{1, 1}
		for _, o := range c.Opts {
			if o.key == "strides" {
				strides = ints(o.value)
			}
		}
		shape, windows := c.t(0).Shape(), c.t(1).Shape()
		x, source := nx.Data[float64](c.t(0)), nx.Data[float64](c.t(1))
		out := slices.Repeat([]float64{floatOf(c.Args[2])}, len(x))
		var before [2]int // the missing windows are padding, half of it at the start
		for i := range before {
			before[i] = max(0, (windows[i]-1)*strides[i]+size[i]-shape[i]) / 2
		}
		for w, v := range source {
			top, left := w/windows[1]*strides[0]-before[0], w%windows[1]*strides[1]-before[1]
			best := -1
			for i := max(0, top); i < min(top+size[0], shape[0]); i++ {
				for j := max(0, left); j < min(left+size[1], shape[1]); j++ {
					if at := i*shape[1] + j; best < 0 || x[at] < x[best] {
						best = at
					}
				}
			}
			out[best] += v
		}
		return nx.Cast(nx.FromSlice(out, shape), want.DType()), got, true
	}}

var signedRule = nxRule{name: "signed",
	reason: "u64 with a signed type becomes s64 before the computation, where Nx computes with integers of any size",
	maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
		f := signedFunctions[c.name()]
		if f == nil || got.DType() != nx.S64 || len(want.Vectors()) > 0 {
			return want, got, false
		}
		var args [2][]int64
		unsigned := false
		for i := range args {
			t := c.t(i)
			unsigned = unsigned || t.DType() == nx.U64
			args[i] = nx.Data[int64](nx.Cast(nx.BroadcastTo(nx.Rename(t), want.Shape()...), nx.S64))
		}
		w := make([]int64, want.Size())
		for i := range w {
			w[i] = f(args[0][i], args[1][i])
		}
		return like(want, nx.New(w)), got, unsigned
	}}

// signedFunctions are functions of two integers whose results the kind of the operands changes.
var signedFunctions = map[string]func(x, y int64) int64{
	"quotient": func(x, y int64) int64 {
		if y == 0 {
			return -1
		}
		return x / y
	},
	"remainder": func(x, y int64) int64 {
		if y == 0 {
			return x
		}
		return x % y
	},
	"max": func(x, y int64) int64 { return max(x, y) },
	"min": func(x, y int64) int64 { return min(x, y) },
	"right_shift": func(x, y int64) int64 {
		return x >> min(uint64(y), 63) // a negative count is as a large one
	},
	"pow": signedPower,
}

// signedPower wraps around; of a negative power it is the fraction cut off.
func signedPower(x, y int64) int64 {
	switch {
	case y < 0 && x == -1:
		return 1 - 2*(y&1)
	case y < 0 && x != 1:
		return 0
	case y < 0:
		return 1
	}
	out := int64(1)
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			out *= x
		}
		x *= x
	}
	return out
}

var mergedRule = nxRule{name: "merged vectors",
	reason: "vectorised axes are merged by name, where Nx exchanges elements when the second operand has them in " +
		"another order",
	maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
		a, b := c.t(0), c.t(1)
		if len(c.Args) != 2 || len(a.Vectors()) == 0 || len(b.Vectors()) < 2 || want.DType() != got.DType() {
			return want, got, false
		}
		plain, order := nx.Devectorize(b), make([]int, 0, b.Rank())
		for _, v := range want.Vectors() {
			order = append(order, slices.Index(plain.Names(), v.Name))
		}
		if slices.Contains(order, -1) {
			return want, got, false
		}
		for i := len(order); i < plain.Rank(); i++ {
			order = append(order, i)
		}
		ordered := nx.Transpose(plain, nx.Axis(order...))
		for _, v := range want.Vectors() {
			ordered = nx.Vectorize(ordered, v.Name)
		}
		same := *c
		same.Args = []any{a, ordered}
		out, ok := nxCalls[c.name()](&same).(nx.Tensor)
		return out, got, ok
	}}

var oneAxisRule = nxRule{name: "one axis",
	reason: "the norm along one axis is that of vectors, where Nx gives the norm of the matrix",
	maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
		if c.name() != "LinAlg.norm" || want.Rank() != 0 || got.Rank() != 1 {
			return want, got, false
		}
		o := c.options("axes", "ord")
		sums := nx.Sum(nx.Abs(c.t(0)), axesOf(c.t(0), o["axes"]))
		return sums, got, o["ord"] == int64(1) && nx.ArrayEqual(nx.Max(sums), want)
	}}

var eachMatrixRule = nxRule{name: "each matrix",
	reason: "the pseudo-inverse of a batch is that of each matrix, where Nx multiplies factors of one by those of all",
	maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
		if c.name() != "LinAlg.pinv" || got.Rank() != 3 || want.Rank() != 4 {
			return want, got, false
		}
		var each []nx.Tensor
		for i := range got.Shape()[0] {
			each = append(each, want.At(i, nx.Whole, i))
		}
		return nx.Stack(each), got, true
	}}

var refusedRule = nxRule{name: "refused",
	reason: "what has no meaning is refused: an index that is not an integer, a range without a number to draw, an option " +
		"that there is not, two axes of one name",
	refuses: func(c *recorded, err error) bool {
		var compiler *refused
		switch {
		case c.name() == "to_batched":
			return errors.As(err, &compiler)
		case strings.HasPrefix(c.name(), "arg"):
			return errors.Is(err, nx.ErrDType) && dtypeOf(c.options("type")["type"]).IsFloat()
		case c.name() == "Random.randint":
			return errors.Is(err, nx.ErrValue) && toInt(c.Args[1]) >= toInt(c.Args[2])
		}
		return false
	}}

var triangleRule = nxRule{name: "triangle",
	reason: "only the lower triangle of a Hermitian matrix is read, where Nx also iterates on other matrices"}

// lowerOnly is a call with a matrix that is not Hermitian, replaced by the Hermitian one with its lower
// triangle.
func (c *recorded) lowerOnly() (*recorded, bool) {
	if c.name() != "LinAlg.eigh" {
		return c, false
	}
	a := c.t(0)
	hermitian := nx.Add(nx.Tril(a, 0), linalg.Adjoint(nx.Tril(a, -1)))
	same := *c
	same.Args = append([]any{hermitian}, c.Args[1:]...)
	return &same, !near(a, hermitian)
}
