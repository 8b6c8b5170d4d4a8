package kernels

import (
	"fmt"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// A SortKind says what the bits of a sort key mean.
type SortKind uint8

const (
	SortUnsigned     SortKind = iota
	SortSigned                // two's complement
	SortFloatTotal            // −NaN, −∞, …, −0, +0, …, ∞, NaN: StableHLO's TOTALORDER
	SortFloatNumeric          // −0 equals +0; NaNs are equal to each other and come last
)

// An Order says how a key orders lines. Descending turns around what Kind says.
type Order[T any] struct {
	Kind       SortKind
	Descending bool
	Infinity   T // the bits of +∞, which SortFloatNumeric tells NaNs by
}

// A SortOperand is an array that [Sort] rearranges: a [Key] or a [Payload].
type SortOperand interface {
	permute(packed []uint64, at line)
}

// A line is one line of an array: where it begins and the step along it.
type line struct{ base, step, n int }

// Sort sorts operands, dense arrays seen as [outer, n, inner], along their middle axis:
// stably, by the keys, which come first among the operands, the first key deciding,
// then the second, and so on. A line must have fewer than 2³² elements.
func Sort(env *rt.Env, operands []SortOperand, keys, outer, n, inner int) error {
	s := &sortTask{env: env, operands: operands, n: n, inner: inner, lines: outer * inner}
	for _, o := range operands[:keys] {
		s.keys = append(s.keys, o.(sortKeys))
	}
	return s.run()
}

// SortFunc is [Sort] by a function: less is given the positions of two elements in the
// arrays. It must be a strict weak order; else the result is some permutation. It is
// called from several workers.
func SortFunc(env *rt.Env, operands []SortOperand, less func(i, j int) bool, outer, n, inner int) error {
	s := &sortTask{env: env, operands: operands, less: less, n: n, inner: inner, lines: outer * inner}
	return s.run()
}

type sortTask struct {
	env      *rt.Env
	inside   *rt.Env // for the work within a line
	operands []SortOperand
	keys     []sortKeys
	less     func(i, j int) bool
	n, inner int
	lines    int
	perChunk int
	scratch  []byte
	area     int // bytes of scratch memory of a worker
}

func (s *sortTask) run() error {
	if s.n == 0 || s.lines == 0 {
		return nil
	}
	if uint64(s.n) >= 1<<32 {
		return fmt.Errorf("sort: a line of %d elements, 2³² are too many", s.n)
	}
	outside, workers := s.env, s.env.Workers()
	s.inside = s.env.Alone()
	switch {
	case s.n*s.lines < 1<<12:
		outside, workers = nil, 1
	case s.lines < workers: // the workers share each line
		outside, s.inside, workers = nil, s.env, 1
	}
	s.perChunk = max(1, 1<<13/s.n)
	s.area = roundUp(2*8*s.n+4*radixCounts(s.n), rt.Align)
	var err error
	if s.scratch, err = s.env.Scratch(s.area * workers); err != nil {
		return err
	}
	defer s.env.Free(s.scratch)
	outside.Run(blocks(s.lines, s.perChunk), s)
	return nil
}

func (s *sortTask) Do(worker, chunk int) {
	b := s.scratch[worker*s.area:][:s.area]
	arrays, counts := rt.View[uint64](b[:16*s.n]), rt.View[uint32](b[16*s.n:])
	packed, tmp := arrays[:s.n], arrays[s.n:]
	r := &radix[uint64]{counts: counts}
	for l := chunk * s.perChunk; l < min((chunk+1)*s.perChunk, s.lines); l++ {
		at := line{l/s.inner*s.n*s.inner + l%s.inner, s.inner, s.n}
		if len(s.operands) == 1 && len(s.keys) == 1 && s.keys[0].plain(s.inside, at, arrays, counts) {
			continue
		}
		for i := range packed {
			packed[i] = uint64(i)
		}
		if s.less != nil {
			mergeSort(packed, tmp, func(i, j uint64) bool {
				s.env.Check()
				return s.less(at.base+int(i)*at.step, at.base+int(j)*at.step)
			})
		}
		for k := len(s.keys) - 1; k >= 0; k-- {
			for w := range s.keys[k].words() {
				s.env.Check()
				bits := s.keys[k].pack(packed, at, w)
				r.sort(s.inside, packed, tmp, 32, bits)
			}
		}
		for _, o := range s.operands {
			s.env.Check()
			o.permute(packed, at)
		}
	}
}

// Payload returns an operand that is only moved along. Its elements are best given as
// unsigned integers of their size.
func Payload[T any](dst, src []T) SortOperand { return &payload[T]{dst, src} }

type payload[T any] struct{ dst, src []T }

func (o *payload[T]) permute(packed []uint64, at line) {
	if at.step == 1 {
		src, dst := o.src[at.base:at.base+at.n], o.dst[at.base:at.base+at.n]
		for i, p := range packed {
			dst[i] = src[uint32(p)]
		}
		return
	}
	for i, p := range packed {
		o.dst[at.base+i*at.step] = o.src[at.base+int(uint32(p))*at.step]
	}
}
