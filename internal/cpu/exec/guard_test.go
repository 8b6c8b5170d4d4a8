package exec

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/library"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/internal/testkit/guard"
	"github.com/go-nx/nx/stablehlo"
)

// TestGuardedProgramsAreComplete: every op and block of the library, and control flow, has a program that runs in
// guarded memory.
func TestGuardedProgramsAreComplete(t *testing.T) {
	tested := map[stablehlo.OpCode]bool{}
	for _, p := range guardedPrograms {
		tested[p.code] = true
	}
	for _, code := range append(library.Ops(), stablehlo.OpWhile, stablehlo.OpCase, stablehlo.OpIf) {
		if !tested[code] {
			t.Errorf("%s has no program", code.Info().Name)
		}
	}
	for _, block := range library.Blocks() {
		if !slices.ContainsFunc(guardedPrograms, func(p guardedProgram) bool {
			return p.code == stablehlo.OpComposite && strings.Contains(p.lines, `"`+block+`"`)
		}) {
			t.Errorf("%s has no program", block)
		}
	}
}

// TestGuarded runs programs with every argument, result, constant and intermediate value in separate guarded memory;
// with results in the memory of the operands that they may replace; and with the replacements of the planner. The bits
// are those of a plain run, and read-only memory is unchanged.
func TestGuarded(t *testing.T) {
	direct, planned := map[stablehlo.OpCode]int{}, map[stablehlo.OpCode]int{} // operands replaced
	for _, p := range guardedPrograms {
		for _, elem := range p.types() {
			t.Run(p.name+"/"+elem, func(t *testing.T) {
				plain := loadGuarded(t, p.text(elem, false))
				args := plain.arguments(rand.New(rand.NewPCG(1, 2)))
				want, err := plain.x.Run(context.Background(), args)
				if err != nil {
					t.Fatal(err)
				}
				between := loadGuarded(t, p.text(elem, true))
				if len(between.prog.Main.Args) != len(args) {
					t.Fatal("the program with intermediate values has other arguments")
				}
				planned[p.code] += between.shared()
				for _, e := range guard.Edges {
					plain.compare(t, e, nil, args, want)
					for _, pairs := range plain.replaceable() {
						direct[p.code]++
						plain.compare(t, e, pairs, args, want)
					}
					between.compare(t, e, nil, plain.reversedArgs(args), plain.reversedResults(want))
				}
			})
		}
	}
	for _, code := range []stablehlo.OpCode{stablehlo.OpDynamicUpdateSlice, stablehlo.OpScatter} {
		if direct[code] == 0 || planned[code] == 0 {
			t.Errorf("%s: %d operands were replaced as arguments, %d by plan",
				code.Info().Name, direct[code], planned[code])
		}
	}
}

// guarded is a compiled program.
type guarded struct {
	prog *program.Program
	x    *Executable
	main stablehlo.Func
}

