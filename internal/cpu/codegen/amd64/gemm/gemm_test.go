package gemm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/gemm"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	algorithms "github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// gemmTest has the steps under test, and guarded memory.
type gemmTest struct {
	gemm     rt.GemmSteps
	emulated bool
	operands []*guard.Region
	given    [][]byte // the operands so far
	failed   error
	checks   int
}

// gemmTests returns a test for each width in the emulator, and for each that the processor supports.
func gemmTests(t *testing.T) map[string]*gemmTest {
	out := codetest.OnWidths(t, func(w target.Width) *gemmTest {
		p := &gemmTest{emulated: true}
		p.gemm = gemm.Emulated(w, p.emulate)
		return p
	}, func(w target.Width) *gemmTest { return &gemmTest{gemm: gemmOf(w)} })
	for _, p := range out {
		for range 5 {
			p.operands = append(p.operands, guard.NewRegion(t, 1<<15+1<<13))
		}
	}
	return out
}

// gemmOf returns the steps of a width on the processor.
func gemmOf(w target.Width) rt.GemmSteps {
	return gemm.Steps(w, gemm.Features{BF16: w.HasBF16Dot(rt.HostFeatures())})
}

// emulate runs code that can only access the operands, the arguments and their scratch memory.
func (p *gemmTest) emulate(text []byte, args unsafe.Pointer, mem gemm.Memory) {
	memory := append(p.given[:len(p.given):len(p.given)], mem.Args, mem.Lines, mem.Sums)
	if err := codetest.EmulateCode(text, args, memory...); err != nil && p.failed == nil {
		p.failed = err
	}
}

// watched returns memory of n elements at an edge of the next region.
func watched[T any](p *gemmTest, n int, e guard.Edge) []T {
	x := guard.Copy(p.operands[len(p.given)], make([]T, n), e)
	p.given = append(p.given, rt.Bytes(x))
	return x
}

// fma returns x·y + z, rounded once.
func fma[T float32 | float64](x, y, z T) T {
	if unsafe.Sizeof(x) == 8 {
		return T(math.FMA(float64(x), float64(y), float64(z)))
	}
	p, c := float64(x)*float64(y), float64(z) // exact
	s := p + c
	v := s - p
	err := p - (s - v) + (c - v)
	if bits := math.Float64bits(s); err != 0 && !math.IsInf(s, 0) && bits&1 == 0 { // to odd: avoids double rounding
		if err > 0 == (s > 0) {
			s = math.Float64frombits(bits + 1)
		} else {
			s = math.Float64frombits(bits - 1)
		}
	}
	return T(s)
}

// layout has the strides of a matrix.
type layout struct{ rows, cols, room int }

// layouts returns row-major and column-major layouts, both with gaps.
func layouts(rows, cols int) []layout {
	return []layout{{cols, 1, rows * cols}, {1, rows, rows * cols}, {2*cols + 1, 2, rows * (2*cols + 1)},
		{cols + 3, 1, rows * (cols + 3)}}
}

// multiplyBy computes a product with a step and compares each element with its definition.
func multiplyBy[T float32 | float64](t *testing.T, p *gemmTest, step rt.BlockStep[T], r *rand.Rand, m, n, k int,
	edge guard.Edge) {
	t.Helper()
	multiplyElems(t, p, step, r, m, n, k, edge, codetest.Number[T], fma[T])
}

