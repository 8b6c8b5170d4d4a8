package jit_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/go-nx/nx/fft"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// identities are uses of functions that change nothing about a tensor of 2 × 3.
var identities = map[string]func(x nx.Tensor) nx.Tensor{
	"Reshape":         func(x nx.Tensor) nx.Tensor { return nx.Reshape(x, 2, 3) },
	"Reshape -1":      func(x nx.Tensor) nx.Tensor { return nx.Reshape(x, 2, -1) },
	"BroadcastTo":     func(x nx.Tensor) nx.Tensor { return nx.BroadcastTo(x, 2, 3) },
	"Cast":            func(x nx.Tensor) nx.Tensor { return nx.Cast(x, x.DType()) },
	"Bitcast":         func(x nx.Tensor) nx.Tensor { return nx.Bitcast(x, x.DType()) },
	"Transpose":       func(x nx.Tensor) nx.Tensor { return nx.Transpose(x, nx.Axis(0, 1)) },
	"Transpose twice": func(x nx.Tensor) nx.Tensor { return nx.Transpose(nx.Transpose(x)) },
	"Squeeze":         func(x nx.Tensor) nx.Tensor { return nx.Squeeze(x) },
	"Flatten":         func(x nx.Tensor) nx.Tensor { return nx.Flatten(x, nx.Axis(0)) },
	"Flatten none":    func(x nx.Tensor) nx.Tensor { return nx.Flatten(x, nx.Axis[int]()) },
	"Concatenate":     func(x nx.Tensor) nx.Tensor { return nx.Concatenate([]nx.Tensor{x}, nx.Axis(0)) },
	"StopGradient":    nx.StopGradient,
	"Rename":          func(x nx.Tensor) nx.Tensor { return nx.Rename(x) },
	"Rename a, b":     func(x nx.Tensor) nx.Tensor { return nx.Rename(x, "a", "b") },
	"At":              func(x nx.Tensor) nx.Tensor { return x.At() },
	"At all":          func(x nx.Tensor) nx.Tensor { return x.At(nx.Whole, nx.Ellipsis) },
	"At a range":      func(x nx.Tensor) nx.Tensor { return x.At(nx.Range(0, 2)) },
	"Pad":             func(x nx.Tensor) nx.Tensor { return nx.Pad(x, 0, [2]int{}, [2]int{}) },
	"PadWith":         func(x nx.Tensor) nx.Tensor { return nx.PadWith(x, nx.PadEdge, [2]int{}, [2]int{}) },
	"Roll":            func(x nx.Tensor) nx.Tensor { return nx.Roll(x, 0) },
	"Roll around":     func(x nx.Tensor) nx.Tensor { return nx.Roll(x, 3, nx.Axis(1)) },
	"Roll no axis":    func(x nx.Tensor) nx.Tensor { return nx.Roll(x, 1, nx.Axis[int]()) },
	"Reverse none":    func(x nx.Tensor) nx.Tensor { return nx.Reverse(x, nx.Axis[int]()) },
	"FFTShift none":   func(x nx.Tensor) nx.Tensor { return fft.Shift(x, nx.Axis[int]()) },
	"Diff":            func(x nx.Tensor) nx.Tensor { return nx.Diff(x, 0) },
	"AssociativeScan": func(x nx.Tensor) nx.Tensor {
		return nx.Reshape(nx.AssociativeScan(nx.Reshape(x, 1, 2, 3), nx.Add[nx.Tensor, nx.Tensor]), 2, 3)
	},
	"Tile":        func(x nx.Tensor) nx.Tensor { return nx.Tile(x, 1) },
	"Repeat":      func(x nx.Tensor) nx.Tensor { return nx.Repeat(x, 1, nx.Axis(0)) },
	"Conj":        nx.Conj,
	"Real":        nx.Real,
	"Abs":         func(x nx.Tensor) nx.Tensor { return nx.Cast(nx.Abs(nx.Cast(x, nx.U32)), nx.F32) },
	"Floor":       func(x nx.Tensor) nx.Tensor { return nx.Cast(nx.Floor(nx.Cast(x, nx.S32)), nx.F32) },
	"Devectorize": nx.Devectorize,
	"Split":       func(x nx.Tensor) nx.Tensor { return nx.Split(x, []int{2})[0] },
	"Chunk":       func(x nx.Tensor) nx.Tensor { return nx.Stack([]nx.Tensor{x}, nx.Axis(0)).At(0) },
	"Sum of none": func(x nx.Tensor) nx.Tensor { return nx.Sum(x, nx.Axis[int]()) },
	"Einsum":      func(x nx.Tensor) nx.Tensor { return nx.Einsum("ij->ij", x) },
	"Clip":        func(x nx.Tensor) nx.Tensor { return nx.Clip(x, 0, 100) },
	"Jit":         func(x nx.Tensor) nx.Tensor { return nx.Jit(func(x nx.Tensor) nx.Tensor { return x })(x) },
	"Cond": func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.New(true), func() nx.Tensor { return x }, func() nx.Tensor { return nx.Neg(x) })
	},
	"Checkpoint": func(x nx.Tensor) nx.Tensor { return nx.Checkpoint(func(x nx.Tensor) nx.Tensor { return x })(x) },
}

