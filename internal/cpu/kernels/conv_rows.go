package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// convRows is a convolution of which a worker computes any rows: lines of results, all those along
// its last axis, for each position of the axes around and each element of the batch.
type convRows[T accumulator] struct{ *windows[T] }

// NewConvRows returns a convolution of one group, or of groups of one feature each, whose features lie
// together in the result; in the image, too, where they are groups.
func NewConvRows[T accumulator](products rt.Products, c *Conv) Rows {
	w := windowsOf(stepIn[T](products), c)
	w.cutInTiles()
	w.place()
	w.allot()
	return convRows[T]{w}
}

// packed returns the elements of all packed weights.
func (v convRows[T]) packed() int { return v.widthBlocks * v.packedElems }

func (v convRows[T]) ScratchBytes(*rt.Env, int) int {
	return (v.packed() + v.perWorker - v.packedElems) * sizeOf[T]()
}

func (v convRows[T]) Run(env *rt.Env, scratch []byte, held *int, lo, hi int, c, a, b []byte, firstC, firstA int) {
	r := v.begin(env, View[T]{rt.View[T](c), -firstC}, View[T]{rt.View[T](a), -firstA}, View[T]{rt.View[T](b), 0})
	defer r.end()
	r.workers.For(nil)
	worker := r.workers.Of(rt.Caller)
	room := rt.View[T](scratch)
	packed, rest := room[:v.packed()], room[v.packed():]
	copied, strip := rest[:v.copiedElems], rest[v.copiedElems:]
	block := func(i int) (columns []T, first, cols int) {
		first = i * v.width
		return packed[i*v.packedElems:][:v.packedElems], first, min(v.width, v.cols-first)
	}
	if *held == 0 {
		for i := range v.widthBlocks {
			columns, first, cols := block(i)
			r.packColumns(worker, columns, copied, first, cols, 0)
		}
		*held = 1
	}
	at := make([]int, len(v.outer), maxSpatial)
	for lo < hi {
		line, around := lo%v.line.Out, lo/v.line.Out
		lines := min(hi-lo, v.line.Out-line, v.down)
		image, out := r.origin(at, 0, around/v.outerSize, around%v.outerSize)
		for point := 0; point < v.point.Out; point += v.across {
			r.copyStrip(strip, image, at, line, point)
			for i := range v.widthBlocks {
				columns, first, cols := block(i)
				r.multiply(&worker.call, strip, columns, out+line*v.line.OutStride+point*v.point.OutStride+first, first,
					cols, lines, min(v.across, v.point.Out-point))
			}
		}
		lo += lines
	}
}
