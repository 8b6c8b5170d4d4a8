// Package growth generates programs of any size, of many shapes, to measure the exponent with which
// compilation work grows with the size.
package growth

import (
	"fmt"
	"strings"
)

// Family generates programs of one shape and any size, so that a superlinear stage of the compiler
// shows as superlinear work.
type Family struct {
	Name string
	Size int // the smaller measured size; the larger is Growth times that
	Text func(n int) string
	// Gradient is whether the program is differentiable.
	Gradient bool
	// MaxSize is the largest size that the parser accepts, 0 if it accepts all.
	MaxSize int
	// Mapped is whether it is also measured for a batch of arguments.
	Mapped bool
	// Extra is the allowed superlinear exponent of a stage, for programs that require it.
	Extra map[string]float64
}

// Growth is the ratio of the two sizes of a family.
const Growth = 4

// nested is for nested ops. Reversing a loop runs its body forwards once more: the size of the
// derivative is quadratic in the depth.
var nested = map[string]float64{"derive": 0.6, "verify derivative": 0.6, "compile derivative": 0.9}

// program is a builder for the text of a function of floats.
type program struct{ strings.Builder }

const scaledType = "tensor<8xf32>"

// add writes an op, with its operands formatted.
func (p *program) add(format string, args ...any) { fmt.Fprintf(p, "  "+format+"\n", args...) }

// main returns the text of @main with the written ops, which returns the given values.
func (p *program) main(args int, results ...string) string {
	var in, types []string
	for i := range args {
		in = append(in, fmt.Sprintf("%%arg%d: %s", i, scaledType))
	}
	for range results {
		types = append(types, scaledType)
	}
	return fmt.Sprintf("func.func @main(%s) -> (%s) {\n%s  return %s : %s\n}\n", strings.Join(in, ", "),
		strings.Join(types, ", "),
		p.String(), strings.Join(results, ", "), strings.Join(types, ", "))
}

// list returns n items with a separator, each of which is the format of its number.
func list(n int, separator, format string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
	}
	return strings.Join(out, separator)
}

