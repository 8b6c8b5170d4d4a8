package exec

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/internal/testkit/fused"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// TestPrograms compares what becomes of programs of StableHLO with testdata/programs.txt: the nodes, how each runs, and
// the memory. The results have the bits of the definitions for any number of workers. A program may begin with
// "// donated" and the numbers of the arguments that are given away.
func TestPrograms(t *testing.T) {
	before := trafficBeyondCache
	t.Cleanup(func() { trafficBeyondCache = before })
	trafficBeyondCache = 64 << 20 // on every machine
	testkit.Golden(t, "testdata/programs.txt", func(t *testing.T, name, in string) string {
		p := fused.Program(t, in)
		if list, ok := strings.CutPrefix(in, "// donated "); ok {
			list, _, _ = strings.Cut(list, "\n")
			for _, number := range strings.Fields(list) {
				var i int
				if _, err := fmt.Sscan(number, &i); err != nil {
					t.Fatal(err)
				}
				p.Buffers[p.Main.Args[i]].Donated = true
			}
		}
		args := randomArguments(p)
		want, err := eval.Program(p, args, eval.Options{})
		if err != nil { // it does not evaluate calls of the library
			want, err = interpret(in, args)
		}
		if err != nil {
			t.Fatal(err)
		}
		out := ""
		for _, workers := range []int{1, 2, 5} {
			pool := rt.NewPool(workers)
			t.Cleanup(pool.Close)
			x, err := Compile(p, &rt.Env{Pool: pool}, portable.Generator{})
			if err != nil {
				t.Fatal(err)
			}
			if err := sched.Check(p, x.Layout()); err != nil {
				t.Fatal(err)
			}
			for range 2 { // reuses an instance
				got, err := x.Run(context.Background(), args)
				if err != nil {
					t.Fatal(err)
				}
				for i := range got {
					if !bytes.Equal(got[i], want[i]) {
						t.Errorf("%d workers: result %d has other bits than by its definition", workers, i)
					}
				}
			}
			out = x.text()
		}
		return out
	})
}

// interpret returns the results of the interpreter.
func interpret(text string, args [][]byte) ([][]byte, error) {
	m, err := stablehlo.Parse("program", []byte(text))
	if err != nil {
		return nil, err
	}
	it, err := interp.New(m)
	if err != nil {
		return nil, err
	}
	f, _ := m.Func("main")
	var in []interp.Value
	for i, a := range f.Args() {
		x, err := interp.NewTensor(a.Tensor(), args[i])
		if err != nil {
			return nil, err
		}
		in = append(in, x)
	}
	results, err := it.Call(context.Background(), "main", in...)
	var out [][]byte
	for _, r := range results {
		out = append(out, r.(*interp.Tensor).Data)
	}
	return out, err
}

// randomArguments returns arguments of random numbers.
func randomArguments(p *program.Program) [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	var args [][]byte
	for _, a := range p.Main.Args {
		d := p.Buffers[a].Type.DType()
		b := make([]byte, p.Buffers[a].SizeBytes())
		for i := range len(b) / d.Size() {
			if d.IsFloat() {
				d.StoreFloat(b, i, r.NormFloat64())
			} else if len(b) == d.Size() { // a predicate or an index
				d.StoreInt(b, i, int64(r.IntN(2)))
			} else {
				d.StoreInt(b, i, int64(r.Uint32()))
			}
		}
		args = append(args, b)
	}
	return args
}

// text returns the nodes, each with how it runs below, how many chunks run side by side, and the memory.
func (x *Executable) text() string {
	runs := map[program.Node]runner{}
	for i, n := range x.main.first {
		runs[n] = x.main.nodes[i]
	}
	nodes := x.prog.Text(func(n program.Node) string {
		switch n := n.(type) {
		case *program.Kernel:
			return x.kernelText(n)
		case *program.RowLoop:
			return x.rowLoopPlans[n]
		case *program.Loop, *program.Branch:
			if r, isMain := runs[n]; isMain {
				return strings.TrimPrefix(fmt.Sprintf("%T\n", r), "*exec.")
			}
		}
		return ""
	})
	return fmt.Sprintf("%schunks side by side: %d\n%s", nodes, x.width, x.layout.Text(x.prog))
}

func (x *Executable) kernelText(n *program.Kernel) string {
	p := x.plans[n]
	if p == nil {
		return "scalar code\n"
	}
	first, rest, _ := strings.Cut(p.String(), "\n")
	chunks, _, _ := strings.Cut(rest, "\n")
	text := first + ", " + strings.TrimSpace(chunks)
	if finishes := p.Finishes(); finishes > 1 {
		text += fmt.Sprintf(", %d reductions of partial results", finishes)
	}
	for _, a := range p.Accesses[:p.Stores] {
		if a.Access != nil && len(a.Guards) > 0 {
			text += ", guarded loads"
			break
		}
	}
	if streams(p) {
		text += ", streamed"
	}
	return text + "\n"
}

func streams(p *plan.Plan) bool {
	for _, a := range p.Accesses {
		if a.Streamed {
			return true
		}
	}
	return false
}
