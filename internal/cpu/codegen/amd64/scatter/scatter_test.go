package scatter_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/scatter"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernels/half"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// combineTest has the steps under test, and guarded memory.
type combineTest struct {
	steps    rt.CombineSteps
	emulated bool
	operands [3]*guard.Region // the elements, the updates, and the offsets
	given    [3][]byte
	failed   error
}

// combineTests returns a test for each width in the emulator, and for each that the processor supports.
func combineTests(t *testing.T) map[string]*combineTest {
	out := codetest.OnWidths(t, func(w target.Width) *combineTest {
		c := &combineTest{emulated: true}
		c.steps = scatter.Emulated(w, c.emulate)
		return c
	}, func(w target.Width) *combineTest {
		return &combineTest{steps: scatter.Steps(w)}
	})
	for _, c := range out {
		for i := range c.operands {
			c.operands[i] = guard.NewRegion(t, 1<<17)
		}
	}
	return out
}

// emulate runs code that can only access the operands and the arguments.
func (c *combineTest) emulate(text []byte, args unsafe.Pointer, all []byte) {
	if err := codetest.EmulateCode(text, args, append(c.given[:], all)...); err != nil && c.failed == nil {
		c.failed = err
	}
}

// combineBy updates random rows with the steps under test and with plain Go.
func combineBy[T float32 | float64 | int32 | uint32 | int64 | uint64](t *testing.T, c *combineTest, op rt.CombineOp,
	r *rand.Rand, draw func(*rand.Rand) T, windows, n int) {
	t.Helper()
	var zero T
	combineWith(t, c, op, zero, r, draw, codetest.Combined[T], func(x T) any { return x }, windows, n)
}

// combineHalves is combineBy for elements that are updated as float32.
func combineHalves[T rt.Float16 | rt.BFloat16](t *testing.T, c *combineTest, op rt.CombineOp, r *rand.Rand,
	windows, n int) {
	t.Helper()
	combineWith(t, c, op, T(0), r, anyHalf[T], func(op rt.CombineOp, x, y T) T {
		return rounded[T](codetest.Combined(op, widened(x), widened(y)))
	}, func(x T) any { return widened(x) }, windows, n)
}

// combinePacks is combineBy for packs of four bytes of narrow integers.
func combinePacks[T int8 | uint8 | int16 | uint16](t *testing.T, c *combineTest, pack rt.CombinePack, op rt.CombineOp,
	r *rand.Rand, windows, n int) {
	t.Helper()
	draw := func(r *rand.Rand) [4]byte {
		x := r.Uint32()
		return [4]byte{byte(x), byte(x >> 8), byte(x >> 16), byte(x >> 24)}
	}
	combineWith(t, c, op, pack, r, draw, func(op rt.CombineOp, x, y [4]byte) [4]byte {
		a, b := rt.View[T](x[:]), rt.View[T](y[:])
		for i := range a {
			a[i] = codetest.Combined(op, a[i], b[i])
		}
		return x
	}, func(x [4]byte) any { return x }, windows, n)
}

// combineWith is combineBy for any elements; all NaNs compare equal if elements are compared as values.
func combineWith[T any](t *testing.T, c *combineTest, op rt.CombineOp, like any, r *rand.Rand,
	draw func(*rand.Rand) T, combined func(op rt.CombineOp, x, y T) T, value func(T) any, windows, n int) {
	t.Helper()
	step := c.steps.Step(op, like)
	if step == nil {
		return
	}
	what := fmt.Sprintf("%T %v: operation %d, %d rows of %d", like, like, op, windows, n)
	edge := guard.Edges[r.IntN(2)]
	step1 := n + r.IntN(3)
	have, by, places := make([]T, 7*n+3), make([]T, (windows-1)*step1+n), make([]int, windows)
	for _, s := range [][]T{have, by} {
		for i := range s {
			s[i] = draw(r)
		}
	}
	for i := range places {
		places[i] = -1 - r.IntN(9) // out of bounds
		if r.IntN(8) > 0 {
			places[i] = 3 + n*r.IntN(7) // with duplicates
		}
	}
	want := append([]T(nil), have...)
	for i, at := range places {
		for j := range n {
			if at >= 0 {
				want[at+j] = combined(op, want[at+j], by[i*step1+j])
			}
		}
	}
	dst, src, at := guard.Copy(c.operands[0], have, edge), guard.Copy(c.operands[1], by, edge),
		guard.Copy(c.operands[2], places, edge)
	c.given = [3][]byte{rt.Bytes(dst), rt.Bytes(src), rt.Bytes(at)}
	fault := guard.Run(func() { step.Rows(unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), at, step1, n) })
	if fault != nil || c.failed != nil {
		t.Fatalf("%s: %v, %v", what, fault, c.failed)
	}
	for i, o := range c.operands {
		if err := o.Check(); err != nil {
			t.Fatalf("%s: operand %d: %v", what, i, err)
		}
	}
	codetest.SameElements(t, what, valuesOf(dst, value), valuesOf(want, value))
	codetest.SameElements(t, what, src, by)
}

func valuesOf[T any](x []T, value func(T) any) []any {
	out := make([]any, len(x))
	for i, v := range x {
		out[i] = value(v)
	}
	return out
}

// anyHalf returns the bits of a number of a format, often one whose sums overflow or are small.
func anyHalf[T rt.Float16 | rt.BFloat16](r *rand.Rand) T {
	switch r.IntN(10) {
	case 0:
		return T(r.Uint32()) // NaN with a payload, infinities, subnormal numbers
	case 1:
		return T([]uint16{0, 1 << 15, 0x7bff, 0x7f7f, 1, 0x8001, 0x7c00, 0xff80}[r.IntN(8)])
	}
	return rounded[T](float32(r.NormFloat64()))
}