// multiplyElems is multiplyBy with operands from number, whose products add adds to a sum.
func multiplyElems[T float32 | float64](t *testing.T, p *gemmTest, step rt.BlockStep[T], r *rand.Rand, m, n, k int,
	edge guard.Edge, elem func(r *rand.Rand) T, add func(x, y, sum T) T) {
	t.Helper()
	tileRows, tileCols, _ := step.Tile()
	roundUp := func(n, unit int) int { return (n + unit - 1) / unit * unit }
	la, lb := layouts(m, k)[r.IntN(4)], layouts(k, n)[r.IntN(4)]
	ldc := n + 3*r.IntN(2)
	p.given = p.given[:0]
	a, b := watched[T](p, la.room, edge), watched[T](p, lb.room, edge)
	pa, pb := watched[T](p, roundUp(m, tileRows)*k, edge), watched[T](p, roundUp(n, tileCols)*k, edge)
	c := watched[T](p, max((m-1)*ldc+n, 0), edge)
	for _, x := range [][]T{a, b} {
		for i := range x {
			x[i] = elem(r)
		}
	}
	for i := range c {
		c[i] = codetest.Number[T](r)
	}
	first := r.IntN(2) == 0
	s, subtracts := step.(rt.GemmStep[T])
	subtracts = subtracts && r.IntN(3) == 0
	sums := c
	if subtracts {
		sums = make([]T, len(c))
	}
	want := wantGemm(sums, ldc, m, n, k, first || subtracts, func(i, j, l int, sum T) T {
		return add(a[i*la.rows+l*la.cols], b[l*lb.rows+j*lb.cols], sum)
	})
	unpacked := la.cols == 1 && (any(step) == any(p.gemm.F32) || any(step) == any(p.gemm.F64)) && r.IntN(2) == 0
	if subtracts {
		for i, sum := range want {
			want[i] = c[i] - sum
		}
	}
	fault := guard.Run(func() {
		step.PackCols(pb, b, lb.cols, lb.rows, n, k)
		if unpacked {
			if rows := step.(rt.UnpackedRowStep[T]); subtracts {
				rows.SubtractRows(c, ldc, m, n, k, a, la.rows, pb)
			} else {
				rows.MultiplyRows(c, ldc, m, n, k, a, la.rows, pb, first)
			}
			return
		}
		step.PackRows(pa, a, la.rows, la.cols, m, k)
		if subtracts {
			s.Subtract(c, ldc, m, n, k, pa, pb)
		} else {
			step.Multiply(c, ldc, m, n, k, pa, pb, first)
		}
	})
	p.check(t, fmt.Sprintf("%d × %d × %d, a %v, b %v, %s", m, n, k, la, lb, edge), fault)
	codetest.SameNumbers(t, fmt.Sprintf("%d × %d × %d, a %v, b %v", m, n, k, la, lb), c, want)
}

// check reports a fault, and modified memory outside of the operands.
func (p *gemmTest) check(t *testing.T, what string, fault error) {
	t.Helper()
	if fault != nil || p.failed != nil {
		t.Fatalf("%s: %v, %v", what, fault, p.failed)
	}
	for i := range p.given {
		if p.checks++; p.checks%8 != 0 { // a check of all bytes is slow; guard pages cover most of them
			continue
		}
		if err := p.operands[i].Check(); err != nil {
			t.Fatalf("%s: operand %d: %v", what, i, err)
		}
	}
}

// TestGemmTails computes products of all sizes from 1 to 40, and some up to 100, between guard pages: each element has
// the bits of the sum in the order of k, at both widths.
func TestGemmTails(t *testing.T) {
	for name, p := range gemmTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			rounds := 2
			if p.emulated || testing.Short() {
				rounds = 1
			}
			for m := 1; m <= 40; m++ {
				for n := 1; n <= 40; n++ {
					for range rounds {
						edge := guard.Edges[r.IntN(2)]
						k := 1 + r.IntN(40)
						if p.emulated && r.IntN(20) > 0 {
							continue
						}
						multiplyBy(t, p, p.gemm.F32, r, m, n, k, edge)
						multiplyBy(t, p, p.gemm.F64, r, m, n, k, edge)
					}
				}
			}
			for range rounds {
				multiplyBy(t, p, p.gemm.F32, r, 1+r.IntN(50), 40+r.IntN(60), 1+r.IntN(40), guard.AtEnd)
				multiplyBy(t, p, p.gemm.F64, r, 1+r.IntN(20), 20+r.IntN(30), 1+r.IntN(40), guard.AtEnd)
			}
		})
	}
}

// gemvBy computes sums of lines with a step and compares each sum with its definition.
func gemvBy[T float32 | float64](t *testing.T, p *gemmTest, step rt.GemmStep[T], r *rand.Rand, n, k int) {
	t.Helper()
	for _, transposed := range []bool{false, true} {
		gap, edge := r.IntN(3), guard.Edges[r.IntN(2)]
		ls, ks := k+gap, 1
		if transposed {
			ls, ks = 1, n+gap
		}
		p.given = p.given[:0]
		a, x := watched[T](p, (n-1)*ls+(k-1)*ks+1, edge), watched[T](p, k, edge)
		sums := watched[T](p, n, edge)
		for _, s := range [][]T{a, x, sums} {
			for i := range s {
				s[i] = codetest.Number[T](r)
			}
		}
		want := make([]T, n)
		for i := range n {
			for l := range k {
				want[i] = fma(a[i*ls+l*ks], x[l], want[i])
			}
		}
		fault := guard.Run(func() {
			if transposed {
				step.Add(sums, a, ks, x)
			} else {
				step.Dot(sums, a, ls, x)
			}
		})
		what := fmt.Sprintf("%d lines of %d, transposed %v", n, k, transposed)
		p.check(t, what, fault)
		codetest.SameNumbers(t, what, sums, want)
	}
}

