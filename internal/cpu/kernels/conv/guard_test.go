package conv

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

func guardCases() []kit.Case {
	var out []kit.Case
	for _, groups := range []int{1, 4} { // 4: one feature per group
		out = append(out, kit.Case{Name: "Convolution.Run", Run: func(m *kit.Memory, n int) error {
			in := 4 / groups
			c := &Shape{Groups: groups, Batch: 2, In: in, Out: in, LhsGroup: in, LhsBatch: n * 4, LhsFeature: 1,
				RhsGroup: in, RhsIn: 4, RhsOut: 1, OutGroup: in, OutBatch: n * 4, OutFeature: 1,
				Spatial: []Axis{{In: n, Kernel: 3, Out: n, InStride: 4, KernelStride: 4 * in, OutStride: 4,
					Step: 1, Low: 1, Dilation: 1, BaseDilation: 1}}}
			y, x, k := kit.Numbers[float32](m, 2*n*4), kit.Numbers[float32](m, 2*n*4), kit.Numbers[float32](m, 3*in*4)
			r := NewRows[float32](rt.GemmSteps{}, c)
			packed, scratch := 0, rt.Bytes(kit.Numbers[float32](m, r.ScratchBytes(nil, 1)/4))
			for lo := range 2 {
				r.Run(nil, scratch, &packed, lo, lo+1, rt.Bytes(y), rt.Bytes(x), rt.Bytes(k), 0, 0)
			}
			return New[float32](rt.GemmSteps{}, c).Run(nil, View[float32]{y, 0}, View[float32]{x, 0},
				View[float32]{k, 0})
		}})
	}
	return out
}

func TestGuardedMemory(t *testing.T) { kit.CheckGuarded(t, guardCases()) }
