package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// QuantizedMatrix is a matrix [N, K] of integers of 8 or 4 bits with scales: element (i, j) is a float32, the integer
// times Scales[i, j/Group].
//
// Of 4 bits, K is a multiple of 32, and byte i of the 16 of a group of 32 integers has integer i in its low half and
// integer 16+i in its high half, both plus 8.
type QuantizedMatrix struct {
	Data     []byte
	Scales   []float32 // none if all are 1
	N, K     int
	Group    int // columns of a scale, a divisor of K
	FourBits bool
}

// quantGroup is the number of elements that the tier's step converts with one scale.
const quantGroup = rt.QuantGroup

// MatMulQuantized computes C[i, j] = Σₖ A[i, k]·W[j, k]. The elements of W are computed while they are packed, or
// multiplied if there are few rows, and never stored. Sums are in the order of [MatMul].
func MatMulQuantized(env *rt.Env, c, a Matrix[float32], w QuantizedMatrix) error {
	g := newProduct[float32]()
	defer g.release()
	g.setSize(c, w.K)
	g.setEpilogue(c)
	g.parts.a = NewStrided(a.Data, a.Offset, a.Batch, a.Rows, a.Cols)
	g.a = &g.parts.a
	g.parts.quant = quantSource{QuantizedMatrix: w}
	if env != nil && (w.Group%quantGroup == 0 || len(w.Scales) == 0) {
		g.parts.quant.step = env.Gemm.Dequantize
	}
	g.b, g.costlyPack = &g.parts.quant, true
	if g.runFewRows(env) {
		return nil
	}
	return g.run(env)
}

// quantSource is the pack source of a [QuantizedMatrix].
type quantSource struct {
	QuantizedMatrix
	step func(fourBits bool, dst []float32, ldd int, src []byte, lds int, scales []float32, lss, lines, groups int)
}

func (s *quantSource) Copies() bool { return true }

func (s *quantSource) Block(tmp []float32, _, line, n, k, depth int) ([]float32, int, int) {
	lds, at := s.K, k
	if s.FourBits {
		lds, at = s.K/2, k/2
	}
	if s.step == nil || depth%quantGroup != 0 {
		for i := range n {
			s.line(tmp[i*depth:][:depth], line+i, k)
		}
		return tmp, depth, 1
	}
	groups, perLine := depth/quantGroup, s.K/s.Group
	data := s.Data[line*lds+at:]
	if len(s.Scales) == 0 {
		s.step(s.FourBits, tmp, depth, data, lds, unitScales[:], 0, n, groups)
		return tmp, depth, 1
	}
	if s.Group == quantGroup {
		s.step(s.FourBits, tmp, depth, data, lds, s.Scales[line*perLine+k/quantGroup:], perLine, n, groups)
		return tmp, depth, 1
	}
	var scales [fewRowsLines * BlockK / quantGroup]float32
	for i := 0; i < n; i += fewRowsLines {
		lines := min(fewRowsLines, n-i)
		s.expand(scales[:lines*groups], line+i, k, groups)
		s.step(s.FourBits, tmp[i*depth:], depth, data[i*lds:], lds, scales[:], groups, lines, groups)
	}
	return tmp, depth, 1
}

// unitScales are those of the groups of a line without scales.
var unitScales = [BlockK / quantGroup]float32{1, 1, 1, 1, 1, 1, 1, 1}

// expand sets to to the scales of groups of [quantGroup] integers of lines, from column k on.
func (s *quantSource) expand(to []float32, line, k, groups int) {
	perLine := s.K / s.Group
	first, used := k/s.Group, k%s.Group // the scale of column k, and how many of its integers are before
	for len(to) > 0 {
		at, left := line*perLine+first, s.Group-used
		for g := range groups {
			to[g] = s.Scales[at]
			if left -= quantGroup; left == 0 {
				at, left = at+1, s.Group
			}
		}
		to, line = to[groups:], line+1
	}
}

// line computes a part of a line in plain Go.
func (s *quantSource) line(to []float32, line, k int) {
	scales, group := unitScales[:], s.K
	if len(s.Scales) > 0 {
		scales, group = s.Scales[line*(s.K/s.Group):], s.Group
	}
	if !s.FourBits {
		from := s.Data[line*s.K+k:][:len(to)]
		for i, q := range from {
			to[i] = float32(int8(q)) * scales[(k+i)/group]
		}
		return
	}
	from := s.Data[line*(s.K/2):]
	for i := range to {
		at := k + i
		q := from[at/quantGroup*(quantGroup/2)+at%(quantGroup/2)]
		if at%quantGroup >= quantGroup/2 {
			q >>= 4
		}
		to[i] = float32(int(q&15)-8) * scales[at/group]
	}
}
