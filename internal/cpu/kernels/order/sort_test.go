package order

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

func bits32(x []float32) []uint32 {
	out := make([]uint32, len(x))
	for i, v := range x {
		out[i] = math.Float32bits(v)
	}
	return out
}

// randomFloats holds many equal values, both zeros, infinities and NaNs.
func randomFloats(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		switch r.IntN(12) {
		case 0:
			x[i] = float32(math.Copysign(0, r.Float64()-0.5))
		case 1:
			x[i] = float32(math.Inf(r.IntN(2)*2 - 1))
		case 2:
			x[i] = math.Float32frombits(0x7fc00000 | uint32(r.IntN(2))<<31)
		case 3, 4:
			x[i] = float32(r.IntN(5) - 2)
		default:
			x[i] = float32(r.NormFloat64())
		}
	}
	return x
}

// compareTotal is IEEE 754's totalOrder.
func compareTotal(a, b float32) int {
	k := func(x float32) int64 {
		v := int64(int32(math.Float32bits(x)))
		if v < 0 {
			v = -1 - int64(math.Float32bits(x)&0x7fffffff)
		}
		return v
	}
	return cmp.Compare(k(a), k(b))
}

func compareNumeric(a, b float32) int {
	if a != a || b != b {
		x, y := 0, 0
		if a != a {
			x = 1
		}
		if b != b {
			y = 1
		}
		return x - y
	}
	return cmp.Compare(a+0, b+0)
}

// sortNaively returns the stable permutation of each line.
func sortNaively(outer, n, inner int, compare func(i, j int) int) []int {
	perm := make([]int, outer*n*inner)
	for o := range outer {
		for k := range inner {
			at := func(i int) int { return (o*n+i)*inner + k }
			p := make([]int, n)
			for i := range p {
				p[i] = at(i)
			}
			slices.SortStableFunc(p, compare)
			for i, v := range p {
				perm[at(i)] = v
			}
		}
	}
	return perm
}

var sortShapes = [][3]int{{1, 1, 1}, {0, 5, 2}, {1, 0, 1}, {3, 7, 1}, {2, 50, 3}, {1, 1000, 1}, {2, 2000, 2},
	{1, 70000, 1}, {40, 300, 3}}

func TestSortFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range sortShapes {
		n := s[0] * s[1] * s[2]
		x := randomFloats(r, n)
		src := bits32(x)
		number := make([]uint16, n)
		for i := range number {
			number[i] = uint16(i)
		}
		for _, kind := range []Kind{FloatTotal, FloatNumeric} {
			for _, descending := range []bool{false, true} {
				for _, workers := range []int{1, 3} {
					env := kit.NewEnv(t, workers)
					compare := compareTotal
					if kind == FloatNumeric {
						compare = compareNumeric
					}
					perm := sortNaively(s[0], s[1], s[2], func(i, j int) int {
						if descending {
							i, j = j, i
						}
						return compare(x[i], x[j])
					})
					order := Order[uint32]{kind, descending, 0x7f800000}
					keys, dst, moved := make([]uint32, n), make([]uint32, n), make([]uint16, n)
					if err := Sort(env, []Operand{Key(keys, src, order)}, 1, s[0], s[1], s[2]); err != nil {
						t.Fatal(err)
					}
					if err := Sort(env, []Operand{Key(dst, src, order), Payload(moved, number)}, 1, s[0], s[1],
						s[2]); err != nil {
						t.Fatal(err)
					}
					for i, p := range perm {
						if dst[i] != src[p] || keys[i] != src[p] || moved[i] != uint16(p) {
							t.Fatalf("%v kind %v descending %v: element %d is %#x, %#x, from %d; want %#x from %d",
								s, kind, descending, i, keys[i], dst[i], moved[i], src[p], uint16(p))
						}
					}
					kit.CheckFreed(t, env)
				}
			}
		}
	}
}