// TestIdentities: a function returns a new tensor, also where it changes nothing: it stays when its operand is
// released or donated, and the operand stays when the result is; the two do not count as one tensor used twice.
func TestIdentities(t *testing.T) {
	wrapped := []float32{0, 1, 2, 3, 4, 5}
	operands := map[string]func() nx.Tensor{
		"data":     func() nx.Tensor { return nx.New([][]float32{{0, 1, 2}, {3, 4, 5}}) },
		"wrapped":  func() nx.Tensor { return nx.FromSliceShared(wrapped, nx.Shape{2, 3}) },
		"computed": func() nx.Tensor { return nx.Add(nx.New([][]float32{{-1, 0, 1}, {2, 3, 4}}), 1) },
		"constant": func() nx.Tensor { return nx.Reshape(nx.Iota(nx.Shape{6}, nx.F32), 2, 3) },
		"recipe":   func() nx.Tensor { return nx.Mul(nx.Iota(nx.Shape{2, 3}, nx.F32, nx.Axis(1)), 1) },
	}
	take := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1) }, nx.Donate(0))
	both := nx.Jit(func(x, y nx.Tensor) nx.Tensor { return nx.Add(x, y) }, nx.Donate(0))
	ends := map[string]func(x nx.Tensor){
		"Release": func(x nx.Tensor) { nx.Release(x) },
		"Donate":  func(x nx.Tensor) { take(x) },
	}
	for op, f := range identities {
		for kind, operand := range operands {
			want := []float64{0, 1, 2, 3, 4, 5}
			if kind == "recipe" {
				want = []float64{0, 1, 2, 0, 1, 2}
			}
			for how, end := range ends {
				for _, first := range []bool{true, false} {
					x := operand()
					y := f(x)
					gone, kept := x, y
					if !first {
						gone, kept = y, x
					}
					end(gone)
					if err := kit.Caught(func() { nx.Neg(gone) }); !errors.Is(err, nx.ErrReleased) {
						t.Errorf("%s of %s, %s: what is gone is used: %v", op, kind, how, err)
					}
					var got []float64
					err := kit.Caught(func() { got = nx.Data[float64](kept); nx.Neg(kept) })
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("%s of %s, %s of the operand %t: the other is %v, %v", op, kind, how, first, got, err)
					}
				}
			}
			x := operand()
			if err := kit.Caught(func() { both(x, f(x)) }); err != nil {
				t.Errorf("%s of %s beside its operand, which is donated: %v", op, kind, err)
			}
		}
	}
}

