package portable

import (
	"math"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
)

// home is the location of a buffer: in the file, or in memory.
type home struct {
	offset int
	buf    int // -1: in the file
}

func (h home) at(f *File) unsafe.Pointer {
	if h.buf < 0 {
		return unsafe.Add(f.base, h.offset)
	}
	return f.bufs[h.buf]
}

func (s *ScalarCompiler) home(buf int) home {
	if slot, ok := s.slots[buf]; ok {
		return home{slot, -1}
	}
	return home{0, buf}
}

// Window adds a copy between an array and a part of it.
func (s *ScalarCompiler) Window(w codegen.Window) {
	if w.Store {
		delete(s.known, w.Array)
	} else {
		delete(s.known, w.Part)
	}
	if w.Bytes == 0 {
		return
	}
	x := s.newWindow(w)
	switch {
	case w.Combine != nil:
		s.emit(x.combineAt)
	case w.Runs > 0:
		s.emit(x.copyRuns(w))
	case len(x.indices) == 1 && x.indices[0].t == dtype.S32 && w.Bytes == 4:
		s.emit(singleCell[uint32](w.Store, x))
	case len(x.indices) == 1 && x.indices[0].t == dtype.S32 && w.Bytes == 8:
		s.emit(singleCell[uint64](w.Store, x))
	case w.Store:
		s.emit(x.store)
	default:
		s.emit(x.load)
	}
}

func (s *ScalarCompiler) newWindow(w codegen.Window) *window {
	x := &window{array: s.home(w.Array), part: s.home(w.Part), bytes: w.Bytes, n: w.Bytes / w.Elem,
		isStore: w.Store, drop: w.Drop, combine: w.Combine}
	for _, i := range w.Indices {
		x.indices = append(x.indices, windowIndex{s.slots[i.Buf] + i.Offset, i.Limit, i.Stride, i.Type})
	}
	return x
}

type window struct {
	array, part home
	bytes, n    int
	indices     []windowIndex
	isStore     bool
	drop        bool
	combine     func(dst, src unsafe.Pointer, n int)
}

type windowIndex struct {
	offset        int
	limit, stride int
	t             dtype.Type
}

// offset returns the offset of the window, clamped into the array, and whether the window is skipped.
func (w *window) offset(f *File) (off int, out bool) {
	for i := range w.indices {
		x := &w.indices[i]
		v := x.index(f)
		if uint(v) > uint(x.limit) {
			out = w.drop
			v = min(max(v, 0), x.limit)
		}
		off += v * x.stride
	}
	return off, out
}

// index returns an index; 64-bit indices beyond the range of an int stay large.
func (x *windowIndex) index(f *File) int {
	switch x.t {
	case dtype.S32:
		return int(*cell[int32](f, x.offset))
	case dtype.S64:
		return int(*cell[int64](f, x.offset))
	}
	v := x.t.LoadInt(unsafe.Slice(cell[byte](f, x.offset), x.t.Size()), 0)
	if x.t == dtype.U64 && v < 0 {
		return math.MaxInt
	}
	return int(v)
}

func (w *window) load(f *File) {
	off, _ := w.offset(f)
	copy(unsafe.Slice((*byte)(w.part.at(f)), w.bytes), unsafe.Slice((*byte)(unsafe.Add(w.array.at(f), off)), w.bytes))
}

func (w *window) store(f *File) {
	if off, out := w.offset(f); !out {
		copy(unsafe.Slice((*byte)(unsafe.Add(w.array.at(f), off)), w.bytes),
			unsafe.Slice((*byte)(w.part.at(f)), w.bytes))
	}
}

// copyRuns returns the copy of the runs of a window.
func (w *window) copyRuns(of codegen.Window) scalarOp {
	return func(f *File) {
		off, out := w.offset(f)
		if out {
			return
		}
		array, part := unsafe.Add(w.array.at(f), off), w.part.at(f)
		for i := range of.Runs {
			in := unsafe.Slice((*byte)(unsafe.Add(array, i*of.ArrayStep)), w.bytes)
			of := unsafe.Slice((*byte)(unsafe.Add(part, i*of.PartStep)), w.bytes)
			if w.isStore {
				in, of = of, in
			}
			copy(of, in)
		}
	}
}

func (w *window) combineAt(f *File) {
	if off, out := w.offset(f); !out {
		w.combine(unsafe.Add(w.array.at(f), off), w.part.at(f), w.n)
	}
}

// singleCell returns the copy of a window of one T by one 32-bit index.
func singleCell[T any](store bool, w *window) scalarOp {
	array, part, at, limit, stride, drop := w.array, w.part, w.indices[0].offset, w.indices[0].limit,
		w.indices[0].stride, w.drop
	if store {
		return func(f *File) {
			i := int(*cell[int32](f, at))
			if uint(i) > uint(limit) {
				if drop {
					return
				}
				i = min(max(i, 0), limit)
			}
			*(*T)(unsafe.Add(array.at(f), i*stride)) = *(*T)(part.at(f))
		}
	}
	return func(f *File) {
		i := min(max(int(*cell[int32](f, at)), 0), limit)
		*(*T)(part.at(f)) = *(*T)(unsafe.Add(array.at(f), i*stride))
	}
}

// Tiles adds a kernel of one chunk that runs in tiles. Its parameters are the buffers bufs, or the parts of arrays that
// windows select; scratch is that of the code's generator.
func (s *ScalarCompiler) Tiles(c codegen.Code, scratch func() codegen.Scratch, bufs []int,
	windows map[int]codegen.Window) {
	type part struct {
		param int
		*window
	}
	var parts []part
	first := len(s.code.params)
	for i, b := range bufs {
		if w, ok := windows[i]; ok {
			parts = append(parts, part{first + i, s.newWindow(w)})
			b = w.Array
		}
		s.code.params = append(s.code.params, s.home(b))
		delete(s.known, b)
	}
	last := len(s.code.params)
	s.code.partials = max(s.code.partials, c.PartialBytes())
	if len(s.code.scratch) < ownScratch {
		s.code.scratch = append(s.code.scratch, scratch)
	}
	index := len(s.code.scratch) - 1
	s.emit(func(f *File) {
		for i := range parts {
			p := &parts[i]
			off, _ := p.offset(f)
			f.params[p.param] = unsafe.Add(p.array.at(f), off)
		}
		params := f.params[first:last]
		partial := unsafe.Pointer(unsafe.SliceData(f.partial))
		c.RunChunk(0, params, nil, partial, f.scratch[index])
		for i := range c.Finishes() {
			c.Finish(i, params, partial, f.scratch[index])
		}
	})
}
