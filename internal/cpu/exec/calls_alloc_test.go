package exec

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// tablesOf bounds the allocations of a call of an op: ops of the library allocate tables and views, independent of the
// number of elements, and ops of tests their messages. Other ops allocate nothing.
var tablesOf = map[stablehlo.OpCode]float64{
	stablehlo.OpSort: 10, stablehlo.OpChloTopK: 4, stablehlo.OpReduceWindow: 10, stablehlo.OpSelectAndScatter: 6,
	stablehlo.OpReduce: 14, stablehlo.OpChloRaggedDot: 16, stablehlo.OpFft: 3,
	stablehlo.OpCholesky: 20, stablehlo.OpTriangularSolve: 20, stablehlo.OpComposite: 250, stablehlo.OpRng: 1,
	stablehlo.OpRngBitGenerator: 1, stablehlo.OpInterpProbe: 4, stablehlo.OpInterpPrint: 100,
	stablehlo.OpCustomCall: 3,
}

// TestCallsDoNotAllocate: a program of one op allocates its tables only.
func TestCallsDoNotAllocate(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector drops objects of sync.Pool")
	}
	for i := range guardedPrograms {
		p := &guardedPrograms[i]
		for _, elem := range p.types() {
			g := loadGuarded(t, p.text(elem, false))
			args := g.arguments(rand.New(rand.NewPCG(1, 2)))
			out, err := g.x.Run(context.Background(), args)
			if err != nil {
				t.Fatal(err)
			}
			n := testing.AllocsPerRun(5, func() {
				if err := g.x.RunInto(context.Background(), args, out); err != nil {
					t.Error(err)
				}
			})
			if n > tablesOf[p.code] && !strings.HasPrefix(p.code.Info().Name, "check.") {
				t.Errorf("%s of %s: %v allocations, at most %v", p.name, elem, n, tablesOf[p.code])
			}
		}
	}
}