// TestGemv is [TestGemmTails] for matrix-vector products.
func TestGemv(t *testing.T) {
	for name, p := range gemmTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for n := 1; n <= 40; n++ {
				for k := 1; k <= 40; k++ {
					if !p.emulated || r.IntN(10) == 0 {
						gemvBy(t, p, p.gemm.F32, r, n, k)
						gemvBy(t, p, p.gemm.F64, r, n, k)
					}
				}
			}
		})
	}
}

// matrixOf returns a batch of random matrices with gaps. Order lists the dimensions b (batch), r (rows) and c (columns)
// from the slowest to the fastest.
func matrixOf[T float32 | float64](r *rand.Rand, batch, rows, cols int, order string) algorithms.Matrix[T] {
	sizes := map[byte]int{'b': batch, 'r': rows, 'c': cols}
	strides, next := map[byte]int{}, 1
	for i := len(order) - 1; i >= 0; i-- {
		strides[order[i]] = next
		next *= sizes[order[i]]
	}
	m := algorithms.Matrix[T]{Data: make([]T, next+5), Offset: 3,
		Batch: algorithms.Dims{{Size: batch, Stride: strides['b']}},
		Rows:  algorithms.Dims{{Size: rows, Stride: strides['r']}},
		Cols:  algorithms.Dims{{Size: cols, Stride: strides['c']}}}
	for i := range m.Data {
		m.Data[i] = codetest.Number[T](r)
	}
	return m
}

func element[T any](m algorithms.Matrix[T], b, i, j int) *T {
	return &m.Data[m.Offset+b*m.Batch[0].Stride+i*m.Rows[0].Stride+j*m.Cols[0].Stride]
}

// TestGemmOfTiers computes random products as blocks, in groups and by rows, with any number of workers: each element
// has the bits of the definition, for any of these and any width.
func TestGemmOfTiers(t *testing.T) {
	eachTier(t, 60, func(env *rt.Env, r *rand.Rand) {
		gemmOfTier[float32](t, env, r)
		gemmOfTier[float64](t, env, r)
	})
}

// eachTier runs rounds with the steps of each width, with one worker and with several, and checks that no scratch
// memory stays in use.
func eachTier(t *testing.T, rounds int, round func(env *rt.Env, r *rand.Rand)) {
	t.Helper()
	pool := rt.NewPool(3)
	defer pool.Close()
	if testing.Short() {
		rounds /= 5
	}
	for _, w := range codetest.Widths(t) {
		products := gemmOf(w)
		for _, env := range []*rt.Env{{Gemm: products}, {Gemm: products, Pool: pool, Buffers: rt.NewBuffers(-1)}} {
			r := rand.New(rand.NewPCG(3, 4))
			for range rounds {
				round(env, r)
			}
			if n := env.Buffers; n != nil && n.InUse() != 0 {
				t.Errorf("%d bytes of scratch memory are not freed", n.InUse())
			}
		}
	}
}

func gemmOfTier[T float32 | float64](t *testing.T, env *rt.Env, r *rand.Rand) {
	t.Helper()
	batch, m, n, k := 1+r.IntN(3), 1+r.IntN(150), 1+r.IntN(150), 1+r.IntN(40)
	switch r.IntN(6) {
	case 0:
		m, k = 1, 1+r.IntN(700)
	case 1:
		n, k = 1, 1+r.IntN(700)
	case 2:
		batch, m, n, k = 1, 1+r.IntN(40), 1+r.IntN(40), 1+r.IntN(700)
	case 3:
		m, n = 1+r.IntN(4), 1+r.IntN(4)
	}
	gemmBy[T](t, env, r, batch, m, n, k)
}

// TestManySmallGemms is [TestGemmOfTiers] for batches of small matrices, several of which one call multiplies.
func TestManySmallGemms(t *testing.T) {
	eachTier(t, 250, func(env *rt.Env, r *rand.Rand) {
		some := func() int { return []int{1, 2, 3, 1 + r.IntN(9), 1 + r.IntN(24)}[r.IntN(5)] }
		gemmBy[float32](t, env, r, 4+r.IntN(60), some(), some(), some())
		gemmBy[float64](t, env, r, 4+r.IntN(60), some(), some(), some())
	})
}