// TestDonateConstants: constants follow the rule of data: a tensor is in one donated place, and nowhere else in the
// call; what is refused takes nothing.
func TestDonateConstants(t *testing.T) {
	for kind, x := range map[string]func() nx.Tensor{
		"New":    func() nx.Tensor { return nx.New([]float32{1, 2, 3, 4}) },
		"Zeros":  func() nx.Tensor { return nx.Zeros(nx.Shape{4}, nx.F32) },
		"Ones":   func() nx.Tensor { return nx.Ones(nx.Shape{4}, nx.F32) },
		"Full":   func() nx.Tensor { return nx.Full(nx.Shape{4}, 2.5, nx.F32) },
		"Iota":   func() nx.Tensor { return nx.Iota(nx.Shape{4}, nx.F32) },
		"Eye":    func() nx.Tensor { return nx.Eye(nx.Shape{2, 2}, nx.F32) },
		"scalar": func() nx.Tensor { return nx.New(float32(3)) },
		"number": func() nx.Tensor { return nx.Full(nx.Shape{}, 3, nx.F32) },
	} {
		for how, call := range donatedTwice {
			x := x() // each its own: a call that is accepted takes it
			if err := kit.Caught(func() { call(x) }); !errors.Is(err, nx.ErrReleased) {
				t.Errorf("%s, %s: %v", kind, how, err)
			}
			if err := kit.Caught(func() { nx.Neg(x) }); err != nil {
				t.Errorf("%s, %s: the call that was refused took it: %v", kind, how, err)
			}
		}
		x := x()
		outside := func(a nx.Tensor) nx.Tensor { return nx.Add(a, x) }
		if err := kit.Caught(func() { nx.Jit(outside, nx.Donate(0))(nx.Neg(x)) }); err != nil {
			t.Errorf("%s: another tensor beside the one from outside: %v", kind, err)
		}
	}
}

// donatedTwice are calls that give away a tensor which they use in a second place.
var donatedTwice = map[string]func(x nx.Tensor) nx.Tensor{
	"two donated places": func(x nx.Tensor) nx.Tensor { return nx.Jit(twiceAdded, nx.Donate(0, 1))(x, x) },
	"donated and not":    func(x nx.Tensor) nx.Tensor { return nx.Jit(twiceAdded, nx.Donate(0))(x, x) },
	"not and donated":    func(x nx.Tensor) nx.Tensor { return nx.Jit(twiceAdded, nx.Donate(1))(x, x) },
	"donated and outside": func(x nx.Tensor) nx.Tensor {
		return nx.Jit(func(a nx.Tensor) nx.Tensor { return nx.Add(a, x) }, nx.Donate(0))(x)
	},
	"in a function inside": func(x nx.Tensor) nx.Tensor {
		inside := nx.Jit(func(a nx.Tensor) nx.Tensor { return nx.Add(a, x) })
		inside(nx.Neg(x))
		return nx.Jit(func(a nx.Tensor) nx.Tensor { return inside(a) }, nx.Donate(0))(x)
	},
	"in a branch": func(x nx.Tensor) nx.Tensor {
		return nx.Jit(func(a nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Less(nx.Sum(a), 100), func() nx.Tensor { return nx.Add(a, x) },
				func() nx.Tensor { return a })
		}, nx.Donate(0))(x)
	},
	"in a container": func(x nx.Tensor) nx.Tensor {
		return nx.Jit(func(l []nx.Tensor) nx.Tensor { return nx.Add(l[0], l[1]) }, nx.Donate(0))([]nx.Tensor{x, x})
	},
}

func twiceAdded(a, b nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(a, 2), b) }

// TestEveryOpReturnsItsOwn: no result of a function goes with its operands.
func TestEveryOpReturnsItsOwn(t *testing.T) {
	for name, op := range kit.EveryOp {
		o := kit.SampleOperands()
		o = kit.Operands{X: o.X.At(0, 0), Y: o.Y.At(0), V: o.V.At(0), I: o.I.At(0, 0)}
		results := op.F(o)
		nx.Release(o.X, o.Y, o.V, o.I)
		for i, r := range results {
			if err := kit.Caught(func() { nx.Rename(r) }); err != nil {
				t.Errorf("%s: result %d: %v", name, i, err)
			}
		}
	}
}
