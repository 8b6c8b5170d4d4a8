package rt

import "iter"

// A Worker tells the workers of a region apart: one chunk runs at a time with each. Its number is known
// to [Own] and [Room] alone, so that whatever workers have of their own has room for all of them.
type Worker struct {
	number int32
	of     int32 // the workers that the environment of the region has
}

// Caller is the only worker of work that its caller does outside of a region.
var Caller = Worker{0, 1}

// EachWorker yields the workers that regions of the environment may have.
func (e *Env) EachWorker() iter.Seq[Worker] {
	n := int32(e.Workers())
	return func(yield func(Worker) bool) {
		for i := range n {
			if !yield(Worker{i, n}) {
				return
			}
		}
	}
}

// Own is a value for each worker. It outlives the stack, and a region in a loop uses it again.
type Own[T any] struct{ each []T }

// For makes values for all workers of the environment that runs the region: the chunks of a task may
// be few, and yet any worker take one where they are among those of other tasks. The values are any.
func (o *Own[T]) For(e *Env) {
	n := e.Workers()
	if n > cap(o.each) {
		o.each = make([]T, n)
	}
	o.each = o.each[:n]
}

// Of returns the value of a worker.
func (o *Own[T]) Of(w Worker) *T {
	if int(w.of) > len(o.each) {
		panic(otherRegion)
	}
	return &o.each[w.number]
}

// All returns the values of all workers.
func (o *Own[T]) All() []T { return o.each }

// Clear makes all values zero.
func (o *Own[T]) Clear() { clear(o.each[:cap(o.each)]) }

const otherRegion = "internal error: rt: what workers have of their own is not for the environment of their region"

// Room is memory for each worker.
type Room struct {
	bytes      []byte
	size, step int // of the memory of a worker, and from one to the next
	workers    int
}

// RoomSize returns how many bytes a [Room] takes in which each worker of an environment has size bytes.
func RoomSize(e *Env, size int) int { return e.Workers() * alignUp(size) }

// RoomIn returns the room in memory that has [RoomSize] bytes for the environment that runs the region.
func RoomIn(e *Env, b []byte, size int) Room {
	return Room{b[:RoomSize(e, size)], size, alignUp(size), e.Workers()}
}

// ScratchRoom returns room for all workers of the environment that runs the region, aligned as
// [Env.Scratch] is, with arbitrary content. Give it back with [Env.FreeRoom].
func (e *Env) ScratchRoom(size int) (Room, error) {
	b, err := e.Scratch(RoomSize(e, size))
	if err != nil {
		return Room{}, err
	}
	return RoomIn(e, b, size), nil
}

// FreeRoom returns what [Env.ScratchRoom] gave.
func (e *Env) FreeRoom(r Room) { e.Free(r.bytes) }

// Of returns the memory of a worker.
func (r *Room) Of(w Worker) []byte {
	if int(w.of) > r.workers {
		panic(otherRegion)
	}
	return r.bytes[int(w.number)*r.step:][:r.size:r.size]
}

func alignUp(n int) int { return (n + Align - 1) &^ (Align - 1) }