// gemmBy computes a product of random matrices in a random way.
func gemmBy[T float32 | float64](t *testing.T, env *rt.Env, r *rand.Rand, batch, m, n, k int) {
	t.Helper()
	orders := []string{"brc", "bcr", "rbc", "crb"}
	a, b := matrixOf[T](r, batch, m, k, orders[r.IntN(4)]), matrixOf[T](r, batch, k, n, orders[r.IntN(4)])
	how := r.IntN(3)
	c := matrixOf[T](r, batch, m, n, orders[r.IntN(4)])
	if how == 2 {
		c = matrixOf[T](r, batch, m, n, "brc")
		c.Offset = 0
	}
	want := append([]T(nil), c.Data...)
	at := algorithms.Matrix[T]{Data: want, Offset: c.Offset, Batch: c.Batch, Rows: c.Rows, Cols: c.Cols}
	for x := range batch * m * n {
		i, j, z := x/n%m, x%n, x/n/m
		var total T
		for first := 0; first < k; first += 256 {
			var sum T
			for l := first; l < min(first+256, k); l++ {
				sum = fma(*element(a, z, i, l), *element(b, z, l, j), sum)
			}
			if total += sum; first == 0 {
				total = sum
			}
		}
		*element(at, z, i, j) = total
	}
	var err error
	switch how {
	case 0:
		err = algorithms.MatMul(env, c, a, b)
	case 1:
		var s algorithms.PreparedTask
		if s, err = algorithms.PrepareMatMul(env, c, a, b); err == nil {
			env.Run(s.Chunks, s.Task)
			s.End()
		}
	case 2:
		rows, packed := algorithms.NewRows(c, a, b), 0
		step := 1 + r.IntN(40)
		scratch := rt.Bytes(make([]float64, rows.ScratchBytes(env, step)/8+8))
		for lo := 0; lo < batch*m; lo += step {
			rows.Run(env, scratch, &packed, lo, min(lo+step, batch*m), rt.Bytes(c.Data), rt.Bytes(a.Data),
				rt.Bytes(b.Data), 0, 0)
		}
	}
	what := fmt.Sprintf("%d workers, way %d, %d × %d × %d × %d", env.Workers(), how, batch, m, n, k)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	codetest.SameNumbers(t, what, c.Data, want)
}

// wantGemm returns c, whose rows are ldc apart, replaced by a product of m rows, n columns and depth k if first is set,
// else plus the product: next adds the l-th term of element (i, j) to a sum.
func wantGemm[T float32 | float64](c []T, ldc, m, n, k int, first bool, next func(i, j, l int, sum T) T) []T {
	want := slices.Clone(c)
	for i := range m {
		for j := range n {
			var sum T
			for l := range k {
				sum = next(i, j, l, sum)
			}
			if want[i*ldc+j] += sum; first {
				want[i*ldc+j] = sum
			}
		}
	}
	return want
}

// BenchmarkGemm measures products of each width with one worker.
func BenchmarkGemm(b *testing.B) {
	for _, w := range codetest.Widths(b) {
		env := &rt.Env{Gemm: gemm.Steps(w, gemm.Features{})}
		for _, s := range [][4]int{{1, 16, 16, 16}, {1, 64, 64, 64}, {1, 256, 256, 256}, {1, 1024, 1024, 1024},
			{8, 128, 128, 128}, {1, 1, 1024, 1024}, {1, 1024, 1, 1024}, {1, 8, 1024, 1024}} {
			name := fmt.Sprintf("%s/%dx%dx%dx%d", w, s[0], s[1], s[2], s[3])
			b.Run("f32/"+name, func(b *testing.B) { benchGemm[float32](b, env, s[0], s[1], s[2], s[3]) })
			b.Run("f64/"+name, func(b *testing.B) { benchGemm[float64](b, env, s[0], s[1], s[2], s[3]) })
		}
	}
}

func benchGemm[T float32 | float64](b *testing.B, env *rt.Env, batch, m, n, k int) {
	r := rand.New(rand.NewPCG(1, 2))
	matrix := func(rows, cols int) algorithms.Matrix[T] {
		x := algorithms.Matrix[T]{Data: make([]T, batch*rows*cols),
			Batch: algorithms.Dims{{Size: batch, Stride: rows * cols}},
			Rows:  algorithms.Dims{{Size: rows, Stride: cols}}, Cols: algorithms.Dims{{Size: cols, Stride: 1}}}
		for i := range x.Data {
			x.Data[i] = T(r.NormFloat64())
		}
		return x
	}
	x, y, c := matrix(m, k), matrix(k, n), matrix(m, n)
	for b.Loop() {
		if err := algorithms.MatMul(env, c, x, y); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(2*float64(batch*m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
}

// TestGemmCode checks all code.
func TestGemmCode(t *testing.T) {
	codetest.CheckCodes(t, gemm.Codes, map[target.Width]int{target.V256: 279, target.V512: 695})
}