func loadGuarded(t *testing.T, text string) *guarded {
	t.Helper()
	m, err := stablehlo.Parse("guarded", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	f, _ := m.Func("main")
	p, err := fuse.Build(f)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	x, err := Compile(p, &rt.Env{Buffers: rt.NewBuffers(-1)}, portable.Generator{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return &guarded{p, x, f}
}

// arguments returns small numbers, with diagonally dominant matrices.
func (g *guarded) arguments(r *rand.Rand) [][]byte {
	var out [][]byte
	for _, t := range g.main.Type().Ins {
		tt := t.(*stablehlo.TensorType)
		d := tt.DType()
		n, _ := tt.NumElems()
		b := make([]byte, int(n)*d.Size())
		for i := range int(n) {
			v := float64(r.IntN(65)-32) / 16
			if k := len(tt.Dims); k > 1 && i/int(tt.Dims[k-1])%int(tt.Dims[k-2]) == i%int(tt.Dims[k-1]) {
				v = 20
			}
			switch {
			case d.IsComplex():
				d.StoreComplex(b, i, complex(v, 0))
			case d.IsFloat():
				d.StoreFloat(b, i, v)
			case d == dtype.Bool:
				d.StoreInt(b, i, int64(r.IntN(2)))
			default:
				d.StoreInt(b, i, int64(r.IntN(14)-3))
			}
		}
		out = append(out, b)
	}
	return out
}

// replaceable returns the arguments that may be in the memory of results, if the program is one node: each pair, and
// all at once.
func (g *guarded) replaceable() [][][2]int {
	if len(g.prog.Main.Nodes) != 1 {
		return nil
	}
	n := g.prog.Main.Nodes[0]
	var each [][][2]int
	var all [][2]int
	for i, in := range n.Reads() {
		for o, out := range n.Writes() {
			a, r := slices.Index(g.prog.Main.Args, in), slices.Index(g.prog.Main.Results, out)
			if a >= 0 && r >= 0 && program.Replaces(n, i, o) && g.x.argSizes[a] == g.x.results[r].size {
				each = append(each, [][2]int{{a, r}})
				all = append(all, [2]int{a, r})
			}
		}
	}
	if _, isKernel := n.(*program.Kernel); len(all) > 1 && !isKernel { // a kernel replaces one operand
		each = append(each, all)
	}
	return each
}

// shared returns the number of node results without their own memory.
func (g *guarded) shared() int {
	n := 0
	for b, root := range g.x.layout.Root {
		if b != root && g.x.layout.Storage[b] == sched.Temp {
			n++
		}
	}
	return n
}

// compare runs the program in guarded memory, with some arguments in the memory of results.
func (g *guarded) compare(t *testing.T, e guard.Edge, replaced [][2]int, args, want [][]byte) {
	t.Helper()
	in, err := g.x.instance()
	if err != nil {
		t.Fatal(err)
	}
	var regions []*guard.Region
	watched := func(size int64) []byte {
		r := guard.NewRegion(t, int(max(size, 1)))
		regions = append(regions, r)
		return r.Bytes(int(size), e)
	}
	var out, own [][]byte
	for _, w := range want {
		out = append(out, watched(int64(len(w))))
	}
	for i, a := range args {
		own = append(own, nil)
		for _, pair := range replaced {
			if pair[0] == i {
				own[i] = out[pair[1]]
			}
		}
		if own[i] == nil {
			own[i] = watched(int64(len(a)))
		}
		copy(own[i], a)
	}
	in.env.Session = rt.Session{Context: context.Background()}
	in.bind(own, out)
	constants := map[int][]byte{}
	for _, b := range g.x.binds {
		mem := watched(max(int64(len(b.data)), g.size(b.root)))
		copy(mem, b.data)
		in.bufs[b.root] = unsafe.Pointer(unsafe.SliceData(mem))
		if b.data != nil {
			constants[b.root] = mem
		}
	}
	if fault := guard.Run(func() { err = in.runAll() }); fault != nil || err != nil {
		t.Fatalf("operands %s, %v replaced: %v %v", e, replaced, fault, err)
	}
	in.collect(out)
	for i := range want {
		if !bytes.Equal(out[i], want[i]) {
			t.Errorf("operands %s, %v replaced: result %d differs from a plain run", e, replaced, i)
		}
	}
	for i := range args {
		if !slices.ContainsFunc(replaced, func(p [2]int) bool { return p[0] == i }) && !bytes.Equal(own[i], args[i]) {
			t.Errorf("operands %s, %v replaced: argument %d has changed", e, replaced, i)
		}
	}
	for b, mem := range constants {
		if !bytes.Equal(mem, g.prog.Buffers[b].Data) {
			t.Errorf("operands %s, %v replaced: a constant has changed", e, replaced)
		}
	}
	for _, r := range regions {
		if err := r.Check(); err != nil {
			t.Errorf("operands %s, %v replaced: %v", e, replaced, err)
		}
	}
}

// size returns the bytes of a root, which all its values must have.
func (g *guarded) size(root int) int64 {
	n := int64(0)
	for b, r := range g.x.layout.Root {
		if r == root {
			n = max(n, g.prog.Buffers[b].SizeBytes())
		}
	}
	return n
}

func (g *guarded) reversedArgs(list [][]byte) [][]byte    { return reversed(list, g.main.Type().Ins) }
func (g *guarded) reversedResults(list [][]byte) [][]byte { return reversed(list, g.main.Type().Outs) }

// reversed returns the elements of tensors in reverse order.
func reversed(list [][]byte, types []stablehlo.Type) [][]byte {
	var out [][]byte
	for i, b := range list {
		size := types[i].(*stablehlo.TensorType).DType().Size()
		r := make([]byte, 0, len(b))
		for at := len(b) - size; at >= 0; at -= size {
			r = append(r, b[at:at+size]...)
		}
		out = append(out, r)
	}
	return out
}

// guardedProgram is a program of one op, with <T> for an element type. Arguments and
// results are names with types: "%x: tensor<4x<T>>".
type guardedProgram struct {
	name    string
	code    stablehlo.OpCode
	elems   string // types for <T>, nil for one program
	args    []string
	lines   string
	results []string
}

func (p *guardedProgram) types() []string {
	if p.elems == "" {
		return []string{"-"}
	}
	return strings.Fields(p.elems)
}

// text returns the program. With between, its arguments and results are reversed, so that the op's operands and results
// are intermediate values.
func (p *guardedProgram) text(elem string, between bool) string {
	var args, names, types []string
	var head, tail strings.Builder
	for _, a := range p.args {
		name, typ, _ := strings.Cut(a, ": ")
		if between {
			fmt.Fprintf(&head, "  %s = stablehlo.reverse %s_outside, dims = %s : %s\n", name, name, allDims(typ), typ)
			name += "_outside"
		}
		args = append(args, name+": "+typ)
	}
	for i, r := range p.results {
		name, typ, _ := strings.Cut(r, ": ")
		if between {
			fmt.Fprintf(&tail, "  %%result%d = stablehlo.reverse %s, dims = %s : %s\n", i, name, allDims(typ), typ)
			name = fmt.Sprintf("%%result%d", i)
		}
		names, types = append(names, name), append(types, typ)
	}
	ret := "return"
	if len(names) > 0 {
		ret += " " + strings.Join(names, ", ") + " : " + strings.Join(types, ", ")
	}
	text := "func.func @main(" + strings.Join(args, ", ") + ") -> (" + strings.Join(types, ", ") + ") {\n" +
		head.String() + p.lines + "\n" + tail.String() + "  " + ret + "\n}\n"
	return strings.ReplaceAll(text, "<T>", elem)
}

// allDims returns the indices of all dimensions of a tensor type.
func allDims(typ string) string {
	dims := strings.Split(strings.TrimPrefix(typ, "tensor<"), "x")
	var out []string
	for i, d := range dims {
		if strings.Trim(d, "0123456789") != "" {
			break
		}
		out = append(out, fmt.Sprint(i))
	}
	return "[" + strings.Join(out, ", ") + "]"
}
