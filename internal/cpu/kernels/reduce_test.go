package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

// foldNaively is the documented order of a reduction, one element at a time.
func foldNaively[T any](m Monoid[T], x []T, init T) T {
	if len(x) == 0 {
		return init
	}
	var level []T
	for len(x) > 0 {
		n := min(FoldBlock, len(x))
		var lanes [8]T
		for i := range lanes {
			lanes[i] = m.Identity()
		}
		for i, v := range x[:n] {
			lanes[i%8] = combine(m, lanes[i%8], v)
		}
		for half := 4; half > 0; half /= 2 {
			for i := range half {
				lanes[i] = combine(m, lanes[i], lanes[i+half])
			}
		}
		level = append(level, lanes[0])
		x = x[n:]
	}
	for len(level) > 1 {
		var next []T
		for i := 0; i+1 < len(level); i += 2 {
			next = append(next, combine(m, level[i], level[i+1]))
		}
		if len(level)%2 == 1 {
			next = append(next, level[len(level)-1])
		}
		level = next
	}
	return combine(m, level[0], init)
}

func checkReduce[T comparable](t *testing.T, workers int, src View[T], out, over Dims, m Monoid[T], init T) {
	t.Helper()
	env := newEnv(t, workers)
	got := make([]T, out.Size())
	if err := Reduce(env, got, src, out, over, m, init); err != nil {
		t.Fatal(err)
	}
	x := make([]T, over.Size())
	for i := range got {
		for j := range x {
			x[j] = src.Data[src.Offset+out.at(i)+over.at(j)]
		}
		want := foldNaively(m, x, init)
		if got[i] != want && (want == want || got[i] == got[i]) {
			t.Fatalf("%T out %v over %v: element %d is %v, want %v", m, out, over, i, got[i], want)
		}
	}
	checkFreed(t, env)
}

func TestReduceShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	data := View[float32]{fill(r, make([]float32, 120000)), 60000}
	cases := map[string]struct{ out, over Dims }{
		"scalar":          {nil, nil},
		"nothing":         {Dims{{3, 1}}, Dims{{0, 1}}},
		"none":            {Dims{{0, 1}}, Dims{{3, 1}}},
		"one":             {nil, Dims{{1, 1}}},
		"few":             {nil, Dims{{7, 1}}},
		"all":             {nil, Dims{{50001, 1}}},
		"rows":            {Dims{{100, 300}}, Dims{{300, 1}}},
		"long rows":       {Dims{{7, 5000}}, Dims{{5000, 1}}},
		"columns":         {Dims{{300, 1}}, Dims{{100, 300}}},
		"long columns":    {Dims{{7, 1}}, Dims{{5000, 7}}},
		"three columns":   {Dims{{3, 1}}, Dims{{2049, 3}}},
		"middle":          {Dims{{5, 1000}, {10, 1}}, Dims{{100, 10}}},
		"outer and inner": {Dims{{10, 30}}, Dims{{50, 300}, {30, 1}}},
		"reversed":        {Dims{{30, -100}}, Dims{{100, -1}}},
		"reversed tile":   {Dims{{100, -1}}, Dims{{30, -100}}},
		"broadcast":       {Dims{{30, 0}, {5, 1}}, Dims{{100, 0}}},
		"strided":         {Dims{{30, 7}}, Dims{{100, 3}}},
		"split columns":   {Dims{{6, 500}, {70, 1}}, Dims{{3, 3000}, {4, 100}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, workers := range []int{1, 3} {
				checkReduce(t, workers, data, c.out, c.over, Sum[float32]{}, 0.25)
				checkReduce(t, workers, data, c.out, c.over, Max[float32]{float32(math.Inf(-1))}, -1e9)
			}
		})
	}
}

