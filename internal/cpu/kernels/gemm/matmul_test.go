package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// newEnv returns an environment with the given number of workers.
// naiveMatMul is the plain definition, summed in float64 where T is a float.
func naiveMatMul[T Accumulator](c, a, b Matrix[T]) {
	table := func(d Dims) []int {
		o := make([]int, d.Size())
		for i := range o {
			o[i] = d.At(i)
		}
		return o
	}
	ar, ac, br, bc := table(a.Rows), table(a.Cols), table(b.Rows), table(b.Cols)
	for t := range c.Batch.Size() {
		pa, pb := a.Offset+a.Batch.At(t), b.Offset+b.Batch.At(t)
		for i := range c.Rows.Size() {
			for j := range c.Cols.Size() {
				var total T
				var sum float64
				for k := range a.Cols.Size() {
					x, y := a.Data[pa+ar[i]+ac[k]], b.Data[pb+br[k]+bc[j]]
					total += x * y
					sum += float64(x) * float64(y)
				}
				if T(1)/2 != 0 {
					total = T(sum)
				}
				c.Data[c.Offset+c.Batch.At(t)+c.Rows.At(i)+c.Cols.At(j)] = total
			}
		}
	}
}

// randomMatrix returns a matrix of dense groups in the order named by layout, of b (batch), r (rows) and c (columns),
// with padding around it.
func randomMatrix[T Accumulator](r *rand.Rand, batch, rows, cols int, layout string) Matrix[T] {
	sizes := map[rune]int{'b': batch, 'r': rows, 'c': cols}
	strides := map[rune]int{}
	stride := 1
	for i := len(layout) - 1; i >= 0; i-- {
		strides[rune(layout[i])] = stride
		stride *= sizes[rune(layout[i])]
	}
	m := Matrix[T]{Data: kit.Fill(r, make([]T, stride+3)), Offset: 2}
	m.Batch = Dims{{batch, strides['b']}}
	m.Rows = Dims{{rows, strides['r']}}
	m.Cols = Dims{{cols, strides['c']}}
	return m
}

func closeTo[T Accumulator](x, y T, k int) bool {
	if T(1)/2 == 0 {
		return x == y
	}
	eps := 1.2e-7
	if any(x) == any(float64(x)) {
		eps = 2.3e-16
	}
	return math.Abs(float64(x)-float64(y)) <= 2*eps*float64(k+4)+eps*math.Abs(float64(y))
}

func checkMatMul[T Accumulator](t *testing.T, env *rt.Env, c, a, b Matrix[T]) {
	t.Helper()
	want := c
	want.Data = append([]T(nil), c.Data...)
	naiveMatMul(want, a, b)
	if err := MatMul(env, c, a, b); err != nil {
		t.Fatal(err)
	}
	for i := range want.Data {
		if !closeTo(c.Data[i], want.Data[i], a.Cols.Size()) {
			t.Fatalf("element %d: got %v, want %v", i, c.Data[i], want.Data[i])
		}
	}
	kit.CheckFreed(t, env)
}

func testMatMul[T Accumulator](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	env := kit.NewEnv(t, 2)
	sizes := [][4]int{ // batch, m, n, k
		{1, 1030, 270, 261}, {2, 1024, 5, 300}, // workers keep packed columns
		{1, 1, 1, 1}, {1, 0, 3, 4}, {1, 3, 0, 4}, {2, 3, 4, 0}, {0, 3, 4, 5}, {1, 2, 4, 4}, {3, 5, 7, 9},
		{1, 1, 100, 30}, {1, 100, 1, 30}, {2, 1, 77, 300}, {2, 77, 1, 301}, {1, 33, 65, 129}, {1, 130, 260, 3},
		{2, 40, 20, 600}, {1, 129, 257, 257},
	}
	for _, s := range sizes {
		layouts := []string{"brc brc brc", "bcr bcr bcr", "bcr brc brc", "brc bcr brc", "rbc rbc crb", "crb cbr rcb"}
		if s[0]*s[1]*s[2]*s[3] > 100_000 {
			layouts = layouts[:2]
		}
		for _, layout := range layouts {
			t.Run(fmt.Sprint(s, layout), func(t *testing.T) {
				var la, lb, lc string
				fmt.Sscan(layout, &la, &lb, &lc)
				a := randomMatrix[T](r, s[0], s[1], s[3], la)
				b := randomMatrix[T](r, s[0], s[3], s[2], lb)
				c := randomMatrix[T](r, s[0], s[1], s[2], lc)
				checkMatMul(t, env, c, a, b)
			})
		}
	}
}

