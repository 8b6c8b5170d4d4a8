package bench

import (
	"flag"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/recorded"
)

var written = flag.String("written", "", "write a step of training of a transformer, with inputs and results, to this folder")

// A training step of a small transformer is written with the results of package cpu, for other compilers: see
// .ci/xla-cpu.
func TestWrittenSteps(t *testing.T) {
	if *written == "" {
		t.Skip("skipped: -written names no folder; .ci/xla-cpu does")
	}
	p, x := transformerOf(2, 2, 16, 32)
	l, err := nx.Lower(transformerStep, nx.Args(p, x))
	if err != nil {
		t.Fatal(err)
	}
	q, loss := nx.Jit(transformerStep)(p, x)
	c := recorded.Case{Module: l.Module(), Ins: []any{p, x}, Outs: []any{q, loss}, Rtol: 1e-4, Atol: 1e-6}
	if err := c.Write(*written, "transformer_step"); err != nil {
		t.Error(err)
	}
}
