package scan_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/scan"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernels/monoid"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// scanTest has the steps under test, and guarded memory.
type scanTest struct {
	env      *rt.Env
	emulated bool
	operands [2]*guard.Region
	given    [2][]byte
	failed   error
}

// scanTests returns a test for each width in the emulator, and for each that the processor supports.
func scanTests(t *testing.T) map[string]*scanTest {
	out := codetest.OnWidths(t, func(w target.Width) *scanTest {
		s := &scanTest{emulated: true}
		s.env = &rt.Env{Scans: scan.Emulated(w, s.emulate)}
		return s
	}, func(w target.Width) *scanTest {
		return &scanTest{env: &rt.Env{Scans: scan.Steps(w)}}
	})
	for _, s := range out {
		for i := range s.operands {
			s.operands[i] = guard.NewRegion(t, 1<<17)
		}
	}
	return out
}

// emulate runs code that can only access the operands, the arguments and the row before the first.
func (s *scanTest) emulate(text []byte, args unsafe.Pointer, all, before []byte) {
	if err := codetest.EmulateCode(text, args, append(s.given[:], all, before)...); err != nil && s.failed == nil {
		s.failed = err
	}
}

// scanBy compares the bits of scans of random numbers by the steps under test and by plain Go.
func scanBy[T any](t *testing.T, s *scanTest, m monoid.Monoid, r *rand.Rand, draw func(*rand.Rand) T,
	outer, n, inner int) {
	t.Helper()
	reverse, inPlace, edge := r.IntN(2) == 0, r.IntN(4) == 0, guard.Edges[r.IntN(2)]
	what := fmt.Sprintf("%T: %d × %d × %d, reverse %v, in place %v, %s", m, outer, n, inner, reverse, inPlace, edge)
	numbers := make([]T, outer*n*inner)
	for i := range numbers {
		numbers[i] = draw(r)
	}
	init := draw(r)
	want := make([]T, len(numbers))
	runScan(nil, want, numbers, outer, n, inner, m, init, reverse)
	src := guard.Copy(s.operands[0], numbers, edge)
	dst := src
	if !inPlace {
		dst = guard.Copy(s.operands[1], make([]T, len(numbers)), edge)
	}
	s.given = [2][]byte{rt.Bytes(src), nil}
	if !inPlace {
		s.given[1] = rt.Bytes(dst)
	}
	fault := guard.Run(func() { runScan(s.env, dst, src, outer, n, inner, m, init, reverse) })
	if fault != nil || s.failed != nil {
		t.Fatalf("%s: %v, %v", what, fault, s.failed)
	}
	for i, o := range s.operands {
		if i == 0 || !inPlace {
			if err := o.Check(); err != nil {
				t.Fatalf("%s: operand %d: %v", what, i, err)
			}
		}
	}
	if !bytes.Equal(rt.Bytes(dst), rt.Bytes(want)) {
		codetest.SameElements(t, what, dst, want)
	}
}

// runScan scans numbers.
func runScan[T any](env *rt.Env, dst, src []T, outer, n, inner int, m monoid.Monoid, init T, reverse bool) {
	monoid.Scan(env, rt.Bytes(dst), rt.Bytes(src), outer, n, inner, m, rt.Bytes([]T{init}), reverse)
}

// scanAll scans elements of each type by each operation.
func scanAll(t *testing.T, s *scanTest, r *rand.Rand, outer, n, inner int) {
	t.Helper()
	scanBy(t, s, &monoid.Sum[float32]{}, r, codetest.Number[float32], outer, n, inner)
	scanBy(t, s, &monoid.Prod[float32]{}, r, codetest.Number[float32], outer, n, inner)
	scanBy(t, s, &monoid.Sum[float64]{}, r, codetest.Number[float64], outer, n, inner)
	scanBy(t, s, &monoid.Prod[float64]{}, r, codetest.Number[float64], outer, n, inner)
	scanBy(t, s, &monoid.Sum[int32]{}, r, codetest.Word[int32], outer, n, inner)
	scanBy(t, s, &monoid.Prod[int32]{}, r, codetest.Word[int32], outer, n, inner)
	scanBy(t, s, &monoid.Sum[uint32]{}, r, codetest.Word[uint32], outer, n, inner)
	scanBy(t, s, &monoid.Prod[uint32]{}, r, codetest.Word[uint32], outer, n, inner)
	scanBy(t, s, &monoid.Sum[int64]{}, r, codetest.Word[int64], outer, n, inner)
	scanBy(t, s, &monoid.Sum[uint64]{}, r, codetest.Word[uint64], outer, n, inner)
	scanBy(t, s, &monoid.Prod[uint64]{}, r, codetest.Word[uint64], outer, n, inner)
}

// TestScanTails scans lines and rows of all lengths from 0 to 130, between guard pages.
func TestScanTails(t *testing.T) {
	for name, s := range scanTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for n := range 131 {
				if s.emulated && n > 40 && n%9 > 0 {
					continue
				}
				scanAll(t, s, r, 1+r.IntN(2), n, 1)
				scanAll(t, s, r, 1, 1+r.IntN(5), n)
			}
			scanAll(t, s, r, 1, 3, 300)
			if !s.emulated {
				scanAll(t, s, r, 2, 70, 60)
			}
		})
	}
}

// TestScanBlocks scans lines of several blocks with any number of workers: they have the bits of plain Go.
func TestScanBlocks(t *testing.T) {
	pool := rt.NewPool(3)
	defer pool.Close()
	for _, w := range codetest.Widths(t) {
		scans := scan.Steps(w)
		buffers := rt.NewBuffers(-1)
		for _, env := range []*rt.Env{{}, {Scans: scans}, {Scans: scans, Pool: pool, Buffers: buffers}} {
			r := rand.New(rand.NewPCG(5, 6))
			for _, n := range []int{8191, 8193, 30_000, 100_001} {
				x := make([]float32, 2*n)
				for i := range x {
					x[i] = codetest.Number[float32](r)
				}
				for _, reverse := range []bool{false, true} {
					got, want := make([]float32, len(x)), make([]float32, len(x))
					m := &monoid.Sum[float32]{}
					runScan(nil, want, x, 2, n, 1, m, 1, reverse)
					runScan(env, got, x, 2, n, 1, m, 1, reverse)
					codetest.SameNumbers(t, fmt.Sprintf("%s, %d workers, %d, reverse %v", w, env.Workers(), n, reverse),
						got,
						want)
				}
			}
		}
		if n := buffers.InUse(); n != 0 {
			t.Errorf("%d bytes of scratch memory are not freed", n)
		}
	}
}

// TestScanCode checks all code.
func TestScanCode(t *testing.T) {
	codetest.CheckCodes(t, scan.Codes, map[target.Width]int{target.V256: 133, target.V512: 245})
}
