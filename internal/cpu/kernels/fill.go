package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

const (
	copyChunk = 1 << 15 // elements that a chunk copies
	copySmall = 1 << 14 // elements below which other workers are not worth it
)

// Fill sets all elements to one value.
func Fill[T any](env *rt.Env, dst []T, v T) {
	if len(dst) < copySmall {
		env = nil
	}
	env.Run(blocks(len(dst), copyChunk), &filler[T]{dst, v})
}

type filler[T any] struct {
	dst []T
	v   T
}

func (f *filler[T]) Do(_, chunk int) {
	first := chunk * copyChunk
	fill1(f.dst[first:min(first+copyChunk, len(f.dst))], f.v)
}

func fill1[T any](dst []T, v T) {
	for i := range dst {
		dst[i] = v
	}
}
