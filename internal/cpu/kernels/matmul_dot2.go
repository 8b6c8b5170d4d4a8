package kernels

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// MatMulBF16 is [MatMul] of bf16, summed as float32s by the environment's BF16 step, which must not be nil. Products of
// bf16 are exact as float32s, so that only the order of the sum matters, which is that of MatMul. Results differ only
// where the step flushes subnormal numbers to 0.
func MatMulBF16(env *rt.Env, c, a, b Matrix[byte], forC Conversion) error {
	g := newGemm[float32]()
	defer g.release()
	step := env.Gemm.BF16
	g.step, g.depth = step, blockK/2
	g.setSize(typedMatrix[float32](c, forC), blocks(a.Cols.Size(), 2))
	g.parts.dot2A = newDot2Source(step, a.Data, a.Offset, a.Batch, a.Rows, a.Cols)
	g.parts.dot2B = newDot2Source(step, b.Data, b.Offset, b.Batch, b.Cols, b.Rows)
	g.a, g.b = &g.parts.dot2A, &g.parts.dot2B
	g.setConvertingEpilogue(env, c, forC)
	return g.run(env)
}

// dot2Source is a pack source whose elements are pairs of 16-bit numbers along k (the VDPBF16PS layout), see
// [rt.Dot2Step]. The last pair of an odd number is filled up with 0.
type dot2Source struct {
	step  rt.Dot2Step
	at    stridedSource[float32] // of the numbers, without elements
	elems []uint16
	k     int
}

func newDot2Source(step rt.Dot2Step, data []byte, offset int, batch, lines, depths Dims) dot2Source {
	return dot2Source{step, newStrided[float32](nil, offset, batch, lines, depths), rt.View[uint16](data),
		depths.Size()}
}

func (s *dot2Source) copies() bool { return true }

func (s *dot2Source) block(tmp []float32, batch, line, n, k, depth int) ([]float32, int, int) {
	base := s.at.offset + s.at.batch.at(batch)
	k *= 2
	count := min(2*depth, s.k-k)
	if s.at.affine && s.at.ls == 1 && s.at.ks != 1 {
		s.interleave(tmp, s.elems[base+line+k*s.at.ks:], n, count)
		return tmp, 1, n
	}
	if first := base + line*s.at.ls + k; s.at.affine && s.at.ks == 1 && first%2 == 0 && s.at.ls%2 == 0 && count%2 == 0 {
		return rt.View[float32](rt.Bytes(s.elems[first:])), s.at.ls / 2, 1
	}
	var store offsetTable
	depths := store.depth(s.at.depths, k, count)
	out := rt.View[uint16](rt.Bytes(tmp))
	for i, l := range store.lines(s.at.lines, line, n) {
		row := out[2*i*depth:][:2*depth]
		clear(row[count:])
		for j, d := range depths {
			row[j] = s.elems[base+l+d]
		}
	}
	return tmp, depth, 1
}

// interleave packs pairs of n contiguous lines, of count numbers each.
func (s *dot2Source) interleave(dst []float32, src []uint16, n, count int) {
	s.step.Interleave(dst, src, s.at.ks, n, count/2)
	if count%2 != 0 {
		last := dst[count/2*n:][:n]
		for i, x := range src[(count-1)*s.at.ks:][:n] {
			last[i] = math.Float32frombits(uint32(x))
		}
	}
}
