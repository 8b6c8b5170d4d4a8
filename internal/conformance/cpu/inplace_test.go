package cpu_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestInPlace runs programs of random updates of vectors, by every op that may write in place, in loops and
// branches, with aliases, swapped states and values that are read after an update: on the interpreter, and on
// the CPU compiler, whose plan is checked. Arguments and constants must not change.
func TestInPlace(t *testing.T) {
	runUpdates(t, 1500, 0, func(u *updates, seed uint64) string {
		if seed%3 == 1 {
			u.size = 80 // so that loops keep vectors in memory
		}
		return u.program()
	})
}

// TestEditsInLoops runs loops that update parts of a vector which stays in memory: results computed from parts
// of it, at the same position or an overlapping one, are written in place, without a copy of the part where
// the plan allows it.
func TestEditsInLoops(t *testing.T) {
	runUpdates(t, 600, 1, func(u *updates, seed uint64) string {
		u.size = 80
		if seed%10 == 9 {
			u.size = 3000 // and parts of more than one tile
		}
		return u.edits()
	})
}

// runUpdates compares n random programs, a sixth of them in a short run.
func runUpdates(t *testing.T, n, stream uint64, program func(u *updates, seed uint64) string) {
	t.Setenv("NX_CHECK", "1")
	if testing.Short() {
		n /= 6
	}
	for seed := range n {
		u := &updates{Rand: rand.New(rand.NewPCG(seed, stream)), size: 8}
		text := program(u, seed)
		if err := compareInPlace(text, u.Rand); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
	}
}

// edits returns a program of one loop.
func (u *updates) edits() string {
	v := u.vector()
	u.line("func.func @main(%%a: %[1]s, %%b: %[1]s, %%s: tensor<i32>) -> (%[1]s, tensor<i32>) {", v)
	zero := u.op("stablehlo.constant dense<0> : " + scalarType)
	one := u.op("stablehlo.constant dense<1> : " + scalarType)
	limit := u.op("stablehlo.constant dense<%d> : %s", 1+u.IntN(6), scalarType)
	out := u.name()
	u.line("%s:3 = stablehlo.while(%%i = %s, %%x = %%a, %%y = %%s) : %s, %s, %s cond {", out,
		zero, scalarType, v, scalarType)
	u.line("stablehlo.return %s : tensor<i1>",
		u.op("stablehlo.compare LT, %%i, %s : (%s, %s) -> tensor<i1>", limit, scalarType, scalarType))
	u.line("} do {")
	x, scalars := "%x", []string{"%i", "%y", zero}
	for range 1 + u.IntN(3) {
		at := u.op("stablehlo.%s %s, %s : %s", u.pick([]string{"add", "subtract", "multiply"}), u.pick(scalars),
			u.pick(scalars), scalarType)
		scalars = append(scalars, at)
		x = u.readModifyWrite(x, u.pick([]string{"%b", "%x", x}), at, u.pick(scalars))
	}
	next := u.op("stablehlo.add %%i, %s : %s", one, scalarType)
	u.line("stablehlo.return %s, %s, %s : %s, %s, %s", next, x, u.last(scalars), scalarType, v, scalarType)
	u.line("}")
	u.line("return %[1]s#1, %[1]s#2 : %[2]s, tensor<i32>", out, v)
	return u.text.String() + "}\n"
}

func compareInPlace(text string, r *rand.Rand) error {
	return compareUpdates(text, func(_ int, t *stablehlo.TensorType) []byte {
		n, _ := t.NumElems()
		b := make([]byte, 4*n)
		for i := range n {
			binary.LittleEndian.PutUint32(b[4*i:], uint32(r.IntN(21)-4))
		}
		return b
	})
}