func widened[T rt.Float16 | rt.BFloat16](x T) float32 {
	var out [1]float32
	if _, is := any(x).(rt.Float16); is {
		half.WidenF16(out[:], []uint16{uint16(x)})
	} else {
		half.WidenBF16(out[:], []uint16{uint16(x)})
	}
	return out[0]
}

func rounded[T rt.Float16 | rt.BFloat16](x float32) T {
	var out [1]uint16
	if _, is := any(T(0)).(rt.Float16); is {
		half.NarrowF16(out[:], []float32{x})
	} else {
		half.NarrowBF16(out[:], []float32{x})
	}
	return T(out[0])
}

// TestCombineTails updates rows of all lengths from 1 to 130, between guard pages.
func TestCombineTails(t *testing.T) {
	for name, c := range combineTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for k := range 140 {
				n := max(1, k-9)
				if c.emulated && n > 40 && n%9 > 0 {
					continue
				}
				for op := range rt.NumCombineOps {
					windows := 1 + r.IntN(9)
					combineBy(t, c, op, r, codetest.Number[float32], windows, n)
					combineBy(t, c, op, r, codetest.Number[float64], windows, n)
					combineBy(t, c, op, r, codetest.Word[int32], windows, n)
					combineBy(t, c, op, r, codetest.Word[uint32], windows, n)
					combineBy(t, c, op, r, codetest.Word[int64], windows, n)
					combineBy(t, c, op, r, codetest.Word[uint64], windows, n)
					combineHalves[rt.Float16](t, c, op, r, windows, n)
					combineHalves[rt.BFloat16](t, c, op, r, windows, n)
					if k%5 > 0 {
						continue
					}
					combineWith(t, c, op, complex64(0), r, func(r *rand.Rand) complex64 {
						return complex(codetest.Number[float32](r), codetest.Number[float32](r))
					}, func(op rt.CombineOp, x, y complex64) complex64 {
						if op == rt.CombineProd {
							return x * y
						}
						return x + y
					}, func(x complex64) any { return [2]any{real(x), imag(x)} }, windows, n)
					combinePacks[int8](t, c, rt.CombineS8, op, r, windows, n)
					combinePacks[uint8](t, c, rt.CombineU8, op, r, windows, n)
					combinePacks[int16](t, c, rt.CombineS16, op, r, windows, n)
					combinePacks[uint16](t, c, rt.CombineU16, op, r, windows, n)
				}
			}
			combineBy(t, c, rt.CombineSum, r, codetest.Number[float32], 3, 600) // in several groups
			combineBy(t, c, rt.CombineMax, r, codetest.Number[float64], 3, 300)
		})
	}
}

// TestScatterOffsets computes the offsets of random indices, some of them out of bounds, between guard pages.
func TestScatterOffsets(t *testing.T) {
	for name, c := range combineTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			for range 400 {
				findOffsets[int32](t, c, r)
				findOffsets[int64](t, c, r)
			}
		})
	}
}

// findOffsets computes offsets with the code under test and with plain Go.
func findOffsets[I int32 | int64](t *testing.T, c *combineTest, r *rand.Rand) {
	t.Helper()
	n, step, stride, limit, moves := 1+r.IntN(40), 1, 1+r.IntN(50), r.IntN(9), r.IntN(2) == 0
	if r.IntN(2) == 0 {
		step = 2 + r.IntN(3)
	}
	if r.IntN(4) == 0 {
		stride, limit = math.MaxInt32, math.MaxInt32-1
	}
	indices, places := make([]I, (n-1)*step+1), make([]int, n)
	for i := range indices {
		switch indices[i] = I(r.IntN(12) - 2); r.IntN(8) {
		case 0:
			indices[i] = I(r.Uint64()) // of 64 bits, also with a small lower half
		case 1:
			indices[i] += I(int64(r.IntN(2)) << 32)
		}
	}
	for i := range places {
		places[i] = r.IntN(1000) - 100
	}
	want := append([]int(nil), places...)
	for i := range want {
		x, from := int(indices[i*step]), 0
		if moves {
			from = want[i]
		}
		if want[i] = from + x*stride; x < 0 || x > limit || from < 0 {
			want[i] = -1
		}
	}
	edge, size := guard.Edges[r.IntN(2)], int(unsafe.Sizeof(indices[0]))
	from, at := guard.Copy(c.operands[0], indices, edge), guard.Copy(c.operands[1], places, edge)
	c.given = [3][]byte{rt.Bytes(from), rt.Bytes(at), rt.Bytes(guard.Copy(c.operands[2], places[:1], edge))}
	what := fmt.Sprintf("%d of %d bytes, step %d, stride %d, limit %d, moves: %v", n, size, step, stride, limit, moves)
	var done int
	fault := guard.Run(func() {
		done = c.steps.Offsets(at, unsafe.Pointer(&from[0]), size, step, stride, limit, moves)
	})
	if fault != nil || c.failed != nil {
		t.Fatalf("%s: %v, %v", what, fault, c.failed)
	}
	for i, o := range c.operands {
		if err := o.Check(); err != nil {
			t.Fatalf("%s: operand %d: %v", what, i, err)
		}
	}
	if done > n || n >= 8 && done < n-7 {
		t.Fatalf("%s: %d done", what, done)
	}
	codetest.SameElements(t, what, at[:done], want[:done])
	codetest.SameElements(t, what, at[done:], places[done:])
}

// TestCombineCode checks all code.
func TestCombineCode(t *testing.T) {
	codetest.CheckCodes(t, scatter.Codes, map[target.Width]int{target.V256: 688, target.V512: 1436})
}
