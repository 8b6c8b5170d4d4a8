package move

import "github.com/go-nx/nx/internal/cpu/rt"

const (
	copyChunk = 1 << 17 // bytes per chunk
	copySmall = 1 << 16 // bytes below which one worker is faster
)

// Fill fills dst with copies of an element.
func Fill(env *rt.Env, dst, element []byte) {
	if len(dst) < copySmall {
		env = nil
	}
	env.Run(rt.CeilDiv(len(dst), copyChunk), &fillTask{dst, element})
}

type fillTask struct{ dst, element []byte }

func (f *fillTask) Do(_ rt.Worker, chunk int) {
	first := chunk * copyChunk
	Repeat(f.dst[first:min(first+copyChunk, len(f.dst))], f.element)
}
