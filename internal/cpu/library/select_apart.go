package library

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernels"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// apartWindows selects and combines in windows without padding that have no element in common. Its body
// takes the elements of many windows at once. Neighbours of which those lie side by side are a row: long
// rows stay where they are, short ones are copied together.
type apartWindows struct {
	body    *codegen.Body
	first   int64   // element of the first window
	dims    []int64 // of the rows
	strides []int64 // of the first elements of rows
	offsets []int64 // of the elements of a window from its first
	size    int     // of an element
	run     int64   // windows in a row
	count   int64   // rows
	block   int64   // rows copied together; 0 where they stay
	covers  bool    // every element is in a window
}

const (
	// apartBytes bounds what a worker copies together, which is to stay in its fastest cache.
	apartBytes = 1 << 15
	// longRow is the number of bytes from which on a row stays where it is.
	longRow = 1 << 10
	// longPiece is the number of windows of a long row that a worker takes at a time.
	longPiece = 1 << 13
)

func newApartWindows(w *windowWalk, offsets []int64, body *codegen.Body, size int, total int64) *apartWindows {
	a := &apartWindows{body: body, offsets: offsets, size: size, run: 1, covers: true}
	d := len(w.windows)
	for ; d > 0 && w.windows[d-1].Size == 1 && w.out[d-1] == w.in[d-1]; d-- {
		a.run *= w.in[d-1]
	}
	a.dims = w.out[:d]
	for i, x := range w.windows {
		a.first -= int64(x.Low) * w.steps[i]
		if i < d {
			a.strides = append(a.strides, int64(x.Stride)*w.steps[i])
		}
		a.covers = a.covers && x.Stride == x.Size && x.Dilation == 1 && w.out[i]*int64(x.Size) == w.in[i]
	}
	a.count = total / max(a.run, 1)
	if row := a.run * int64(size); row < longRow {
		a.block = max(1, apartBytes/(2*int64(len(offsets))*max(row, 1)))
	}
	return a
}

// perWorker is the room of a worker: for the places of rows, and the elements of windows twice.
func (a *apartWindows) perWorker() int {
	return 8*int(a.block)&^63 + 64 + 2*len(a.offsets)*a.blockBytes()
}

// blockBytes is the room of one element of all windows of a block, which begins where a vector does.
func (a *apartWindows) blockBytes() int { return (int(a.block*a.run)*a.size + 63) &^ 63 }

// pieces is the number of pieces of a row that stays where it is.
func (a *apartWindows) pieces() int64 { return (a.run + longPiece - 1) / longPiece }

// starts sets at to the first elements of rows from one on.
func (a *apartWindows) starts(at []int64, row int64) {
	var position [maxRank]int64
	off := a.first
	for d := len(a.dims) - 1; d >= 0; d-- {
		position[d], row = row%a.dims[d], row/a.dims[d]
		off += position[d] * a.strides[d]
	}
	for i := range at {
		at[i] = off
		for d := len(a.dims) - 1; d >= 0; d-- {
			off += a.strides[d]
			if position[d]++; position[d] < a.dims[d] {
				break
			}
			off -= a.strides[d] * a.dims[d]
			position[d] = 0
		}
	}
}

func (a *apartWindows) exec(env *rt.Env, ins, outs [][]byte) error {
	if !a.covers {
		kernels.Repeat(outs[0], ins[2])
	}
	t := apartTasks.take()
	*t = apartTask{apartWindows: a, ins: ins, out: outs[0]}
	defer func() {
		*t = apartTask{}
		apartTasks.give(t)
	}()
	if a.block == 0 {
		env.Run(int(a.count*a.pieces()), t)
		return nil
	}
	room, err := env.Scratch(a.perWorker() * env.Workers())
	if err != nil {
		return err
	}
	defer env.Free(room)
	t.room = room
	env.Run(int((a.count+a.block-1)/a.block), t)
	return nil
}

// apartTask is an execution of apartWindows.
type apartTask struct {
	*apartWindows
	ins  [][]byte
	out  []byte
	room []byte // of all workers
}

var apartTasks tasks[apartTask]

