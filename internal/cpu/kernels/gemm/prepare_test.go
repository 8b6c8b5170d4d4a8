package gemm

import (
	"slices"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// combinedTask runs the chunks of prepared products as one region, as parallel groups do.
type combinedTask struct {
	parts []PreparedTask
	first []int // first chunk of each
}

func (g *combinedTask) Do(worker rt.Worker, chunk int) {
	i, found := slices.BinarySearch(g.first, chunk)
	if !found {
		i--
	}
	g.parts[i].Task.Do(worker, chunk-g.first[i])
}

// Products that run among others have memory for every worker, which may be more than their chunks. They have the bits
// of separate products, and free their memory.
func TestPrepareMatMul(t *testing.T) {
	pool := rt.NewPool(4)
	defer pool.Close()
	for _, c := range []struct {
		name           string
		batch, m, k, n int
		transposed     bool
	}{
		{"one chunk of small matrices", 2000, 4, 4, 4, false},
		{"one chunk of small matrices with copied columns", 1000, 5, 5, 5, true},
		{"some chunks of small matrices", 5000, 4, 5, 6, true},
		{"one matrix", 1, 70, 300, 90, false},
		{"columns that are kept", 1, 1500, 64, 40, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := &rt.Env{Pool: pool, Buffers: rt.NewBuffers(0)}
			of := func(rows, cols int, transposed bool) Matrix[float64] {
				x := matrixOf[float64](&kit.Memory{}, rows, cols, transposed)
				x.Batch = Dims{{c.batch, rows * cols}}
				x.Data = kit.Numbers[float64](&kit.Memory{}, c.batch*rows*cols)
				return x
			}
			a, b, want := of(c.m, c.k, false), of(c.k, c.n, c.transposed), of(c.m, c.n, false)
			if err := MatMul(nil, want, a, b); err != nil {
				t.Fatal(err)
			}
			for range 20 {
				g, chunks := &combinedTask{}, 0
				var got []Matrix[float64]
				for range 5 {
					got = append(got, of(c.m, c.n, false))
					s, err := PrepareMatMul(env, got[len(got)-1], a, b)
					if err != nil {
						t.Fatal(err)
					}
					g.parts, g.first = append(g.parts, s), append(g.first, chunks)
					chunks += s.Chunks
				}
				env.Run(chunks, g)
				for i := range g.parts {
					g.parts[i].End()
					if !slices.Equal(got[i].Data, want.Data) {
						t.Fatalf("product %d differs from the separate one", i)
					}
				}
			}
			if n := env.Buffers.InUse(); n != 0 {
				t.Errorf("%d bytes are in use", n)
			}
		})
	}
}
