package portable

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// TestBytes runs the loops over bytes on every pair, at lengths around whole words, with one operand broadcast and with
// the result in place of an operand.
func TestBytes(t *testing.T) {
	testBytes(t, dtype.S8, func(v int) int8 { return int8(v) })
	testBytes(t, dtype.U8, func(v int) uint8 { return uint8(v) })
}

func testBytes[T int8 | uint8](t *testing.T, typ dtype.Type, of func(int) T) {
	first, second := make([]T, 1<<16), make([]T, 1<<16)
	for i := range first {
		first[i], second[i] = of(i), of(i>>8)
	}
	shift := func(f func(x T, by uint8) T) func(x, y T) T { return func(x, y T) T { return f(x, uint8(y)) } }
	for _, c := range []struct {
		op   kernel.Op
		want func(x, y T) T
	}{
		{kernel.Max, func(x, y T) T { return max(x, y) }},
		{kernel.Min, func(x, y T) T { return min(x, y) }},
		{kernel.Shl, shift(func(x T, by uint8) T { return x << by })},
		{kernel.ShrL, shift(func(x T, by uint8) T { return T(uint8(x) >> by) })},
		{kernel.ShrA, shift(func(x T, by uint8) T { return T(int8(x) >> by) })},
		{kernel.MulHi, func(x, y T) T { return T(int(x) * int(y) >> 8) }},
	} {
		t.Run(fmt.Sprint(c.op, " ", typ), func(t *testing.T) {
			run := func(a, b []T, into int) {
				t.Helper()
				n := max(len(a), len(b))
				want := make([]T, n)
				for i := range want {
					want[i] = c.want(a[i%len(a)], b[i%len(b)])
				}
				a, b = slices.Clone(a), slices.Clone(b)
				d := [][]T{make([]T, n), a, b}[into]
				step, err := typedInstr(&kernel.Instr{Op: c.op, Type: typ}, typ,
					ref{reg: 0}, ref{1, len(a) == 1}, ref{2, len(b) == 1})
				if err != nil {
					t.Fatal(err)
				}
				regs := []unsafe.Pointer{unsafe.Pointer(&d[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0])}
				step(&machine{regs: regs}, n)
				if !slices.Equal(d, want) {
					i := 0
					for d[i] == want[i] {
						i++
					}
					t.Fatalf("%d and %d elements into operand %d: element %d is %d, want %d",
						len(a), len(b), into, i, d[i], want[i])
				}
			}
			for into := range 3 {
				run(first, second, into)
				for n := 2; n < 35; n++ {
					run(first[7*n:8*n], second[301*n:302*n], into)
				}
			}
			for v := range 256 {
				one := []T{of(v)}
				run(first[:261], one, v%2)
				run(one, first[:261], v%2*2)
				run(one, one, 0)
			}
		})
	}
}

// TestCounts counts the bits of every byte, at lengths around whole words, and of narrower elements, which are held in
// bytes.
func TestCounts(t *testing.T) {
	for _, typ := range []dtype.Type{dtype.S8, dtype.U8, dtype.S4, dtype.U4, dtype.S2, dtype.U2} {
		for n := 1; n <= 256; n += 1 + n/20 {
			x := make([]byte, n)
			for i := range x {
				x[i] = byte(i * 37)
			}
			for op, count := range map[kernel.Op]func(bits uint8) int{
				kernel.Popcnt: bits.OnesCount8,
				kernel.Clz:    func(b uint8) int { return bits.LeadingZeros8(b) - (8 - typ.Bits()) },
			} {
				reg := kernel.Register(typ)
				s, err := typedInstr(&kernel.Instr{Op: op, Type: typ}, reg, ref{reg: 0}, ref{reg: 1}, ref{})
				if err != nil {
					t.Fatal(err)
				}
				for i, got := range runStep(s, reg, n, x) {
					if want := count(x[i] & (0xff >> (8 - typ.Bits()))); int(got) != want {
						t.Fatalf("%v of %v %#x, element %d of %d: %d, want %d", op, typ, x[i], i, n, got, want)
					}
				}
			}
		}
	}
}