func TestMatMulFloat32(t *testing.T) { testMatMul[float32](t) }
func TestMatMulFloat64(t *testing.T) { testMatMul[float64](t) }
func TestMatMulInt32(t *testing.T)   { testMatMul[int32](t) }
func TestMatMulInt64(t *testing.T)   { testMatMul[int64](t) }

// Groups of dimensions without a common stride, reversed and broadcast ones.
func TestMatMulStrides(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	env := kit.NewEnv(t, 2)
	data := func(n int) []float64 { return kit.Fill(r, make([]float64, n)) }
	batch := Dims{{2, 1}, {3, 1000}}
	cases := map[string]struct{ c, a, b Matrix[float64] }{
		"split groups": {
			Matrix[float64]{data(60000), 0, Dims{{2, 30000}, {3, 10000}}, Dims{{5, 700}, {6, 40}},
				Dims{{4, 7}, {7, 1}}},
			Matrix[float64]{data(60000), 0, Dims{{2, 2}, {3, 8}}, Dims{{5, 1}, {6, 1000}}, Dims{{9, 9}, {8, 100}}},
			Matrix[float64]{data(60000), 0, Dims{{6, 1}}, Dims{{72, 100}}, Dims{{4, 10000}, {7, 6}}},
		},
		"reversed": {
			Matrix[float64]{data(6000), 0, nil, Dims{{30, 100}}, Dims{{40, 2}}},
			Matrix[float64]{data(900), 899, nil, Dims{{30, -30}}, Dims{{30, -1}}},
			Matrix[float64]{data(1200), 29 * 40, nil, Dims{{30, -40}}, Dims{{40, 1}}},
		},
		"reversed result": {
			Matrix[float64]{data(1200), 1199, nil, Dims{{30, -40}}, Dims{{40, -1}}},
			Matrix[float64]{data(900), 0, nil, Dims{{30, 30}}, Dims{{30, 1}}},
			Matrix[float64]{data(1200), 0, nil, Dims{{30, 40}}, Dims{{40, 1}}},
		},
		"broadcast": {
			Matrix[float64]{data(7200), 0, Dims{{6, 1200}}, Dims{{30, 40}}, Dims{{40, 1}}},
			Matrix[float64]{data(900), 0, Dims{{6, 0}}, Dims{{30, 30}}, Dims{{30, 1}}},
			Matrix[float64]{data(6 * 30), 0, Dims{{6, 30}}, Dims{{30, 1}}, Dims{{40, 0}}},
		},
		"sums out of order, contiguous lines": {
			Matrix[float64]{data(6300), 0, nil, Dims{{70, 90}}, Dims{{90, 1}}},
			Matrix[float64]{data(18 * 20 * 70), 0, nil, Dims{{70, 1}}, Dims{{20, 70}, {18, 1400}}},
			Matrix[float64]{data(18 * 20 * 91), 1, nil, Dims{{20, 91}, {18, 1820}}, Dims{{90, 1}}},
		},
		"sums out of order, near lines": {
			Matrix[float64]{data(4800), 0, nil, Dims{{60, 80}}, Dims{{80, 1}}},
			Matrix[float64]{data(18 * 20 * 70), 0, nil, Dims{{6, 1}, {10, 7}}, Dims{{20, 70}, {18, 1400}}},
			Matrix[float64]{data(18 * 20 * 90), 89, nil, Dims{{20, 90}, {18, 1800}}, Dims{{80, -1}}},
		},
		"small": {
			Matrix[float64]{data(6000), 0, batch, Dims{{2, 2}}, Dims{{2, 4}}},
			Matrix[float64]{data(6000), 0, batch, Dims{{2, 2}}, Dims{{3, 4}}},
			Matrix[float64]{data(6000), 5, batch, Dims{{3, 2}}, Dims{{2, 7}}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { checkMatMul(t, env, c.c, c.a, c.b) })
	}
}

// Many small matrices in any order, with batches that may not be contiguous.
func TestMatMulBatched(t *testing.T) {
	t.Run("f32", testBatched[float32])
	t.Run("f64", testBatched[float64])
	t.Run("s32", testBatched[int32])
	t.Run("s64", testBatched[int64])
}

func testBatched[T Accumulator](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	env := kit.NewEnv(t, 2)
	orders := []string{"brc", "bcr", "rbc", "crb"}
	for range 200 {
		batch, m, n, k := 4+r.IntN(100), 1+r.IntN(5), 1+r.IntN(5), 1+r.IntN(8)
		random := func(rows, cols int) Matrix[T] { return randomMatrix[T](r, batch, rows, cols, orders[r.IntN(4)]) }
		c, a, b := random(m, n), random(m, k), random(k, n)
		if half := batch / 2; r.IntN(2) == 0 && batch%2 == 0 { // swap the halves of a
			step := a.Batch[0].Stride
			a.Offset += half * step
			a.Batch = Dims{{2, -half * step}, {half, step}}
			b.Batch = Dims{{2, half * b.Batch[0].Stride}, {half, b.Batch[0].Stride}}
			c.Batch = Dims{{2, half * c.Batch[0].Stride}, {half, c.Batch[0].Stride}}
		}
		checkMatMul(t, env, c, a, b)
	}
}

func TestMatMulSameForAnyWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range [][3]int{{200, 190, 700}, {1, 5000, 300}, {3000, 1, 200}} {
		a := randomMatrix[float32](r, 2, s[0], s[2], "brc")
		b := randomMatrix[float32](r, 2, s[2], s[1], "brc")
		var want []float32
		for _, workers := range []int{1, 2, 5} {
			c := Matrix[float32]{make([]float32, 2*s[0]*s[1]), 0, Dims{{2, s[0] * s[1]}}, Dims{{s[0], s[1]}},
				Dims{{s[1], 1}}}
			if err := MatMul(kit.NewEnv(t, workers), c, a, b); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = c.Data
			}
			for i := range want {
				if c.Data[i] != want[i] {
					t.Fatalf("%v with %d workers: element %d is %v, with one %v", s, workers, i, c.Data[i], want[i])
				}
			}
		}
	}
}