func testSortInts[T uint8 | uint16 | uint32 | uint64](t *testing.T, signed func(T) int64) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range sortShapes {
		n := s[0] * s[1] * s[2]
		if n > radixChunk && rt.SizeOf[T]() != 4 {
			continue // one size of key covers the chunks
		}
		src := kit.Count(n, func(int) T { return T(r.Uint64() >> r.IntN(64)) })
		for _, kind := range []Kind{Unsigned, Signed} {
			for _, descending := range []bool{false, true} {
				perm := sortNaively(s[0], s[1], s[2], func(i, j int) int {
					if descending {
						i, j = j, i
					}
					if kind == Signed {
						return cmp.Compare(signed(src[i]), signed(src[j]))
					}
					return cmp.Compare(src[i], src[j])
				})
				order := Order[T]{Kind: kind, Descending: descending}
				keys, dst, moved := make([]T, n), make([]T, n), make([][2]uint64, n)
				number := kit.Count(n, func(i int) [2]uint64 { return [2]uint64{uint64(i), 5} })
				if err := Sort(nil, []Operand{Key(keys, src, order)}, 1, s[0], s[1], s[2]); err != nil {
					t.Fatal(err)
				}
				if err := Sort(nil, []Operand{Key(dst, src, order), Payload(moved, number)}, 1, s[0], s[1],
					s[2]); err != nil {
					t.Fatal(err)
				}
				for i, p := range perm {
					if keys[i] != src[p] || dst[i] != src[p] || moved[i][0] != uint64(p) {
						t.Fatalf("%v kind %v descending %v: element %d is %v, %v, want %v", s, kind, descending,
							i, keys[i], dst[i], src[p])
					}
				}
			}
		}
	}
}

func TestSortInts(t *testing.T) {
	testSortInts(t, func(x uint8) int64 { return int64(int8(x)) })
	testSortInts(t, func(x uint16) int64 { return int64(int16(x)) })
	testSortInts(t, func(x uint32) int64 { return int64(int32(x)) })
	testSortInts(t, func(x uint64) int64 { return int64(x) })
}

// Long lines are sorted by buckets, for all kinds of common bits.
func TestSortLong(t *testing.T) {
	testSortLong[uint16](t)
	testSortLong[uint32](t)
	testSortLong[uint64](t)
}

func testSortLong[T uint16 | uint32 | uint64](t *testing.T) {
	const n = 200_000
	r := rand.New(rand.NewPCG(3, 4))
	size := 8 * rt.SizeOf[T]()
	for name, next := range map[string]func(i int) uint64{
		"uniform":   func(int) uint64 { return r.Uint64() },
		"small":     func(int) uint64 { return uint64(r.IntN(1000)) },
		"equal":     func(int) uint64 { return 7 },
		"two":       func(int) uint64 { return r.Uint64() & 1 << (size - 1) },
		"ascending": func(i int) uint64 { return uint64(i) },
		"half":      func(int) uint64 { return r.Uint64() * (r.Uint64() & 1) },
		"clusters":  func(int) uint64 { return uint64(r.IntN(30))<<(size-5) | uint64(r.IntN(50)) },
		"low bits":  func(int) uint64 { return uint64(r.IntN(1<<12))<<(size-12) | uint64(r.IntN(3)) },
		"floats":    func(int) uint64 { return uint64(math.Float32bits(float32(r.NormFloat64()))) << size >> 32 },
		"rare":      func(int) uint64 { return r.Uint64() >> r.IntN(64) },
	} {
		src := kit.Count(n, func(i int) T { return T(next(i)) })
		perm := kit.Count(n, func(i int) uint32 { return uint32(i) })
		slices.SortStableFunc(perm, func(i, j uint32) int { return cmp.Compare(src[i], src[j]) })
		number := kit.Count(n, func(i int) uint32 { return uint32(i) })
		for _, workers := range []int{1, 3} {
			env := kit.NewEnv(t, workers)
			keys, dst, moved := make([]T, n), make([]T, n), make([]uint32, n)
			if err := Sort(env, []Operand{Key(keys, src, Order[T]{})}, 1, 1, n, 1); err != nil {
				t.Fatal(err)
			}
			if err := Sort(env, []Operand{Key(dst, src, Order[T]{}), Payload(moved, number)}, 1, 1, n,
				1); err != nil {
				t.Fatal(err)
			}
			for i, p := range perm {
				if keys[i] != src[p] || dst[i] != src[p] || moved[i] != p {
					t.Fatalf("%s of %d bits, %d workers: element %d is %#x, and %#x from %d, want %#x from %d",
						name, size, workers, i, keys[i], dst[i], moved[i], src[p], p)
				}
			}
			kit.CheckFreed(t, env)
		}
	}
}

func TestSortSeveralKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 3000
	a := kit.Count(n, func(int) uint8 { return uint8(r.IntN(4)) })
	b := kit.Count(n, func(int) uint64 { return uint64(r.IntN(3)) << 40 })
	c := kit.Count(n, func(int) uint32 { return uint32(r.IntN(5)) })
	number := kit.Count(n, func(i int) uint32 { return uint32(i) })
	perm := sortNaively(1, n, 1, func(i, j int) int {
		return cmp.Or(cmp.Compare(a[i], a[j]), cmp.Compare(b[j], b[i]), cmp.Compare(c[i], c[j]))
	})
	da, db, dc, moved := make([]uint8, n), make([]uint64, n), make([]uint32, n), make([]uint32, n)
	err := Sort(kit.NewEnv(t, 2), []Operand{Key(da, a, Order[uint8]{}), Key(db, b, Order[uint64]{Descending: true}),
		Key(dc, c, Order[uint32]{}), Payload(moved, number)}, 3, 1, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range perm {
		if moved[i] != uint32(p) || da[i] != a[p] || db[i] != b[p] || dc[i] != c[p] {
			t.Fatalf("element %d comes from %d, want %d", i, moved[i], p)
		}
	}
}

func TestSortFunc(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range sortShapes {
		n := s[0] * s[1] * s[2]
		x := kit.Count(n, func(int) int32 { return int32(r.IntN(100)) })
		number := kit.Count(n, func(i int) uint32 { return uint32(i) })
		perm := sortNaively(s[0], s[1], s[2], func(i, j int) int { return cmp.Compare(x[i]%10, x[j]%10) })
		moved := make([]uint32, n)
		if err := SortFunc(kit.NewEnv(t, 2), []Operand{Payload(moved, number)},
			func(i, j int) bool { return x[i]%10 < x[j]%10 }, s[0], s[1], s[2]); err != nil {
			t.Fatal(err)
		}
		for i, p := range perm {
			if moved[i] != uint32(p) {
				t.Fatalf("%v: element %d comes from %d, want %d", s, i, moved[i], p)
			}
		}
	}
}

// A comparison that is not an order still ends with a permutation.
func TestSortFuncWithoutOrder(t *testing.T) {
	const n = 500
	number := kit.Count(n, func(i int) uint32 { return uint32(i) })
	moved := make([]uint32, n)
	if err := SortFunc(nil, []Operand{Payload(moved, number)}, func(int, int) bool { return true },
		1, n, 1); err != nil {
		t.Fatal(err)
	}
	slices.Sort(moved)
	if fmt.Sprint(moved) != fmt.Sprint(number) {
		t.Error("elements were lost")
	}
}

func BenchmarkSort(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	env := kit.NewEnv(b, 0)
	const n = 1_000_000
	src := bits32(kit.Fill(r, make([]float32, n)))
	dst, index, moved := make([]uint32, n), kit.Count(n, func(i int) uint32 { return uint32(i) }), make([]uint32, n)
	total := Order[uint32]{Kind: FloatTotal}
	numeric := Order[uint32]{Kind: FloatNumeric, Infinity: 0x7f800000}
	run := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) { kit.Bench(b, 0, "", f) })
	}
	run("f32/1m", func() error { return Sort(env, []Operand{Key(dst, src, total)}, 1, 1, n, 1) })
	run("f32/1m-numeric", func() error { return Sort(env, []Operand{Key(dst, src, numeric)}, 1, 1, n, 1) })
	run("f32/1m-argsort", func() error {
		return Sort(env, []Operand{Key(dst, src, total), Payload(moved, index)}, 1, 1, n, 1)
	})
	run("f32/1000x1000", func() error { return Sort(env, []Operand{Key(dst, src, total)}, 1, 1000, 1000, 1) })
	run("f32/1000x1000-axis0", func() error { return Sort(env, []Operand{Key(dst, src, total)}, 1, 1, 1000, 1000) })
	run("func/1m", func() error {
		return SortFunc(env, []Operand{Payload(dst, src)}, func(i, j int) bool { return src[i] < src[j] }, 1, n, 1)
	})
	run("f32/10", func() error { return Sort(env, []Operand{Key(dst, src, total)}, 1, 1, 10, 1) })
}