// compareUpdates runs a program on the arguments that arg returns.
func compareUpdates(text string, arg func(i int, t *stablehlo.TensorType) []byte) error {
	m, err := stablehlo.Parse("updates", []byte(text))
	if err != nil {
		return err
	}
	f, _ := m.Func("main")
	var args [][]byte
	for i, t := range f.Type().Ins {
		args = append(args, arg(i, t.(*stablehlo.TensorType)))
	}
	before := slices.Clone(args)
	for i := range before {
		before[i] = slices.Clone(before[i])
	}
	want, err := kit.Run(kit.Oracle, m, args)
	if err != nil {
		return fmt.Errorf("interp: %w", err)
	}
	for _, e := range []conformance.Executor{kit.OneWorker, kit.ThreeWorkers} {
		p, err := e.Load(m)
		if err != nil {
			return err
		}
		for range 2 { // the second run finds the constants as the first has left them
			got, err := kit.RunLoaded(p, m, args)
			if err != nil {
				return fmt.Errorf("cpu: %w", err)
			}
			for i := range want {
				if why := kit.Differs(want[i], got[i].Data); why != "" {
					return fmt.Errorf("result %d: %s", i, why)
				}
			}
		}
		for i := range args {
			if !bytes.Equal(args[i], before[i]) {
				return fmt.Errorf("argument %d has changed", i)
			}
		}
	}
	return nil
}

// updates writes random programs on vectors and scalars, all i32.
type updates struct {
	*rand.Rand
	size  int // of a vector
	text  strings.Builder
	names int
	deep  int // blocks around the current one
}

const scalarType = "tensor<i32>"

func (u *updates) vector() string { return fmt.Sprintf("tensor<%dxi32>", u.size) }

func (u *updates) program() string {
	vectorType := u.vector()
	u.text.WriteString("func.func @main(%a: " + vectorType + ", %b: " + vectorType + ", %s: tensor<i32>) -> (" +
		strings.Join([]string{vectorType, vectorType, vectorType, scalarType}, ", ") + ") {\n")
	elems := make([]string, u.size)
	for i := range elems {
		elems[i] = strconv.Itoa(i)
	}
	elems[0] = strconv.Itoa(u.IntN(9))
	k := u.op("stablehlo.constant dense<[%s]> : %s", strings.Join(elems, ", "), vectorType)
	zero := u.op("stablehlo.constant dense<0> : " + scalarType)
	e := u.steps(env{[]string{"%a", "%b", k}, []string{"%s", zero}}, 3+u.IntN(6))
	u.line("return %s, %s, %s, %s : %s, %s, %s, %s", u.last(e.vectors), u.last(e.vectors),
		u.pick(e.vectors), u.last(e.scalars),
		vectorType, vectorType, vectorType, scalarType)
	return u.text.String() + "}\n"
}

// env is the values that an op may use.
type env struct{ vectors, scalars []string }

func (u *updates) line(format string, args ...any) { fmt.Fprintf(&u.text, "  "+format+"\n", args...) }

func (u *updates) name() string { u.names++; return fmt.Sprintf("%%v%d", u.names) }

func (u *updates) op(format string, args ...any) string {
	v := u.name()
	u.line("%s = %s", v, fmt.Sprintf(format, args...))
	return v
}

func (u *updates) pick(list []string) string { return list[u.IntN(len(list))] }

// last prefers the latest values, so that most of a program is live.
func (u *updates) last(list []string) string {
	return list[len(list)-1-min(u.IntN(len(list)), u.IntN(len(list)), u.IntN(len(list)))]
}

