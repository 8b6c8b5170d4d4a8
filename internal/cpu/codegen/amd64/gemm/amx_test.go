package gemm_test

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/gemm"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	algorithms "github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// amxGemm returns the steps of the processor if it has AMX bf16 tiles.
func amxGemm() (rt.GemmSteps, bool) {
	tiles := target.V512.AMXFeatures(rt.HostFeatures())
	if tiles == 0 || target.V512.Needs()&^rt.HostFeatures() != 0 || rt.CanRunCode() != nil {
		return rt.GemmSteps{}, false
	}
	return gemm.Steps(target.V512, gemm.Features{AMX: tiles}), true
}

// amxTests calls test with the emulated AMX step, and with that of the processor if there is one.
func amxTests(t *testing.T, test func(t *testing.T, p *gemmTest)) {
	emulated := &gemmTest{emulated: true}
	emulated.gemm.BF16 = gemm.EmulatedAMX(emulated.emulate)
	tests := map[string]*gemmTest{"emulated": emulated}
	if products, ok := amxGemm(); ok {
		tests["processor"] = &gemmTest{gemm: products}
	}
	for name, p := range tests {
		for range 5 {
			p.operands = append(p.operands, guard.NewRegion(t, 1<<15+1<<13))
		}
		t.Run(name, func(t *testing.T) { test(t, p) })
	}
}

// addTiles adds the products of a row and a column to a sum in the order of tiles: of each 32 terms, the even ones and
// the odd ones are summed separately, then both, then that is added to the sum.
func addTiles(sum float32, x, y []uint16) float32 {
	for len(x) > 0 {
		var partial [2]float32
		n := min(32, len(x))
		for k := range n {
			partial[k%2] = fma(bf16ToF32(x[k]), bf16ToF32(y[k]), partial[k%2])
		}
		sum += partial[0] + partial[1]
		x, y = x[n:], y[n:]
	}
	return sum
}

// TestAMXTails is [TestGemmTails] for AMX tiles, which have their own order of sums.
func TestAMXTails(t *testing.T) {
	amxTests(t, func(t *testing.T, p *gemmTest) {
		r := rand.New(rand.NewPCG(1, 2))
		for m := 1; m <= 70; m++ {
			for n := 1; n <= 70; n++ {
				if p.emulated && r.IntN(100) == 0 || !p.emulated && r.IntN(8) == 0 {
					multiplyTiles(t, p, r, m, n, 1+r.IntN(40), guard.Edges[r.IntN(2)])
				}
			}
		}
		for k := 1; k <= 70; k++ {
			if !p.emulated || r.IntN(10) == 0 {
				multiplyTiles(t, p, r, 1+r.IntN(70), 1+r.IntN(40), k, guard.Edges[r.IntN(2)])
			}
		}
	})
}

// multiplyTiles computes a product of pairs and compares each element with its definition.
func multiplyTiles(t *testing.T, p *gemmTest, r *rand.Rand, m, n, k int, edge guard.Edge) {
	t.Helper()
	step := p.gemm.BF16
	tileRows, tileCols, unit := step.Tile()
	roundUp := func(n, unit int) int { return (n + unit - 1) / unit * unit }
	la, lb := layouts(m, k)[r.IntN(4)], layouts(k, n)[r.IntN(4)]
	ldc := n + 3*r.IntN(2)
	p.given = p.given[:0]
	a, b := watched[float32](p, la.room, edge), watched[float32](p, lb.room, edge)
	deep := roundUp(k, unit)
	pa, pb := watched[float32](p, roundUp(m, tileRows)*deep, edge), watched[float32](p, roundUp(n, tileCols)*deep, edge)
	c := watched[float32](p, (m-1)*ldc+n, edge)
	for _, x := range [][]float32{a, b} {
		for i := range x {
			x[i] = dot2Element(r)
		}
	}
	for _, x := range [][]float32{pa, pb} {
		for i := range x {
			x[i] = float32(math.NaN()) // old contents
		}
	}
	for i := range c {
		c[i] = float32(r.NormFloat64())
	}
	first := r.IntN(2) == 0
	want := slices.Clone(c)
	line := func(x []float32, from, step int) (out []uint16) {
		for l := range k {
			bits := math.Float32bits(x[from+l*step])
			out = append(out, uint16(bits), uint16(bits>>16))
		}
		return out
	}
	for i := range m {
		row := line(a, i*la.rows, la.cols)
		for j := range n {
			if first {
				want[i*ldc+j] = 0
			}
			want[i*ldc+j] = addTiles(want[i*ldc+j], row, line(b, j*lb.cols, lb.rows))
		}
	}
	fault := guard.Run(func() {
		step.PackRows(pa, a, la.rows, la.cols, m, k)
		step.PackCols(pb, b, lb.cols, lb.rows, n, k)
		step.Multiply(c, ldc, m, n, k, pa, pb, first)
	})
	what := fmt.Sprintf("%d × %d × %d, a %v, b %v, %s", m, n, k, la, lb, edge)
	p.check(t, what, fault)
	codetest.SameNumbers(t, what, c, want)
}

