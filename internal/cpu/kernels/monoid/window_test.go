package monoid

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// scanNumbers is [Scan] of numbers.
func scanNumbers[T any](env *rt.Env, dst, src []T, outer, n, inner int, m Monoid, init T, reverse bool) {
	Scan(env, rt.Bytes(dst), rt.Bytes(src), outer, n, inner, m, element(init), reverse)
}

// reduceNumbers is [ReduceWindow] of numbers.
func reduceNumbers[T any](env *rt.Env, dst, src []T, sizes []int, windows []Window, m Monoid) error {
	return ReduceWindow(env, rt.Bytes(dst), rt.Bytes(src), sizes, windows, m)
}

func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range [][3]int{{1, 1, 1}, {3, 10, 1}, {7001, 3, 1}, {3, 16, 1}, {2, 7, 5}, {1, 30000, 1},
		{9, 20000, 1}, {2, 40, 300}, {0, 3, 4}, {3, 0, 4}} {
		for _, rev := range []bool{false, true} {
			src := kit.Fill(r, make([]float64, s[0]*s[1]*s[2]))
			dst := make([]float64, len(src))
			scanNumbers(kit.NewEnv(t, 2), dst, src, s[0], s[1], s[2], &Sum[float64]{}, 0.5, rev)
			for o := range s[0] {
				for j := range s[2] {
					at := func(i int) int { // of element i in the order of the scan
						if rev {
							i = s[1] - 1 - i
						}
						return (o*s[1]+i)*s[2] + j
					}
					line := make([]float64, s[1])
					for i := range line {
						line[i] = src[at(i)]
					}
					for i, want := range runningSums(line, 0.5, s[2] == 1 && s[1] >= scanGroup) {
						if got := dst[at(i)]; got != want {
							t.Fatalf("%v reverse %v: element %d is %v, want %v", s, rev, at(i), got, want)
						}
					}
				}
			}
			scanNumbers(nil, src, src, s[0], s[1], s[2], &Sum[float64]{}, 0.5, rev)
			if fmt.Sprint(src) != fmt.Sprint(dst) {
				t.Errorf("%v reverse %v: in place differs", s, rev)
			}
		}
	}
	x := []float64{1, -1, math.NaN(), 5}
	scanNumbers(nil, x, x, 1, 4, 1, &Max[float64]{math.Inf(-1)}, math.Inf(-1), false)
	if fmt.Sprint(x) != "[1 1 NaN NaN]" {
		t.Errorf("cumulative maximum %v", x)
	}
}

// runningSums returns init and the sums of a line, in groups of blocks or one by one. TestScanShortLines scans short
// lines by each operation, and each line separately element by element.
func TestScanShortLines(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, m := range []Monoid{&Sum[float32]{}, &Prod[float64]{}, &Sum[complex64]{},
		&Max[float32]{float32(math.Inf(-1))},
		&Min[float64]{math.Inf(1)}, &Max[int16]{math.MinInt16}, &Min[uint8]{255}, &And[uint32]{}, &Or[uint8]{},
		&Xor[uint64]{}} {
		size := len(m.Identity())
		for n := range scanGroup {
			outer := 1 + r.IntN(40)
			src := make([]byte, outer*n*size)
			for i := range src {
				src[i] = byte(r.IntN(64)) // no NaNs: either of two may be kept
			}
			init, dst := make([]byte, size), make([]byte, len(src))
			init[size-1] = byte(r.IntN(64))
			for _, rev := range []bool{false, true} {
				Scan(kit.NewEnv(t, 2), dst, src, outer, n, 1, m, init, rev)
				for o := range outer {
					want := bytes.Clone(init)
					for i := range n {
						at := (o*n + i) * size
						if rev {
							at = (o*n + n - 1 - i) * size
						}
						m.Into(want, src[at:][:size])
						if got := dst[at:][:size]; !bytes.Equal(got, want) {
							t.Fatalf("%T, lines of %d, reverse %v: %x, want %x", m, n, rev, got, want)
						}
					}
				}
			}
		}
	}
}

func runningSums(line []float64, init float64, grouped bool) []float64 {
	out, carry := make([]float64, len(line)), init
	if !grouped {
		for i, x := range line {
			carry += x
			out[i] = carry
		}
		return out
	}
	for first := 0; first < len(line); first += scanBlock {
		block := line[first:min(first+scanBlock, len(line))]
		before := 0.0
		for at := 0; at < len(block); at += scanGroup {
			group := make([]float64, scanGroup)
			n := copy(group, block[at:])
			for k := 1; k < scanGroup; k *= 2 {
				for i := range group {
					if i&k != 0 {
						group[i] += group[i&^(2*k-1)+k-1]
					}
				}
			}
			for i, x := range group[:n] {
				out[first+at+i] = carry + (before + x)
			}
			before += group[scanGroup-1]
		}
		carry += before
	}
	return out
}

// naiveWindow visits every element of every window.
func naiveWindow[T any](src []T, sizes []int, windows []Window, m Monoid) []T {
	out := make([]int, len(sizes))
	for i, w := range windows {
		out[i] = w.Out(sizes[i])
	}
	dst := make([]T, volume(out))
	var walk func(axis, d, s int)
	walk = func(axis, d, s int) {
		if axis == len(sizes) {
			m.Into(rt.Bytes(dst[d:d+1]), rt.Bytes(src[s:s+1]))
			return
		}
		w := windows[axis]
		for i := range out[axis] {
			for j := range w.Size {
				if k := w.sourceIndex(i*w.Stride+j*w.Dilation, sizes[axis]); k >= 0 {
					walk(axis+1, d*out[axis]+i, s*sizes[axis]+k)
				}
			}
		}
	}
	move.Repeat(rt.Bytes(dst), m.Identity())
	walk(0, 0, 0)
	return dst
}