func TestReduceOps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shapes := [][2]Dims{{Dims{{20, 300}}, Dims{{300, 1}}}, {Dims{{300, 1}}, Dims{{20, 300}}}, {nil, Dims{{6000, 1}}}}
	f := View[float64]{fill(r, make([]float64, 6000)), 0}
	f.Data[17], f.Data[3000] = math.NaN(), math.Inf(1)
	i := View[int32]{fill(r, make([]int32, 6000)), 0}
	b := View[uint8]{make([]uint8, 6000), 0}
	z := View[complex128]{make([]complex128, 6000), 0}
	for k := range b.Data {
		b.Data[k] = uint8(r.IntN(2))
		z.Data[k] = complex(r.NormFloat64(), r.NormFloat64())
	}
	for _, s := range shapes {
		out, over := s[0], s[1]
		checkReduce(t, 2, f, out, over, Sum[float64]{}, 1)
		checkReduce(t, 2, f, out, over, Prod[float64]{}, 1)
		checkReduce(t, 2, f, out, over, Max[float64]{math.Inf(-1)}, math.Inf(-1))
		checkReduce(t, 2, f, out, over, Min[float64]{math.Inf(1)}, math.Inf(1))
		checkReduce(t, 2, z, out, over, Sum[complex128]{}, 1)
		checkReduce(t, 2, z, out, over, Prod[complex128]{}, 1)
		checkReduce(t, 2, i, out, over, Sum[int32]{}, 5)
		checkReduce(t, 2, i, out, over, Prod[int32]{}, 5)
		checkReduce(t, 2, i, out, over, Max[int32]{math.MinInt32}, 5)
		checkReduce(t, 2, i, out, over, Min[int32]{math.MaxInt32}, 5)
		checkReduce(t, 2, i, out, over, And[int32]{}, -1)
		checkReduce(t, 2, i, out, over, Or[int32]{}, 0)
		checkReduce(t, 2, i, out, over, Xor[int32]{}, 9)
		checkReduce(t, 2, b, out, over, Or[uint8]{}, 0)
	}
}

// Zeros keep their sign and maxima tell −0 from +0, in both layouts.
func TestReduceZeros(t *testing.T) {
	nz := math.Copysign(0, -1)
	for _, over := range []Dims{{{20, 1}}, {{20, 3}}} {
		src := View[float64]{make([]float64, 60), 0}
		fill1(src.Data, nz)
		var got [1]float64
		sign := func(m Monoid[float64], init float64) bool {
			if err := Reduce(nil, got[:], src, Dims{{1, 1}}, over, m, init); err != nil {
				t.Fatal(err)
			}
			return math.Signbit(got[0])
		}
		if !sign(Sum[float64]{}, nz) || sign(Sum[float64]{}, 0) {
			t.Error("the sum of negative zeros lost its sign")
		}
		src.Data[9] = 0
		if sign(Max[float64]{math.Inf(-1)}, nz) || !sign(Min[float64]{math.Inf(1)}, 0) {
			t.Error("extremes mix up the zeros")
		}
	}
}

func BenchmarkReduce(b *testing.B) {
	env := newEnv(b, 0)
	x := View[float32]{fill(rand.New(rand.NewPCG(1, 2)), make([]float32, 1<<24)), 0}
	dst := make([]float32, 1<<16)
	for _, c := range []struct {
		name      string
		out, over Dims
		m         Monoid[float32]
	}{
		{"sum/16m", nil, Dims{{1 << 24, 1}}, Sum[float32]{}},
		{"max/16m", nil, Dims{{1 << 24, 1}}, Max[float32]{-math.MaxFloat32}},
		{"sum/rows-4096x1024", Dims{{4096, 1024}}, Dims{{1024, 1}}, Sum[float32]{}},
		{"sum/columns-4096x1024", Dims{{1024, 1}}, Dims{{4096, 1024}}, Sum[float32]{}},
		{"max/columns-4096x1024", Dims{{1024, 1}}, Dims{{4096, 1024}}, Max[float32]{-math.MaxFloat32}},
		{"sum/outer-inner", Dims{{64, 784}}, Dims{{64, 64 * 784}, {784, 1}}, Sum[float32]{}},
		{"sum/8", nil, Dims{{8, 1}}, Sum[float32]{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			n := 4 * c.out.Size() * c.over.Size()
			bench(b, n, "GB/s", func() error { return Reduce(env, dst, x, c.out, c.over, c.m, 0) })
		})
	}
}