func (u *updates) steps(e env, n int) env {
	vectorType, matrixType := u.vector(), fmt.Sprintf("tensor<2x%dxi32>", u.size/2)
	e = env{slices.Clip(e.vectors), slices.Clip(e.scalars)}
	for range n {
		kind := u.IntN(13)
		if u.deep > 2 {
			kind = u.IntN(9)
		}
		v, w, s := u.last(e.vectors), u.pick(e.vectors), u.last(e.scalars)
		switch kind {
		case 0:
			e.vectors = append(e.vectors,
				u.op("stablehlo.%s %s, %s : %s", u.pick([]string{"add", "xor", "subtract"}), v, w, vectorType))
		case 1:
			e.vectors = append(e.vectors, u.op("stablehlo.reverse %s, dims = [0] : %s", v, vectorType))
		case 2:
			e.vectors = append(e.vectors, u.readModifyWrite(v, w, s, u.pick(e.scalars)))
		case 3, 4:
			e.vectors = append(e.vectors, u.scatter(v, s, u.pick(e.scalars)))
		case 5:
			part := u.op("stablehlo.dynamic_slice %s, %s, sizes = [1] : (%s, %s) -> tensor<1xi32>", v, s, vectorType, scalarType)
			e.scalars = append(e.scalars, u.op("stablehlo.reshape %s : (tensor<1xi32>) -> %s", part, scalarType))
		case 6:
			e.scalars = append(e.scalars, u.op("stablehlo.%s %s, %s : %s",
				u.pick([]string{"add", "subtract", "minimum"}),
				s, u.pick(e.scalars), scalarType))
		case 7: // another name of the same memory
			flat := u.op("stablehlo.reshape %s : (%s) -> %s", v, vectorType, matrixType)
			e.vectors = append(e.vectors, u.op("stablehlo.reshape %s : (%s) -> %s", flat, matrixType, vectorType))
		case 8:
			two := u.twoScatters(v, w, s)
			e.vectors = append(e.vectors, two+"#0", two+"#1")
		case 9, 10:
			e = u.branch(e, s)
		default:
			e = u.loop(e)
		}
	}
	return e
}

// readModifyWrite computes with one or two parts of v or w, which may be the replaced part or overlap it, and
// writes the result into v at s. Parts of the long vectors are often long enough for tiles.
func (u *updates) readModifyWrite(v, w, s, other string) string {
	n := 3
	if u.size > 20 && u.IntN(3) > 0 {
		n = u.size/2 - 20
	}
	partType := fmt.Sprintf("tensor<%dxi32>", n)
	part := func() string {
		of, at := u.pick([]string{v, v, w}), u.pick([]string{s, s, other})
		return u.op("stablehlo.dynamic_slice %s, %s, sizes = [%d] : (%s, %s) -> %s", of, at, n,
			u.vector(), scalarType, partType)
	}
	x, y := part(), ""
	switch u.IntN(6) {
	case 0:
	case 1:
		y = part()
	case 2:
		y = u.op("stablehlo.reverse %s, dims = [0] : %s", x, partType)
	default:
		y = u.op("stablehlo.broadcast_in_dim %s, dims = [] : (%s) -> %s", other, scalarType, partType)
	}
	if y != "" {
		x = u.op("stablehlo.%s %s, %s : %s", u.pick([]string{"add", "subtract", "xor"}), x, y, partType)
	}
	return u.op("stablehlo.dynamic_update_slice %s, %s, %s : (%s, %s, %s) -> %s", v, x, s, u.vector(),
		partType, scalarType, u.vector())
}

func (u *updates) scatter(v, at, update string) string {
	vectorType := u.vector()
	index := u.op("stablehlo.reshape %s : (%s) -> tensor<1xi32>", at, scalarType)
	body := u.pick([]string{"", "add", "maximum", "subtract"})
	out := u.name()
	u.line(
		`%s = "stablehlo.scatter"(%s, %s, %s) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({`, out, v, index, update)
	u.line("^bb0(%%x: %s, %%y: %s):", scalarType, scalarType)
	if body != "" {
		u.line("%%z = stablehlo.%s %%x, %%y : %s", body, scalarType)
		u.line("stablehlo.return %%z : %s", scalarType)
	} else {
		u.line("stablehlo.return %%y : %s", scalarType)
	}
	u.line("}) : (%s, tensor<1xi32>, %s) -> %s", vectorType, scalarType, vectorType)
	return out
}

