package sched

import (
	"container/heap"
	"math/bits"
	"slices"
	"sort"

	"github.com/go-nx/nx/internal/cpu/program"
)

// pack allocates the temporaries in the arena.
func (l *Layout) pack(prog *program.Program, pause func()) {
	var temps []temp
	for b := range l.Root {
		if l.Root[b] == b && l.Storage[b] == Temp && l.Lives[b].From >= 0 {
			size := (prog.Buffers[b].SizeBytes() + align - 1) &^ (align - 1)
			temps = append(temps, temp{buffer: b, Life: l.Lives[b], size: size})
		}
	}
	if len(temps) > maxSearched {
		l.ArenaSize = packByStart(temps, pause)
	} else {
		l.ArenaSize = packBySize(temps, pause)
	}
	for _, t := range temps {
		l.Offset[t.buffer] = t.offset
	}
}

// temp is a temporary with its offset.
type temp struct {
	Life
	buffer       int
	size, offset int64
}

func (t *temp) end() int64 { return t.offset + t.size }

// packBySize gives each temporary the lowest free offset during its life, largest first. It returns the size of the
// arena.
func packBySize(temps []temp, pause func()) (arena int64) {
	sort.SliceStable(temps, func(i, j int) bool { return temps[i].size > temps[j].size })
	var allocated []*temp // by offset
	for i := range temps {
		pause()
		t := &temps[i]
		for _, o := range allocated {
			if t.To < o.From || o.To < t.From {
				continue
			}
			if o.offset-t.offset >= t.size {
				break
			}
			t.offset = max(t.offset, o.end())
		}
		arena = max(arena, t.end())
		at, _ := slices.BinarySearchFunc(allocated, t.offset,
			func(o *temp, offset int64) int { return int(min(max(o.offset-offset, -1), 1)) })
		allocated = slices.Insert(allocated, at, t)
	}
	return arena
}

// packByStart gives each temporary, in the order of their starts, the memory of a dead one of about its size, or fresh
// memory, which is fast for thousands of temporaries. It returns the size of the arena.
func packByStart(temps []temp, pause func()) (arena int64) {
	sort.SliceStable(temps, func(i, j int) bool { return temps[i].From < temps[j].From })
	var alive lives
	free := map[int64][]int64{} // offsets, by size
	for i := range temps {
		pause()
		t := &temps[i]
		for len(alive) > 0 && alive[0].To < t.From {
			o := heap.Pop(&alive).(*temp)
			size := roundedSize(o.size)
			free[size] = append(free[size], o.offset)
		}
		size := roundedSize(t.size)
		if list := free[size]; len(list) > 0 {
			t.offset, free[size] = list[len(list)-1], list[:len(list)-1]
		} else {
			t.offset = arena
			arena += size
		}
		heap.Push(&alive, t)
	}
	return arena
}

// roundedSize rounds a size up to one of four steps per doubling.
func roundedSize(n int64) int64 {
	step := int64(align)
	if shift := bits.Len64(uint64(n)) - 3; shift > 0 {
		step = max(step, 1<<shift)
	}
	return (n + step - 1) / step * step
}

// lives is a heap of temporaries, the first to end on top.
type lives []*temp

func (l lives) Len() int           { return len(l) }
func (l lives) Less(i, j int) bool { return l[i].To < l[j].To }
func (l lives) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *lives) Push(x any)        { *l = append(*l, x.(*temp)) }
func (l *lives) Pop() any {
	old := *l
	t := old[len(old)-1]
	*l = old[:len(old)-1]
	return t
}