// Families are the shapes of programs whose compilation cost is bounded.
var Families = []Family{
	{"chain", 1000, func(n int) string {
		p := &program{}
		at := "%arg0"
		for i := range n {
			p.add("%%c%d = stablehlo.%s %s : %s", i, []string{"sine", "tanh", "negate"}[i%3], at, scaledType)
			at = fmt.Sprintf("%%c%d", i)
		}
		return p.main(1, at)
	}, true, 0, false, nil},
	{"wide", 1000, func(n int) string {
		p := &program{}
		at := "%arg0"
		for i := range n {
			p.add("%%k%d = stablehlo.constant dense<%d.0> : %s", i, i, scaledType)
			p.add("%%w%d = stablehlo.add %%arg0, %%k%d : %s", i, i, scaledType)
			p.add("%%s%d = stablehlo.sine %%w%d : %s", i, i, scaledType)
		}
		for i := range n {
			p.add("%%t%d = stablehlo.multiply %s, %%s%d : %s", i, at, i, scaledType)
			at = fmt.Sprintf("%%t%d", i)
		}
		return p.main(1, at)
	}, true, 0, false, nil},
	{"halving uses", 1000, func(n int) string { // each value and the one at half its index
		p := &program{}
		p.add("%%d0 = stablehlo.sine %%arg0 : %s", scaledType)
		for i := 1; i <= n; i++ {
			p.add("%%d%d = stablehlo.add %%d%d, %%d%d : %s", i, i-1, i/2, scaledType)
		}
		return p.main(1, fmt.Sprintf("%%d%d", n))
	}, true, 0, false, nil},
	{"distant uses", 1000, func(n int) string {
		p := &program{}
		seed := uint32(1)
		p.add("%%d0 = stablehlo.sine %%arg0 : %s", scaledType)
		for i := 1; i <= n; i++ {
			seed = seed*1664525 + 1013904223
			p.add("%%d%d = stablehlo.%s %%d%d, %%d%d : %s", i, []string{"add", "multiply", "subtract"}[i%3],
				i-1, int(seed>>8)%i, scaledType)
		}
		return p.main(1, fmt.Sprintf("%%d%d", n))
	}, true, 0, false, nil},
	{"many results", 500, func(n int) string {
		p := &program{}
		at := "%arg0"
		var results []string
		for i := range n {
			p.add("%%c%d = stablehlo.sine %s : %s", i, at, scaledType)
			at = fmt.Sprintf("%%c%d", i)
			results = append(results, at)
		}
		return p.main(1, results...)
	}, true, 0, false, nil},
	{"reductions and broadcasts", 300, func(n int) string {
		p := &program{}
		p.add("%%z = stablehlo.constant dense<0.0> : tensor<f32>")
		at := "%arg0"
		for i := range n {
			p.add(
				"%%r%d = stablehlo.reduce(%s init: %%z) applies stablehlo.add across dimensions = [0] : (%s, tensor<f32>) -> tensor<f32>", i, at, scaledType)
			p.add("%%b%d = stablehlo.broadcast_in_dim %%r%d, dims = [] : (tensor<f32>) -> %s", i, i, scaledType)
			p.add("%%x%d = stablehlo.subtract %s, %%b%d : %s", i, at, i, scaledType)
			at = fmt.Sprintf("%%x%d", i)
		}
		return p.main(1, at)
	}, true, 0, false, nil},
	{"matrix products", 300, func(n int) string {
		p := &program{}
		p.add("%%m = stablehlo.broadcast_in_dim %%arg0, dims = [1] : (%s) -> tensor<8x8xf32>", scaledType)
		at := "%arg0"
		for i := range n {
			p.add("%%p%d = stablehlo.dot_general %s, %%m, contracting_dims = [0] x [0] : (%s, tensor<8x8xf32>) -> %s",
				i, at, scaledType, scaledType)
			p.add("%%t%d = stablehlo.tanh %%p%d : %s", i, i, scaledType)
			at = fmt.Sprintf("%%t%d", i)
		}
		return p.main(1, at)
	}, true, 0, false, nil},
	{"views", 500, func(n int) string {
		p := &program{}
		at := "%arg0"
		for i := range n {
			p.add("%%r%d = stablehlo.reverse %s, dims = [0] : %s", i, at, scaledType)
			p.add("%%m%d = stablehlo.reshape %%r%d : (%s) -> tensor<2x4xf32>", i, i, scaledType)
			p.add("%%t%d = stablehlo.transpose %%m%d, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>", i, i)
			p.add("%%f%d = stablehlo.reshape %%t%d : (tensor<4x2xf32>) -> %s", i, i, scaledType)
			p.add("%%a%d = stablehlo.add %%f%d, %s : %s", i, i, at, scaledType)
			at = fmt.Sprintf("%%a%d", i)
		}
		return p.main(1, at)
	}, true, 0, false, nil},
	{"differences of neighbours", 200, func(n int) string { // each op reads two slices of the one before
		p := &program{}
		size := n + 8
		p.add("%%e0 = stablehlo.broadcast_in_dim %%arg0, dims = [0] : (%s) -> tensor<8x%dxf32>", scaledType, size)
		for i := range n {
			m := size - i
			p.add("%%a%d = stablehlo.slice %%e%d [0:8, 0:%d] : (tensor<8x%dxf32>) -> tensor<8x%dxf32>", i, i, m-1, m, m-1)
			p.add("%%b%d = stablehlo.slice %%e%d [0:8, 1:%d] : (tensor<8x%dxf32>) -> tensor<8x%dxf32>", i, i, m, m, m-1)
			p.add("%%e%d = stablehlo.subtract %%a%d, %%b%d : tensor<8x%dxf32>", i+1, i, i, m-1)
		}
		p.add("%%r = stablehlo.slice %%e%d [0:8, 0:1] : (tensor<8x8xf32>) -> tensor<8x1xf32>", n)
		p.add("%%s = stablehlo.reshape %%r : (tensor<8x1xf32>) -> %s", scaledType)
		return p.main(1, "%s")
	}, true, 0, false, nil},
	{"elements of a window", 64, func(n int) string { // reduced by doubling: slices of slices
		p := &program{}
		p.add("%%z = stablehlo.constant dense<0.0> : tensor<f32>")
		p.add("%%e = stablehlo.broadcast_in_dim %%arg0, dims = [0] : (%s) -> tensor<8x%dxf32>", scaledType, n)
		p.add("%%w = \"stablehlo.reduce_window\"(%%e, %%z) ({")
		p.add("^bb0(%%a: tensor<f32>, %%b: tensor<f32>):")
		p.add("  %%d = stablehlo.subtract %%a, %%b : tensor<f32>")
		p.add("  %%f = stablehlo.abs %%d : tensor<f32>")
		p.add("  stablehlo.return %%f : tensor<f32>")
		p.add("}) {window_dimensions = array<i64: 1, %d>} : (tensor<8x%dxf32>, tensor<f32>) -> tensor<8x1xf32>", n, n)
		p.add("%%s = stablehlo.reshape %%w : (tensor<8x1xf32>) -> %s", scaledType)
		return p.main(1, "%s")
	}, false, 0, false, nil},
	{"updates of slices", 300, func(n int) string {
		p := &program{}
		p.add("%%i = stablehlo.constant dense<3> : tensor<i32>")
		at := "%arg0"
		for i := range n {
			p.add("%%s%d = stablehlo.slice %s [1:3] : (%s) -> tensor<2xf32>", i, at, scaledType)
			p.add("%%u%d = stablehlo.dynamic_update_slice %s, %%s%d, %%i : (%s, tensor<2xf32>, tensor<i32>) -> %s", i,
				at, i, scaledType, scaledType)
			at = fmt.Sprintf("%%u%d", i)
		}
		return p.main(1, at)
	}, true, 0, false, nil},
	{"nested loops", 12, func(n int) string { return nestedLoops(n) }, true, 190, false, nested},
	{"loops", 100, func(n int) string {
		p := &program{}
		at := "%arg0"
		loopCounts(p)
		for i := range n {
			p.add("%%l%d:2 = stablehlo.while(%%i%d = %%zero, %%v%d = %s) : tensor<i32>, %s", i, i, i, at, scaledType)
			p.add("cond { %%p = stablehlo.compare LT, %%i%d, %%three : (tensor<i32>, tensor<i32>) -> tensor<i1>", i)
			p.add("  stablehlo.return %%p : tensor<i1> }")
			p.add("do { %%j = stablehlo.add %%i%d, %%one : tensor<i32>", i)
			p.add("  %%s = stablehlo.sine %%v%d : %s", i, scaledType)
			p.add("  stablehlo.return %%j, %%s : tensor<i32>, %s }", scaledType)
			at = fmt.Sprintf("%%l%d#1", i)
		}
		return p.main(1, at)
	}, true, 0, false, nil},
	{"state of a loop", 200, func(n int) string {
		p := &program{}
		loopCounts(p)
		p.add("%%l:%d = stablehlo.while(%%i = %%zero, %s) : tensor<i32>, %s", n+1, list(n, ", ", "%v# = %arg0"),
			list(n, ", ", scaledType))
		p.add("cond { %%p = stablehlo.compare LT, %%i, %%three : (tensor<i32>, tensor<i32>) -> tensor<i1>")
		p.add("  stablehlo.return %%p : tensor<i1> }")
		p.add("do { %%j = stablehlo.add %%i, %%one : tensor<i32>")
		for i := range n { // each uses the one before: liveness propagates from the last
			p.add("  %%n%d = stablehlo.add %%v%d, %%v%d : %s", i, i, max(0, i-1), scaledType)
		}
		p.add("  stablehlo.return %%j, %s : tensor<i32>, %s }", list(n, ", ", "%n#"), list(n, ", ", scaledType))
		return p.main(1, fmt.Sprintf("%%l#%d", n))
	}, true, 0, false, nil},
	{"nested branches", 16, func(n int) string {
		p := &program{}
		p.add("%%z = stablehlo.constant dense<0.0> : tensor<f32>")
		p.add(
			"%%r = stablehlo.reduce(%%arg0 init: %%z) applies stablehlo.add across dimensions = [0] : (%s, tensor<f32>) -> tensor<f32>", scaledType)
		p.add("%%p = stablehlo.compare GT, %%r, %%z : (tensor<f32>, tensor<f32>) -> tensor<i1>")
		var nest func(depth int, in string) string
		nest = func(depth int, in string) string {
			out := fmt.Sprintf("%%b%d", depth)
			p.add("%%s%d = stablehlo.sine %s : %s", depth, in, scaledType)
			if depth == n {
				return fmt.Sprintf("%%s%d", depth)
			}
			p.add("%s = \"stablehlo.if\"(%%p) ({", out)
			inner := nest(depth+1, fmt.Sprintf("%%s%d", depth))
			p.add("stablehlo.return %s : %s", inner, scaledType)
			p.add("}, { stablehlo.return %%s%d : %s }) : (tensor<i1>) -> %s", depth, scaledType, scaledType)
			return out
		}
		return p.main(1, nest(0, "%arg0"))
	}, true, 190, false, nested},
	{"branches", 200, func(n int) string {
		p := &program{}
		p.add("%%i = stablehlo.constant dense<1> : tensor<i32>")
		p.add("%%o = stablehlo.optimization_barrier %%i : tensor<i32>")
		p.add("%%c = \"stablehlo.case\"(%%o) ({")
		for i := range n {
			if i > 0 {
				p.add("}, {")
			}
			p.add("%%s = stablehlo.sine %%arg0 : %s", scaledType)
			p.add("stablehlo.return %%s : %s", scaledType)
		}
		p.add("}) : (tensor<i32>) -> %s", scaledType)
		return p.main(1, "%c")
	}, true, 0, false, nil},
	// From 256 on Go allocates the operand numbers in messages.
	{"operands of a reduction", 300, func(n int) string {
		p := &program{}
		p.add("%%z = stablehlo.constant dense<0.0> : tensor<f32>")
		p.add("%%r:%d = \"stablehlo.reduce\"(%s, %s) ({", n, list(n, ", ", "%arg#"), list(n, ", ", "%z"))
		p.add("^bb0(%s, %s):", list(n, ", ", "%a#: tensor<f32>"), list(n, ", ", "%b#: tensor<f32>"))
		for i := range n {
			p.add("%%s%d = stablehlo.add %%a%d, %%b%d : tensor<f32>", i, i, i)
		}
		p.add("stablehlo.return %s : %s", list(n, ", ", "%s#"), list(n, ", ", "tensor<f32>"))
		p.add("}) {dimensions = array<i64: 0>} : (%s, %s) -> (%s)", list(n, ", ", scaledType),
			list(n, ", ", "tensor<f32>"),
			list(n, ", ", "tensor<f32>"))
		for i := range n {
			p.add("%%x%d = stablehlo.broadcast_in_dim %%r#%d, dims = [] : (tensor<f32>) -> %s", i, i, scaledType)
		}
		var results []string
		for i := range n {
			results = append(results, fmt.Sprintf("%%x%d", i))
		}
		return p.main(n, results...)
	}, false, 0, false, nil},
	{"operands of a sort", 100, func(n int) string {
		p := &program{}
		p.add("%%r:%d = \"stablehlo.sort\"(%s) ({", n, list(n, ", ", "%arg#"))
		p.add("^bb0(%s):", list(n, ", ", "%a#: tensor<f32>, %b#: tensor<f32>"))
		p.add("%%s = stablehlo.compare LT, %%a0, %%b0 : (tensor<f32>, tensor<f32>) -> tensor<i1>")
		p.add("stablehlo.return %%s : tensor<i1>")
		p.add("}) {dimension = 0 : i64, is_stable = true} : (%s) -> (%s)", list(n, ", ", scaledType),
			list(n, ", ", scaledType))
		var results []string
		for i := range n {
			results = append(results, fmt.Sprintf("%%r#%d", i))
		}
		return p.main(n, results...)
	}, true, 0, false, nil},
	{"operands of a concatenation", 200, func(n int) string {
		p := &program{}
		p.add("%%c = stablehlo.concatenate %s, dim = 0 : (%s) -> tensor<%dxf32>", list(n, ", ", "%arg#"),
			list(n, ", ", scaledType), 8*n)
		p.add("%%s = stablehlo.slice %%c [8:16] : (tensor<%dxf32>) -> %s", 8*n, scaledType)
		return p.main(n, "%s")
	}, true, 0, false, nil},
	{"arguments", 500, func(n int) string {
		p := &program{}
		at := "%arg0"
		for i := 1; i < n; i++ {
			p.add("%%s%d = stablehlo.add %s, %%arg%d : %s", i, at, i, scaledType)
			at = fmt.Sprintf("%%s%d", i)
		}
		return p.main(n, at)
	}, true, 0, false, nil},
	{"constants", 500, func(n int) string {
		p := &program{}
		at := "%arg0"
		for i := range n {
			p.add("%%k%d = stablehlo.constant dense<[%s]> : %s", i, list(8, ", ", fmt.Sprintf("%d.#", i)), scaledType)
			p.add("%%a%d = stablehlo.add %s, %%k%d : %s", i, at, i, scaledType)
			at = fmt.Sprintf("%%a%d", i)
		}
		return p.main(1, at)
	}, true, 0, false, nil},
	{"ops on constants", 500, func(n int) string {
		p := &program{}
		p.add("%%k = stablehlo.constant dense<[%s]> : %s", list(8, ", ", "1.#"), scaledType)
		at := "%k"
		for i := range n {
			p.add("%%a%d = stablehlo.sine %s : %s", i, at, scaledType)
			at = fmt.Sprintf("%%a%d", i)
		}
		p.add("%%r = stablehlo.add %%arg0, %s : %s", at, scaledType)
		return p.main(1, "%r")
	}, true, 0, false, nil},
	{"elements of a constant", 20000, func(n int) string {
		p := &program{}
		p.add("%%k = stablehlo.constant dense<[%s]> : tensor<%dxf32>", list(n, ", ", "0.#"), n)
		p.add("%%s = stablehlo.slice %%k [0:8] : (tensor<%dxf32>) -> %s", n, scaledType)
		p.add("%%r = stablehlo.add %%arg0, %%s : %s", scaledType)
		return p.main(1, "%r")
	}, true, 0, false, nil},
	{"calls of a function", 300, func(n int) string {
		p := &program{}
		at := "%arg0"
		for i := range n {
			p.add("%%a%d = func.call @f(%s) : (%s) -> %s", i, at, scaledType, scaledType)
			at = fmt.Sprintf("%%a%d", i)
		}
		return p.main(1, at) + fmt.Sprintf(`func.func private @f(%%x: %[1]s) -> %[1]s {
  %%s = stablehlo.sine %%x : %[1]s
  return %%s : %[1]s
}
`, scaledType)
	}, true, 0, false, nil},
	{"functions that call the next", 300, func(n int) string {
		p := &program{}
		p.add("%%a = func.call @f0(%%arg0) : (%[1]s) -> %[1]s", scaledType)
		text := p.main(1, "%a")
		for i := range n {
			f := &program{}
			f.add("%%s = stablehlo.sine %%x : %s", scaledType)
			at := "%s"
			if i < n-1 {
				f.add("%%c = func.call @f%d(%%s) : (%s) -> %s", i+1, scaledType, scaledType)
				at = "%c"
			}
			text += fmt.Sprintf("func.func private @f%d(%%x: %[2]s) -> %[2]s {\n%s  return %s : %[2]s\n}\n",
				i, scaledType, f.String(), at)
		}
		return text
	}, true, 0, false, nil},
	{"ops of a reducer", 200, func(n int) string {
		p := &program{}
		p.add("%%z = stablehlo.constant dense<0.0> : tensor<f32>")
		p.add("%%r = stablehlo.reduce(%%arg0 init: %%z) across dimensions = [0] : (%s, tensor<f32>) -> tensor<f32>",
			scaledType)
		p.add("reducer(%%a: tensor<f32>, %%b: tensor<f32>) {")
		at := "%a"
		for i := range n {
			p.add("%%s%d = stablehlo.add %s, %%b : tensor<f32>", i, at)
			at = fmt.Sprintf("%%s%d", i)
		}
		p.add("stablehlo.return %s : tensor<f32> }", at)
		p.add("%%x = stablehlo.broadcast_in_dim %%r, dims = [] : (tensor<f32>) -> %s", scaledType)
		return p.main(1, "%x")
	}, false, 0, false, nil},
}