// twoScatters changes two vectors at once, each by the elements of both.
func (u *updates) twoScatters(v, w, s string) string {
	vectorType := u.vector()
	at := u.op("stablehlo.constant dense<[[%d], [%d]]> : tensor<2x1xi32>", u.IntN(10)-1, u.IntN(8))
	upd := u.op("stablehlo.broadcast_in_dim %s, dims = [] : (%s) -> tensor<2xi32>", s, scalarType)
	out := u.name()
	u.line(
		`%s:2 = "stablehlo.scatter"(%s, %s, %s, %s, %s) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({`, out, v, w, at, upd, upd)
	u.line("^bb0(%%x: %[1]s, %%y: %[1]s, %%p: %[1]s, %%q: %[1]s):", scalarType)
	u.line("%%z = stablehlo.subtract %%y, %%p : %s", scalarType)
	u.line("%%u = stablehlo.add %%x, %%q : %s", scalarType)
	u.line("stablehlo.return %%z, %%u : %[1]s, %[1]s", scalarType)
	u.line("}) : (%[1]s, %[1]s, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>) -> (%[1]s, %[1]s)", vectorType)
	return out
}

// types returns n vector types and a scalar one.
func (u *updates) types(n int) string { return strings.Repeat(u.vector()+", ", n) + scalarType }

// results returns the values that a block ends with: n vectors and a scalar.
func (u *updates) results(e env, n int) string {
	var out []string
	for range n {
		out = append(out, u.last(e.vectors))
	}
	return strings.Join(append(out, u.last(e.scalars)), ", ")
}

func (u *updates) grown(e env, out string, n int) env {
	for i := range n {
		e.vectors = append(e.vectors, fmt.Sprintf("%s#%d", out, i))
	}
	e.scalars = append(e.scalars, fmt.Sprintf("%s#%d", out, n))
	return e
}

func (u *updates) branch(e env, s string) env {
	n, out := 1+u.IntN(2), u.name()
	branches := 2 + u.IntN(2)
	u.line(`%s:%d = "stablehlo.case"(%s) (`, out, n+1, s)
	for i := range branches {
		u.line("{")
		u.deep++
		u.line("stablehlo.return %s : %s", u.results(u.steps(e, u.IntN(3)), n), u.types(n))
		u.deep--
		if i < branches-1 {
			u.line("},")
		}
	}
	u.line("}) : (%s) -> (%s)", scalarType, u.types(n))
	return u.grown(e, out, n)
}

func (u *updates) loop(e env) env {
	n, out, count := 1+u.IntN(3), u.name(), u.name()
	zero := u.op("stablehlo.constant dense<0> : " + scalarType)
	inside := env{slices.Clone(e.vectors), slices.Clone(e.scalars)}
	var inits []string
	for range n {
		a := u.name()
		inits = append(inits, a+" = "+u.last(e.vectors))
		inside.vectors = append(inside.vectors, a)
	}
	a := u.name()
	inits = append(inits, a+" = "+u.last(e.scalars), count+" = "+zero)
	inside.scalars = append(inside.scalars, a, count)
	all := u.types(n) + ", " + scalarType
	u.line("%s:%d = stablehlo.while(%s) : %s cond {", out, n+2, strings.Join(inits, ", "), all)
	limit := u.op("stablehlo.constant dense<%d> : %s", u.IntN(5), scalarType)
	test := u.op("stablehlo.compare LT, %s, %s : (%s, %s) -> tensor<i1>", count, limit, scalarType, scalarType)
	u.deep++
	if u.IntN(2) == 0 { // a condition that updates its own copy
		most := u.op("stablehlo.constant dense<%d> : %s", u.IntN(30), scalarType)
		more := u.op("stablehlo.compare LT, %s, %s : (%s, %s) -> tensor<i1>", u.last(u.steps(inside, 2).scalars),
			most, scalarType, scalarType)
		test = u.op("stablehlo.and %s, %s : tensor<i1>", test, more)
	}
	u.line("stablehlo.return %s : tensor<i1>", test)
	u.line("} do {")
	one := u.op("stablehlo.constant dense<1> : " + scalarType)
	next := u.op("stablehlo.add %s, %s : %s", count, one, scalarType)
	u.line("stablehlo.return %s, %s : %s", u.results(u.steps(inside, 1+u.IntN(4)), n), next, all)
	u.deep--
	u.line("}")
	return u.grown(e, out, n)
}
