package kernels

import (
	"encoding/binary"
	"math"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// MatMulInt8 is [MatMul] of 8-bit integers, summed modulo 2^32 by a dot4 step. The conversion, if any, is from int32.
func MatMulInt8(env *rt.Env, step rt.Dot4Step, c, a, b Matrix[byte], forC Conversion) error {
	g := newGemm[float32]()
	defer g.release()
	g.step, g.depth = step, blockK/4
	g.setSize(typedMatrix[float32](c, forC), blocks(a.Cols.Size(), 4))
	g.parts.dot4A = newDot4Source(step, a.Data, a.Offset, a.Batch, a.Rows, a.Cols)
	g.parts.dot4B = newDot4Source(step, b.Data, b.Offset, b.Batch, b.Cols, b.Rows)
	g.a, g.b = &g.parts.dot4A, &g.parts.dot4B
	g.setConvertingEpilogue(env, c, forC)
	return g.run(env)
}

// MatMulInt32 is [MatMul] of 32-bit integers, which are moved as float32s, by a step for them.
func MatMulInt32(env *rt.Env, step rt.BlockStep[float32], c, a, b Matrix[float32]) error {
	g := newGemm[float32]()
	defer g.release()
	g.step = step
	g.setOperands(c, a, b)
	return g.run(env)
}

// dot4Source is a pack source whose elements are four 8-bit numbers along k (the VPDPBUSD layout), see [rt.Dot4Step].
// The last element is filled up with 0.
type dot4Source struct {
	step  rt.Dot4Step
	at    stridedSource[float32] // of the numbers, without elements
	elems []byte
	k     int
}

func newDot4Source(step rt.Dot4Step, data []byte, offset int, batch, lines, depths Dims) dot4Source {
	return dot4Source{step, newStrided[float32](nil, offset, batch, lines, depths), data, depths.Size()}
}

func (s *dot4Source) copies() bool { return true }

func (s *dot4Source) block(tmp []float32, batch, line, n, k, depth int) ([]float32, int, int) {
	base := s.at.offset + s.at.batch.at(batch)
	k *= 4
	count := min(4*depth, s.k-k)
	if s.at.affine && s.at.ls == 1 && s.at.ks != 1 {
		s.interleave(tmp, s.elems[base+line+k*s.at.ks:], n, count)
		return tmp, 1, n
	}
	along := s.at.affine && s.at.ks == 1
	if first := base + line*s.at.ls + k; along && first%4 == 0 && s.at.ls%4 == 0 && count%4 == 0 {
		return rt.View[float32](s.elems[first:][:((n-1)*s.at.ls+count)/4*4]), s.at.ls / 4, 1
	}
	var store offsetTable
	var depths []int
	if !along {
		depths = store.depth(s.at.depths, k, count)
	}
	out := rt.Bytes(tmp)
	for i, l := range store.lines(s.at.lines, line, n) {
		row := out[4*i*depth:][:4*depth]
		clear(row[count:])
		if along {
			copy(row[:count], s.elems[base+l+k:])
			continue
		}
		for j, d := range depths {
			row[j] = s.elems[base+l+d]
		}
	}
	return tmp, depth, 1
}

// interleave packs groups of four numbers of n contiguous lines, of count numbers each.
func (s *dot4Source) interleave(dst []float32, src []byte, n, count int) {
	s.step.InterleaveBytes(dst, src, s.at.ks, n, count/4)
	if count%4 == 0 {
		return
	}
	last := dst[count/4*n:][:n]
	for i := range last {
		var quad [4]byte
		for j := range count % 4 {
			quad[j] = src[i+(count/4*4+j)*s.at.ks]
		}
		last[i] = math.Float32frombits(binary.LittleEndian.Uint32(quad[:]))
	}
}