// randomHalves returns a matrix of bf16 with any layout.
func randomHalves(r *rand.Rand, batch, rows, cols int) (algorithms.Matrix[byte], []uint16) {
	orders := []string{"brc", "bcr", "rbc", "crb"}
	at := matrixOf[float32](r, batch, rows, cols, orders[r.IntN(4)])
	if r.IntN(2) == 0 {
		at.Offset = 2 // all pairs start at an even index
	}
	halves := make([]uint16, len(at.Data))
	for i := range halves {
		halves[i] = bf16(r)
	}
	return algorithms.Matrix[byte]{Data: rt.Bytes(halves), Offset: at.Offset, Batch: at.Batch, Rows: at.Rows,
		Cols: at.Cols}, halves
}

// TestAMXGemm computes random products of bf16 of any layout in tiles, with any number of workers, and compares the
// bits of each element with the definition.
func TestAMXGemm(t *testing.T) {
	products, ok := amxGemm()
	if !ok {
		t.Skip("the processor has no bf16 tiles; the emulator runs the code")
	}
	pool := rt.NewPool(3)
	defer pool.Close()
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		env := &rt.Env{Gemm: products}
		if r.IntN(2) == 0 {
			env.Pool, env.Buffers = pool, rt.NewBuffers(-1)
		}
		batch, m, n, k := 1+r.IntN(3), 1+r.IntN(150), 1+r.IntN(150), 1+r.IntN(700)
		x, a := randomHalves(r, batch, m, k)
		y, b := randomHalves(r, batch, k, n)
		c := matrixOf[float32](r, batch, m, n, []string{"brc", "bcr", "rbc", "crb"}[r.IntN(4)])
		to := algorithms.Matrix[byte]{Data: rt.Bytes(c.Data), Offset: c.Offset, Batch: c.Batch, Rows: c.Rows,
			Cols: c.Cols}
		if err := algorithms.MatMulBF16(env, to, x, y, algorithms.Conversion{Size: 4}); err != nil {
			t.Fatal(err)
		}
		for i := range batch {
			for j := range m {
				for l := range n {
					row, col := make([]uint16, k), make([]uint16, k)
					for p := range k {
						row[p] = a[elementOf(x, i, j, p)]
						col[p] = b[elementOf(y, i, p, l)]
					}
					got, want := c.Data[elementOf(to, i, j, l)], addTiles(0, row, col)
					if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
						t.Fatalf("%d × %d × %d × %d: element %d, %d, %d is %v, want %v", batch, m, n, k, i, j, l, got,
							want)
					}
				}
			}
		}
	}
}

// TestAMXInterrupted multiplies tiles on goroutines that garbage collections and a profiler interrupt: the tiles of a
// thread are restored, and all products have the same bits.
func TestAMXInterrupted(t *testing.T) {
	products, ok := amxGemm()
	if !ok {
		t.Skip("the processor has no bf16 tiles")
	}
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	r := rand.New(rand.NewPCG(5, 6))
	const m, n, k = 70, 90, 300
	step := products.BF16
	deep := (k + 15) / 16 * 16
	a, b, want := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
	for _, x := range [][]float32{a, b} {
		for i := range x {
			x[i] = math.Float32frombits(uint32(bf16(r)&^0x4000) | uint32(bf16(r)&^0x4000)<<16)
		}
	}
	multiply := func(c, pa, pb []float32) {
		step.PackRows(pa, a, k, 1, m, k)
		step.PackCols(pb, b, 1, n, n, k)
		step.Multiply(c, n, m, n, k, pa, pb, true)
	}
	multiply(want, make([]float32, 96*deep), make([]float32, 96*deep))
	t.Run("goroutines", func(t *testing.T) {
		for i := range 4 {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				c, pa, pb := make([]float32, m*n), make([]float32, 96*deep), make([]float32, 96*deep)
				for start := time.Now(); time.Since(start) < 2*time.Second; {
					if multiply(c, pa, pb); i == 0 {
						runtime.GC()
					}
					for j, x := range c {
						if math.Float32bits(x) != math.Float32bits(want[j]) {
							t.Fatalf("element %d is %v, want %v", j, x, want[j])
						}
					}
				}
			})
		}
	})
}

// elementOf returns the offset of an element of a matrix.
func elementOf[T any](m algorithms.Matrix[T], b, i, j int) int {
	return m.Offset + b*m.Batch[0].Stride + i*m.Rows[0].Stride + j*m.Cols[0].Stride
}
