package amd64_test

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/exec"
	programs "github.com/go-nx/nx/internal/cpu/program/random"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var nodes = flag.Int("programs", 30, "random programs of nodes that TestRandomNodes takes")

// TestRandomNodes compares random programs of nodes with the evaluator to the bit: kernels,
// products, nests, waves, loops and branches, with one worker and with some.
func TestRandomNodes(t *testing.T) {
	pool := rt.NewPool(3)
	t.Cleanup(pool.Close)
	elems := 0
	for _, w := range widths(t) {
		g := amd64.Generator{Generator: portable.Generator{Function: amd64.Loops(w)}, Width: w}
		for seed := range uint64(*nodes) {
			r := rand.New(rand.NewPCG(seed, 2))
			p := programs.Program(r, 300)
			args := programs.Arguments(r, p)
			want, err := eval.Program(p, args, fused)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, p.Kernels())
			}
			for _, env := range []*rt.Env{{}, {Pool: pool}} {
				x, err := exec.Compile(p, env, g)
				if err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, p.Kernels())
				}
				for range 2 { // the memory of an instance is used again
					got, err := x.Run(t.Context(), args)
					if err != nil {
						t.Fatal(err)
					}
					for i := range got {
						if !bytes.Equal(got[i], want[i]) {
							t.Fatalf("%s, seed %d: result %d of %d workers differs\n%s", w, seed, i, env.Workers(), p.Kernels())
						}
						elems += len(got[i]) / 4
					}
				}
			}
		}
	}
	t.Logf("%d elements of results", elems)
}
