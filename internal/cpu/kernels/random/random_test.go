package random

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

// The known answers of Random123's kat_vectors.
func TestGeneratorsKnownAnswers(t *testing.T) {
	for _, c := range [][6]uint32{
		{0, 0, 0, 0, 0x6b200159, 0x99ba4efe},
		{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x1cb996fc, 0xbb002be7},
		{0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3, 0xc4923a9c, 0x483df7a0},
	} {
		if x0, x1 := threefry(c[0], c[1], c[2], c[3]); x0 != c[4] || x1 != c[5] {
			t.Errorf("threefry of %x is %x %x", c[:4], x0, x1)
		}
	}
	for _, c := range [][10]uint32{
		{0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
		{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e,
			0xa20bc7c6, 0x6d5451fd},
		{0xa4093822, 0x299f31d0, 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xd16cfe09, 0x94fdcceb,
			0x5001e420, 0x24126ea1},
	} {
		got := make([]uint32, 4)
		Philox(nil, got, []uint64{join64(c[0], c[1]), join64(c[2], c[3]), join64(c[4], c[5])})
		if fmt.Sprint(got) != fmt.Sprint(c[6:]) {
			t.Errorf("philox of %x is %x", c[:6], got)
		}
	}
}

func TestThreefry32(t *testing.T) {
	for _, s := range [][3]int{{1, 2, 1}, {1, 7, 1}, {3, 4, 5}, {2, 9001, 3}, {0, 2, 2}} {
		outer, size, inner := s[0], s[1], s[2]
		state := [2]uint64{0x123456789abcdef0, 1<<32 - 3}
		got := make([]uint32, outer*size*inner)
		Threefry32(kit.NewEnv(t, 2), got, &state, outer, size, inner)
		counter := uint64(1<<32 - 3)
		for o := range outer {
			for p := range (size + 1) / 2 {
				for i := range inner {
					c0, c1 := split64(counter)
					w0, w1 := threefry(0x9abcdef0, 0x12345678, c0, c1)
					counter++
					at := (o*size+2*p)*inner + i
					if got[at] != w0 || 2*p+1 < size && got[at+inner] != w1 {
						t.Fatalf("%v: pair at %d is wrong", s, at)
					}
				}
			}
		}
		if state[1] != counter {
			t.Errorf("%v: counter %d, want %d", s, state[1], counter)
		}
	}
	state := [2]uint64{5, 6}
	longs := make([]uint64, 9000)
	Threefry64(kit.NewEnv(t, 2), longs, &state)
	if w := join64(threefry(5, 0, 6+8999, 0)); longs[8999] != w || state[1] != 6+9000 {
		t.Errorf("last number %x, want %x; state %v", longs[8999], w, state)
	}
}

func TestPhiloxStream(t *testing.T) {
	for _, n := range []int{0, 1, 5, 20001} {
		for _, words := range []int{2, 3} {
			start := []uint64{77, ^uint64(0) - 2, 99}[:words]
			a, b := append([]uint64(nil), start...), append([]uint64(nil), start...)
			x, y := make([]uint32, n), make([]uint64, n)
			Philox(kit.NewEnv(t, 2), x, a)
			Philox(nil, y, b)
			lo, hi := start[1], uint64(77)
			if words == 3 {
				hi = 99
			}
			for i := 0; i < 4*n; i += 4 { // blocks, as words and as halves of numbers
				c0, c1 := split64(lo)
				c2, c3 := split64(hi)
				var w [4]uint32
				w[0], w[1], w[2], w[3] = philox(77, 0, c0, c1, c2, c3)
				for k, v := range w {
					if j := i + k; j < n && x[j] != v {
						t.Fatalf("word %d is %x, want %x", j, x[j], v)
					}
					if j := (i + k) / 2; j < n && uint32(y[j]>>(32*(k%2))) != v {
						t.Fatalf("number %d is %x", j, y[j])
					}
				}
				if lo++; lo == 0 {
					hi++
				}
				if i+4 == 4*((n+3)/4) && (a[1] != lo || words == 3 && a[2] != hi) {
					t.Fatalf("%d words: state %v, want %d %d", n, a, lo, hi)
				}
			}
		}
	}
}

func BenchmarkRandom(b *testing.B) {
	env := kit.NewEnv(b, 0)
	x := make([]uint32, 1_000_000)
	b.Run("threefry/1m", func(b *testing.B) {
		state := [2]uint64{1, 2}
		kit.Bench(b, 0, "", func() error { Threefry32(env, x, &state, 1, len(x), 1); return nil })
	})
	b.Run("philox/1m", func(b *testing.B) {
		state := []uint64{1, 2, 3}
		kit.Bench(b, 0, "", func() error { Philox(env, x, state); return nil })
	})
}