// An element is the same sum in a product of any size and layout.
func TestMatMulSameForAnyShape(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	env := kit.NewEnv(t, 2)
	for _, k := range []int{1, 7, 200, 256, 257, 700} {
		const m, n = 70, 600
		a := randomMatrix[float32](r, 1, m, k, "brc")
		b := randomMatrix[float32](r, 1, k, n, "brc")
		transposed := randomMatrix[float32](r, 1, k, n, "bcr")
		for i := range k {
			for j := range n {
				transposed.Data[2+i+j*k] = b.Data[2+i*n+j]
			}
		}
		full := dense(make([]float32, m*n), 1, m, n)
		if err := MatMul(env, full, a, b); err != nil {
			t.Fatal(err)
		}
		row := func(m Matrix[float32], i int) Matrix[float32] {
			m.Offset += i * m.Rows[0].Stride
			m.Rows = Dims{{1, 1}}
			return m
		}
		column := func(m Matrix[float32], j int) Matrix[float32] {
			m.Offset += j * m.Cols[0].Stride
			m.Cols = Dims{{1, 1}}
			return m
		}
		check := func(name string, i, j int, got []float32) {
			t.Helper()
			for x, v := range got {
				at := i*n + j + x
				if name == "column" {
					at = (i+x)*n + j
				}
				if v != full.Data[at] {
					t.Fatalf("k %d: %s (%d,%d): element %d is %v, in the full product %v",
						k, name, i, j, x, v, full.Data[at])
				}
			}
		}
		for _, b := range []Matrix[float32]{b, transposed} {
			one, line, col := make([]float32, 1), make([]float32, n), make([]float32, m)
			if err := MatMul(env, dense(one, 1, 1, 1), row(a, 5), column(b, 17)); err != nil {
				t.Fatal(err)
			}
			check("element", 5, 17, one)
			if err := MatMul(env, dense(line, 1, 1, n), row(a, 3), b); err != nil {
				t.Fatal(err)
			}
			check("row", 3, 0, line)
			if err := MatMul(env, dense(col, 1, m, 1), a, column(b, 590)); err != nil {
				t.Fatal(err)
			}
			check("column", 0, 590, col)
		}
	}
}

func TestMatMulScratchRefused(t *testing.T) {
	env := &rt.Env{Buffers: rt.NewBuffers(100)}
	m := Matrix[float32]{make([]float32, 10000), 0, nil, Dims{{100, 100}}, Dims{{100, 1}}}
	if err := MatMul(env, m, m, m); err == nil {
		t.Error("no error")
	}
}

func dense[T any](data []T, batch, rows, cols int) Matrix[T] {
	return Matrix[T]{data, 0, Dims{{batch, rows * cols}}, Dims{{rows, cols}}, Dims{{cols, 1}}}
}

