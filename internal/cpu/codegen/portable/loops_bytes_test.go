package portable

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// TestBytes runs the loops of bytes on every pair, at lengths around whole words, with
// one operand the same for all, and with results where an operand is.
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