// loopCounts writes the constants of a loop with a known trip count.
func loopCounts(p *program) {
	for _, c := range []struct {
		name  string
		value int
	}{{"zero", 0}, {"one", 1}, {"three", 3}} {
		p.add("%%%s = stablehlo.constant dense<%d> : tensor<i32>", c.name, c.value)
	}
}

// nestedLoops returns a program of n nested loops with three trips each.
func nestedLoops(n int) string {
	p := &program{}
	loopCounts(p)
	var loop func(depth int, in string) string
	loop = func(depth int, in string) string {
		p.add("%%s%d = stablehlo.sine %s : %s", depth, in, scaledType)
		if depth == n {
			return fmt.Sprintf("%%s%d", depth)
		}
		p.add("%%l%d:2 = stablehlo.while(%%i%d = %%zero, %%v%d = %%s%d) : tensor<i32>, %s", depth,
			depth, depth, depth, scaledType)
		p.add("cond { %%p = stablehlo.compare LT, %%i%d, %%three : (tensor<i32>, tensor<i32>) -> tensor<i1>", depth)
		p.add("  stablehlo.return %%p : tensor<i1> }")
		p.add("do { %%j%d = stablehlo.add %%i%d, %%one : tensor<i32>", depth, depth)
		inner := loop(depth+1, fmt.Sprintf("%%v%d", depth))
		p.add("  stablehlo.return %%j%d, %s : tensor<i32>, %s }", depth, inner, scaledType)
		return fmt.Sprintf("%%l%d#1", depth)
	}
	return p.main(1, loop(0, "%arg0"))
}