func benchMatMul[T Accumulator](b *testing.B, batch, m, n, k int) {
	r := rand.New(rand.NewPCG(1, 2))
	x := dense(kit.Fill(r, make([]T, batch*m*k)), batch, m, k)
	y := dense(kit.Fill(r, make([]T, batch*k*n)), batch, k, n)
	c := dense(make([]T, batch*m*n), batch, m, n)
	env := kit.NewEnv(b, 0)
	kit.Bench(b, 2*batch*m*n*k, "GF/s", func() error { return MatMul(env, c, x, y) })
}

func BenchmarkMatMul(b *testing.B) {
	b.Run("f32/1024", func(b *testing.B) { benchMatMul[float32](b, 1, 1024, 1024, 1024) })
	b.Run("f64/1024", func(b *testing.B) { benchMatMul[float64](b, 1, 1024, 1024, 1024) })
	b.Run("s32/1024", func(b *testing.B) { benchMatMul[int32](b, 1, 1024, 1024, 1024) })
	b.Run("f32/256", func(b *testing.B) { benchMatMul[float32](b, 1, 256, 256, 256) })
	b.Run("f32/64x128", func(b *testing.B) { benchMatMul[float32](b, 64, 128, 128, 128) })
	b.Run("f32/mlp", func(b *testing.B) { benchMatMul[float32](b, 1, 128, 512, 784) })
	b.Run("f32/1x1024x1024", func(b *testing.B) { benchMatMul[float32](b, 1, 1, 1024, 1024) })
	b.Run("f32/1024x1x1024", func(b *testing.B) { benchMatMul[float32](b, 1, 1024, 1, 1024) })
	b.Run("f32/8x1024x1024", func(b *testing.B) { benchMatMul[float32](b, 1, 8, 1024, 1024) })
	b.Run("f32/2x2", func(b *testing.B) { benchMatMul[float32](b, 1, 2, 2, 2) })
	b.Run("f32/16", func(b *testing.B) { benchMatMul[float32](b, 1, 16, 16, 16) })
}

// randomComplexMatrix is randomMatrix of complex numbers with the parts from of.
func randomComplexMatrix[Z complex64 | complex128](r *rand.Rand, batch, rows, cols int, layout string,
	of func(re, im float64) Z) Matrix[Z] {
	re := randomMatrix[float64](r, batch, rows, cols, layout)
	z := Matrix[Z]{make([]Z, len(re.Data)), re.Offset, re.Batch, re.Rows, re.Cols}
	for i, x := range re.Data {
		z.Data[i] = of(x, r.NormFloat64())
	}
	return z
}

func pairOf(re, im float64) complex128 { return complex(re, im) }

func TestMatMulComplex(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	env := kit.NewEnv(t, 2)
	for _, s := range [][4]int{{1, 1, 1, 1}, {2, 3, 5, 7}, {1, 100, 90, 200}, {3, 1, 40, 9}, {1, 3, 2, 0}} {
		for _, layout := range []string{"brc", "bcr"} {
			random := func(batch, rows, cols int) Matrix[complex128] {
				return randomComplexMatrix(r, batch, rows, cols, layout, pairOf)
			}
			a, b, c := random(s[0], s[1], s[3]), random(s[0], s[3], s[2]), random(s[0], s[1], s[2])
			if err := MatMulComplex(env, c, a, b); err != nil {
				t.Fatal(err)
			}
			for batch := range s[0] {
				for i := range s[1] {
					for j := range s[2] {
						var want complex128
						for k := range s[3] {
							want += a.Data[a.Offset+a.Batch.At(batch)+a.Rows.At(i)+a.Cols.At(k)] *
								b.Data[b.Offset+b.Batch.At(batch)+b.Rows.At(k)+b.Cols.At(j)]
						}
						got := c.Data[c.Offset+c.Batch.At(batch)+c.Rows.At(i)+c.Cols.At(j)]
						if !closeTo(real(got), real(want), 2*s[3]) || !closeTo(imag(got), imag(want), 2*s[3]) {
							t.Fatalf("%v %s: C[%d,%d,%d] = %v, want %v", s, layout, batch, i, j, got, want)
						}
					}
				}
			}
		}
	}
	one := []complex64{3 + 4i}
	m := dense(one, 1, 1, 1)
	c := dense(make([]complex64, 1), 1, 1, 1)
	if err := MatMulComplex(nil, c, m, m); err != nil || c.Data[0] != -7+24i {
		t.Errorf("(3+4i)² = %v, %v", c.Data[0], err)
	}
}
