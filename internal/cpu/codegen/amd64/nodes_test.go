package amd64_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/exec"
	"github.com/go-nx/nx/internal/cpu/program"
	programs "github.com/go-nx/nx/internal/cpu/program/random"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var nodes = flag.Int("programs", 30, "random programs of nodes that TestRandomNodes takes")

// TestRandomNodes compares the bits of random programs with the evaluator: kernels, contractions, fused row loops,
// parallel groups, loops and branches, with one worker and with several.
func TestRandomNodes(t *testing.T) {
	pool := rt.NewPool(3)
	t.Cleanup(pool.Close)
	elems := 0
	for _, w := range codetest.Widths(t) {
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
				for range 2 { // the memory of an instance is reused
					got, err := x.Run(t.Context(), args)
					if err != nil {
						t.Fatal(err)
					}
					for i := range got {
						if !bytes.Equal(got[i], want[i]) {
							t.Fatalf("%s, seed %d: result %d of %d workers differs\n%s", w, seed, i, env.Workers(),
								p.Kernels())
						}
						elems += len(got[i]) / 4
					}
				}
			}
		}
	}
	t.Logf("%d elements of results", elems)
}

// TestRowLoopsOfBF16: bf16 products in fused row loops have the bits of separate ones, at all widths.
func TestRowLoopsOfBF16(t *testing.T) {
	const text = `args b0 bf16[130][57], b1 bf16[57][75], b2 bf16[75][40]
%s  b3 bf16[130][75]%[2]s = contraction(b0 bf16[130][57], b1 bf16[57][75])
    sums f32 of left [ | 130:57 | 57:1], right [ | 57:75 | 75:1] to [ | 130:75 | 75:1]
  b4 bf16[130][75]%[2]s = kernel negate(b3 bf16[130][75]%[2]s)
    kernel negate [130 75]
      over bf16[9750], bf16[9750]
      %%0 = load p0[75, 1] : bf16
      %%1 = neg %%0 : f32
      store p1[75, 1] = %%1 : bf16
  b5 f32[130][40] = contraction(b4 bf16[130][75]%[2]s, b2 bf16[75][40])
    sums f32 of left [ | 130:75 | 75:1], right [ | 75:40 | 40:1] to [ | 130:40 | 40:1]
%[3]sreturn b5 f32[130][40]
`
	unfused := regexp.MustCompile("(?m)^  ").ReplaceAllString(fmt.Sprintf(text, "", "", ""), "")
	r := rand.New(rand.NewPCG(3, 4))
	pool := rt.NewPool(3)
	t.Cleanup(pool.Close)
	for _, w := range codetest.Widths(t) {
		g := amd64.Generator{Generator: portable.Generator{Function: amd64.Loops(w)}, Width: w}
		var args, want [][]byte
		for _, text := range []string{unfused, fmt.Sprintf(text, "row loop [130] {\n", " local", "}\n")} {
			p, err := program.Parse(text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			for _, a := range p.Main.Args[len(args):] {
				data := make([]byte, p.Buffers[a].SizeBytes())
				for i := range len(data) / 2 {
					dtype.BF16.StoreFloat(data, i, r.NormFloat64())
				}
				args = append(args, data)
			}
			x, err := exec.Compile(p, &rt.Env{Pool: pool}, g)
			if err != nil {
				t.Fatal(err)
			}
			got, err := x.Run(t.Context(), args)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(got[0], want[0]) {
				t.Errorf("%s: different bits in a fused row loop", w)
			}
		}
	}
}