func checkWindow(t *testing.T, sizes []int, windows []Window) {
	t.Helper()
	env := kit.NewEnv(t, 2)
	r := rand.New(rand.NewPCG(1, 2))
	src := kit.Fill(r, make([]float64, volume(sizes)))
	ints := kit.Fill(r, make([]int32, len(src)))
	want := naiveWindow(src, sizes, windows, &Max[float64]{math.Inf(-1)})
	got := make([]float64, len(want))
	if err := reduceNumbers(env, got, src, sizes, windows, &Max[float64]{math.Inf(-1)}); err != nil {
		t.Fatal(err)
	}
	wantInts := naiveWindow(ints, sizes, windows, &Sum[int32]{})
	gotInts := make([]int32, len(want))
	if err := reduceNumbers(env, gotInts, ints, sizes, windows, &Sum[int32]{}); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%v %v: maximum %d is %v, want %v", sizes, windows, i, got[i], want[i])
		}
		if gotInts[i] != wantInts[i] {
			t.Fatalf("%v %v: sum %d is %v, want %v", sizes, windows, i, gotInts[i], wantInts[i])
		}
	}
	kit.CheckFreed(t, env)
}

func TestReduceWindow(t *testing.T) {
	same := Window{1, 1, 1, 1, 0, 0}
	pool := Window{2, 2, 1, 1, 0, 0}
	for _, c := range []struct {
		sizes   []int
		windows []Window
	}{
		{[]int{}, nil},
		{[]int{5}, []Window{same}},
		{[]int{0}, []Window{{2, 1, 1, 1, 1, 1}}},
		{[]int{0}, []Window{{3, 1, 1, 1, 1, 1}}},
		{[]int{5}, []Window{{7, 1, 1, 1, 0, 0}}},
		{[]int{1000}, []Window{{1000, 1, 1, 1, 999, 0}}},
		{[]int{1000}, []Window{{10, 3, 1, 1, 4, 5}}},
		{[]int{1000}, []Window{{10, 1, 3, 1, 4, 5}}},
		{[]int{100}, []Window{{3, 2, 1, 1, -7, -9}}},
		{[]int{100}, []Window{{9, 2, 1, 3, -7, -9}}},
		{[]int{100}, []Window{{2, 1, 1, 3, 4, 0}}},
		{[]int{2, 12, 14, 3}, []Window{same, pool, pool, same}},
		{[]int{2, 3, 12, 14}, []Window{same, same, pool, pool}},
		{[]int{2, 12, 14, 30}, []Window{same, {3, 2, 1, 1, 1, 1}, {3, 2, 1, 1, 1, 1}, same}},
		{[]int{40, 300}, []Window{{9, 1, 1, 1, 4, 4}, {9, 1, 1, 1, 4, 4}}},
		{[]int{40, 300}, []Window{{9, 1, 2, 1, 4, 4}, {9, 4, 2, 2, 4, 4}}},
		{[]int{3, 200, 20}, []Window{same, {200, 1, 1, 1, 199, 0}, same}},
	} {
		checkWindow(t, c.sizes, c.windows)
	}
}

func TestReduceWindowRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		rank := 1 + r.IntN(3)
		sizes, windows := make([]int, rank), make([]Window, rank)
		for i := range sizes {
			sizes[i] = r.IntN(24)
			windows[i] = Window{1 + r.IntN(9), 1 + r.IntN(3), 1 + r.IntN(3), 1 + r.IntN(3), r.IntN(12) - 4,
				r.IntN(12) - 4}
		}
		checkWindow(t, sizes, windows)
	}
}

func BenchmarkWindow(b *testing.B) {
	env := kit.NewEnv(b, 0)
	src := kit.Fill(rand.New(rand.NewPCG(1, 2)), make([]float32, 1<<20))
	dst := make([]float32, 1<<20)
	max32 := &Max[float32]{float32(math.Inf(-1))}
	b.Run("cumsum/1m", func(b *testing.B) {
		kit.Bench(b, 0, "", func() error {
			scanNumbers(env, dst, src, 1, 1_000_000, 1, &Sum[float32]{}, 0, false)
			return nil
		})
	})
	b.Run("cumsum/1000x1000", func(b *testing.B) {
		kit.Bench(b, 0, "", func() error {
			scanNumbers(env, dst, src, 1000, 1000, 1, &Sum[float32]{}, 0, false)
			return nil
		})
	})
	same, pool := Window{1, 1, 1, 1, 0, 0}, Window{2, 2, 1, 1, 0, 0}
	wide := Window{51, 1, 1, 1, 25, 25}
	for _, c := range []struct {
		name    string
		sizes   []int
		windows []Window
	}{
		{"pool/64x28x28x16", []int{64, 28, 28, 16}, []Window{same, pool, pool, same}},
		{"pool/64x16x28x28", []int{64, 16, 28, 28}, []Window{same, same, pool, pool}},
		{"51x51/1000x1000", []int{1000, 1000}, []Window{wide, wide}},
		{"cumulative/1m", []int{1000000}, []Window{{1000000, 1, 1, 1, 999999, 0}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			kit.Bench(b, 0, "", func() error { return reduceNumbers(env, dst, src, c.sizes, c.windows, max32) })
		})
	}
}