// Do computes a block of rows, or a piece of one.
func (t *apartTask) Do(worker, chunk int) {
	c := t.body.Begin(t.ins)
	defer c.End()
	n := len(t.offsets)
	c.Arg(n+1, addr(t.ins[2], 0, t.size))
	if t.block == 0 {
		t.piece(c, int64(chunk)/t.pieces(), int64(chunk)%t.pieces()*longPiece)
		return
	}
	first := int64(chunk) * t.block
	rows := min(t.count-first, t.block)
	room := t.room[worker*t.perWorker():][:t.perWorker()]
	at := rt.View[int64](room[:8*rows])
	t.starts(at, first)
	room = room[8*int(t.block)&^63+64:]
	bytes := t.blockBytes()
	for k, offset := range t.offsets {
		elems, results := room[k*bytes:][:bytes], room[(n+k)*bytes:][:bytes]
		gatherRows(elems, t.ins[0][int(offset)*t.size:], at, int(t.run), t.size)
		c.Arg(k, unsafe.Pointer(unsafe.SliceData(elems)))
		c.Result(k, unsafe.Pointer(unsafe.SliceData(results)))
	}
	c.Arg(n, addr(t.ins[1], first*t.run, t.size))
	c.Apply(int(rows * t.run))
	for k, offset := range t.offsets {
		scatterRows(t.out[int(offset)*t.size:], room[(n+k)*bytes:][:bytes], at, int(t.run), t.size)
	}
}

// piece computes windows of a row from number first on, where they are.
func (t *apartTask) piece(c *codegen.Application, row, first int64) {
	var at [1]int64
	t.starts(at[:], row)
	for k, offset := range t.offsets {
		c.Arg(k, addr(t.ins[0], at[0]+offset+first, t.size))
		c.Result(k, addr(t.out, at[0]+offset+first, t.size))
	}
	c.Arg(len(t.offsets), addr(t.ins[1], row*t.run+first, t.size))
	c.Apply(int(min(t.run-first, longPiece)))
}

// gatherRows copies rows of n elements, which begin at elements of src, one after another.
func gatherRows(dst, src []byte, at []int64, n, size int) {
	row := n * size
	if n == 1 {
		pick(dst, src, zeroElem[:], at, size)
	} else if b, ok := rowBlocks[row]; ok {
		b.gather(dst, src, at, size)
	} else {
		for i, a := range at {
			copy(dst[i*row:][:row], src[int(a)*size:][:row])
		}
	}
}

// scatterRows is gatherRows the other way.
func scatterRows(dst, src []byte, at []int64, n, size int) {
	row := n * size
	if n == 1 {
		place(dst, src, at, size)
	} else if b, ok := rowBlocks[row]; ok {
		b.scatter(dst, src, at, size)
	} else {
		for i, a := range at {
			copy(dst[int(a)*size:][:row], src[i*row:][:row])
		}
	}
}

// rowBlocks copies rows of some lengths in bytes, which the compiler knows: a call to copy one would take longer
// than that does. (Of a type parameter that may be anything it makes a call, too.)
var rowBlocks = map[int]struct {
	gather, scatter func(dst, src []byte, at []int64, size int)
}{
	32:  {gatherBlocks[[32]byte], scatterBlocks[[32]byte]},
	64:  {gatherBlocks[[64]byte], scatterBlocks[[64]byte]},
	128: {gatherBlocks[[128]byte], scatterBlocks[[128]byte]},
}

func gatherBlocks[Row [32]byte | [64]byte | [128]byte](dst, src []byte, at []int64, size int) {
	rows := rt.View[Row](dst)[:len(at)]
	for i, a := range at {
		row := src[int(a)*size:][:unsafe.Sizeof(rows[i])]
		rows[i] = *(*Row)(unsafe.Pointer(unsafe.SliceData(row)))
	}
}

func scatterBlocks[Row [32]byte | [64]byte | [128]byte](dst, src []byte, at []int64, size int) {
	rows := rt.View[Row](src)[:len(at)]
	for i, a := range at {
		row := dst[int(a)*size:][:unsafe.Sizeof(rows[i])]
		*(*Row)(unsafe.Pointer(unsafe.SliceData(row))) = rows[i]
	}
}
