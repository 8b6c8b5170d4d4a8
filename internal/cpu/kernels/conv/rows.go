package conv

import (
	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// rowConv is a convolution of which a worker computes any range of rows. A row is a line of results along the last
// axis, for each position of the other axes and each batch element.
type rowConv[T gemm.Accumulator] struct{ *stripConv[T] }

// NewRows returns a convolution of one group, or of groups of one feature each. Features must be contiguous in the
// result, and in the image too if they are groups.
func NewRows[T gemm.Accumulator](steps rt.GemmSteps, c *Shape) gemm.RowContraction {
	w := stripConvOf(gemm.StepIn[T](steps), c)
	w.cutInTiles()
	w.findOffsets()
	w.sizeScratch()
	return rowConv[T]{w}
}

// packed returns the number of elements of all packed weights.
func (v rowConv[T]) packed() int { return v.widthBlocks * v.packedElems }

func (v rowConv[T]) ScratchBytes(*rt.Env, int) int {
	return (v.packed() + v.perWorker - v.packedElems) * rt.SizeOf[T]()
}

func (v rowConv[T]) Run(env *rt.Env, scratch []byte, packedCols *int, lo, hi int, c, a, b []byte, firstC, firstA int) {
	r := v.begin(env, View[T]{rt.View[T](c), -firstC}, View[T]{rt.View[T](a), -firstA}, View[T]{rt.View[T](b), 0})
	defer r.end()
	r.workers.Resize(nil)
	worker := r.workers.Of(rt.Caller)
	buf := rt.View[T](scratch)
	packed, rest := buf[:v.packed()], buf[v.packed():]
	copied, strip := rest[:v.copiedElems], rest[v.copiedElems:]
	block := func(i int) (columns []T, first, cols int) {
		first = i * v.chunkCols
		return packed[i*v.packedElems:][:v.packedElems], first, min(v.chunkCols, v.cols-first)
	}
	if *packedCols == 0 {
		for i := range v.widthBlocks {
			columns, first, cols := block(i)
			r.packColumns(worker, columns, copied, first, cols, 0)
		}
		*packedCols = 1
	}
	at := make([]int, len(v.outer), maxSpatial)
	for lo < hi {
		line, outer := lo%v.line.Out, lo/v.line.Out
		lines := min(hi-lo, v.line.Out-line, v.chunkLines)
		image, out := r.origin(at, 0, outer/v.outerSize, outer%v.outerSize)
		for point := 0; point < v.point.Out; point += v.chunkPoints {
			r.copyStrip(strip, image, at, line, point)
			for i := range v.widthBlocks {
				columns, first, cols := block(i)
				r.multiply(&worker.call, strip, columns, out+line*v.line.OutStride+point*v.point.OutStride+first, first,
					cols, lines, min(v.chunkPoints, v.point.Out-point))
			}
		}
		lo += lines
	}
}
