package portable

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// TestQuotient compares with Go's division where the error of a reciprocal is largest.
func TestQuotient(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	check := func(x, d int64) {
		if got := quotient(x, reciprocal(uint64(d))); got != x/d {
			t.Fatalf("%d / %d = %d", x, d, got)
		}
	}
	for range 200000 {
		d := int64(r.Uint32()>>r.IntN(31)) | 2
		q := int64(r.Uint32()) / d
		for _, x := range []int64{q*d - 1, q * d, int64(r.Uint32()), 1<<32 - 1, 1<<31 - 1, 1 << 31} {
			check(x, d)
			check(-x, d)
		}
	}
}

// TestScalarFloors checks that the ops that round a quotient or a remainder down fuse to one operation, in each order
// of their operands, for constant and other divisors, and that similar ops do not. All agree with the oracle.
func TestScalarFloors(t *testing.T) {
	for _, typ := range []dtype.Type{dtype.S8, dtype.S16, dtype.S32, dtype.S64} {
		for divisor := int64(-7); divisor <= 7; divisor++ { // -7: the second parameter
			for variant := range 16 {
				k := floorKernel(typ, divisor, variant)
				if err := k.Verify(); err != nil {
					t.Fatal(err)
				}
				p := &scalarPoint{k: k}
				p.findFloors()
				if wrong := variant >= 12; len(p.floors) == 0 != wrong {
					t.Errorf("%d operations of\n%s", len(p.floors), k)
				}
				for i := range 60 {
					if !agrees(t, k, []dtype.Type{typ, typ}, i) {
						t.Fatalf("of\n%s", k)
					}
				}
			}
		}
	}
}

// floorKernel returns a quotient or, for odd variants, a remainder by a divisor.
func floorKernel(t dtype.Type, divisor int64, variant int) *kernel.Kernel {
	k := &kernel.Kernel{Name: fmt.Sprintf("floor%d", variant)}
	for i := range 2 {
		k.Params = append(k.Params, kernel.Param{Type: t, Elems: 1})
		k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: &kernel.Access{Param: i}})
	}
	const x = kernel.Value(0)
	c := kernel.Value(1)
	integer := func(v int64) kernel.Value {
		return k.Body.Add(kernel.Instr{Op: kernel.Const, Type: t,
			Bits: [2]uint64{uint64(v) << (64 - t.Bits()) >> (64 - t.Bits())}})
	}
	binary := func(op kernel.Op, typ, from dtype.Type, a, b kernel.Value, swap bool) kernel.Value {
		if swap {
			a, b = b, a
		}
		return k.Body.Add(kernel.Instr{Op: op, Type: typ, From: from, Args: [3]kernel.Value{a, b}})
	}
	known := divisor != -7
	if known {
		c = integer(divisor)
	}
	none, swap, wrong := dtype.Invalid, variant/2%2 == 1, variant >= 12
	zero, one := integer(0), integer(1)
	rem := binary(kernel.Rem, t, none, x, c, false)
	nonzero := binary(kernel.NE, dtype.Bool, t, rem, zero, false)
	var differ, adjusted, plain kernel.Value
	if variant%2 == 0 {
		signOf := func(v kernel.Value) kernel.Value {
			return k.Body.Add(kernel.Instr{Op: kernel.Sign, Type: t, Args: [3]kernel.Value{v}})
		}
		s := signOf(c)
		if known && variant/4%2 == 0 {
			s = integer(sign(divisor))
		}
		plain = binary(kernel.Div, t, none, x, c, false)
		differ = binary(kernel.NE, dtype.Bool, t, signOf(x), s, swap)
		if wrong {
			one = integer(2)
		}
		adjusted = binary(kernel.Sub, t, none, plain, one, false)
	} else {
		plain = rem
		differ = binary(kernel.LT, dtype.Bool, t, rem, zero, false)
		negative := binary(kernel.LT, dtype.Bool, t, c, zero, false)
		if known && variant/4%2 == 0 {
			negative = k.Body.Add(kernel.Instr{Op: kernel.Const, Type: dtype.Bool,
				Bits: [2]uint64{uint64(b2u(divisor < 0))}})
		}
		if !known || divisor < 0 || variant/4%3 != 2 {
			differ = binary(kernel.NE, dtype.Bool, none, differ, negative, swap)
		}
		add := c
		if wrong {
			add = one
		}
		adjusted = binary(kernel.Add, t, none, rem, add, swap)
	}
	and := binary(kernel.And, dtype.Bool, none, differ, nonzero, variant/8 == 1)
	v := k.Body.Add(kernel.Instr{Op: kernel.Select, Type: t, Args: [3]kernel.Value{and, adjusted, plain}})
	k.Params = append(k.Params, kernel.Param{Type: t, Elems: 1})
	k.Stores = []kernel.Store{{Value: v, Type: t, At: kernel.Access{Param: 2}}}
	return k
}
