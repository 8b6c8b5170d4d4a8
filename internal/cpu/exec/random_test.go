package exec

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/program/random"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/cpu/sched"
)

// Programs of few elements, which are scalar code, have the bits of the definitions, too.
func TestRandomSmallNodes(t *testing.T) {
	pool := rt.NewPool(2)
	defer pool.Close()
	for seed := range uint64(400) {
		compareProgram(t, pool, seed, 1+int64(seed%4))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// Random programs, planned and run by one worker and by several, have the bits of node-by-node evaluation from the
// definitions. NX_PROGRAMS is the number of programs to try.
func TestRandomNodes(t *testing.T) {
	count := 100
	if n, err := strconv.Atoi(os.Getenv("NX_PROGRAMS")); err == nil {
		count = n
	}
	pool, elems := rt.NewPool(3), 0
	defer pool.Close()
	for seed := range uint64(count) {
		elems += compareProgram(t, pool, seed, math.MaxInt64)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d programs, %d elements of results, %d results in the memory of arguments, %d arrays changed in place, %d copied",
		count, elems, taken, inPlace, copied)
	if taken == 0 || inPlace == 0 || copied == 0 {
		t.Error("no result took the memory of an argument, or no array was changed in place, or copied")
	}
}

func FuzzNodes(f *testing.F) {
	pool := rt.NewPool(3)
	f.Cleanup(pool.Close)
	f.Add(uint64(1))
	// Small ones: under the fuzzer, the evaluator is many times slower, and an input may take 10 s.
	f.Fuzz(func(t *testing.T, seed uint64) { compareProgram(t, pool, seed, 16) })
}

var (
	taken           int // results in the memory of arguments
	inPlace, copied int // updates of parts of arrays
)

// countUpdates counts the updates of a program.
func countUpdates(l *sched.Layout, p *program.Program, b *program.Block) {
	for _, n := range b.Nodes {
		if parts := program.Parts(n); parts != nil {
			countUpdates(l, p, &program.Block{Nodes: parts})
			continue
		}
		for _, in := range program.Updates(n) {
			if in >= 0 {
				inPlace++
			}
		}
		moves := len(l.Updated(p, n))
		inPlace, copied = inPlace-moves, copied+moves
		for _, inner := range n.Blocks() {
			countUpdates(l, p, inner)
		}
	}
}

// compareProgram compares the program of a seed, with dimensions of at most most elements, and returns the number of
// elements of its results.
func compareProgram(t *testing.T, pool *rt.Pool, seed uint64, maxElems int64) (elems int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	p := random.Program(r, maxElems)
	args := random.Arguments(r, p)
	read, err := program.Parse(p.Listing()) // the text is complete
	if err != nil {
		t.Fatalf("%v\n%s", err, p.Listing())
	}
	want, err := eval.Program(read, args, eval.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, p.Kernels())
	}
	for i, env := range []*rt.Env{{}, {Pool: pool}, {Pool: pool}} {
		if i == 2 { // with donated arguments, the results are the same
			for _, a := range p.Main.Args {
				p.Buffers[a].Donated = r.IntN(3) > 0
			}
		}
		x, err := Compile(p, env, portable.Generator{})
		if err != nil {
			t.Fatalf("%v\n%s", err, p.Kernels())
		}
		if err := sched.Check(p, x.Layout()); err != nil {
			t.Fatalf("%v\n%s%s", err, p, x.Layout().Text(p))
		}
		countUpdates(x.Layout(), p, p.Main)
		takes, _ := x.Takes()
		for _, a := range takes {
			if a >= 0 {
				taken++
			}
		}
		for range 2 { // reuses an instance
			got, err := x.Run(context.Background(), args)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if !bytes.Equal(got[i], want[i]) {
					t.Errorf("result %d of %d workers differs\n%s%s", i, env.Workers(), p.Kernels(), x.Layout().Text(p))
					return elems
				}
			}
		}
	}
	for _, w := range want {
		elems += len(w) / 4
	}
	return elems
}
