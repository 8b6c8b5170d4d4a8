package order

import (
	"fmt"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// A Kind is the interpretation of the bits of a sort key.
type Kind uint8

const (
	Unsigned     Kind = iota
	Signed            // two's complement
	FloatTotal        // −NaN, −∞, …, −0, +0, …, ∞, NaN: StableHLO's TOTALORDER
	FloatNumeric      // −0 equals +0; NaNs are equal to each other and come last
)

// An Order is the order of a key. Descending reverses the order of Kind.
type Order[T any] struct {
	Kind       Kind
	Descending bool
	Infinity   T // the bits of +∞; FloatNumeric takes larger magnitudes for NaN
}

// A Operand is an array that [Sort] rearranges: a [Key] or a [Payload].
type Operand interface {
	// permute writes the elements of a line at positions from first on; the lower halves of packed have their indices.
	permute(packed []uint64, at line, first int)
}

// A line is one line of an array: its offset, its stride and its length.
type line struct{ base, step, n int }

// Sort sorts operands, dense arrays viewed as [outer, n, inner], along their middle axis, stably. The first operands
// are the keys, in order of significance. A line must have fewer than 2³² elements.
func Sort(env *rt.Env, operands []Operand, keys, outer, n, inner int) error {
	s := &sortTask{env: env, operands: operands, n: n, inner: inner, lines: outer * inner}
	for _, o := range operands[:keys] {
		s.keys = append(s.keys, o.(sortKeys))
	}
	return s.run()
}

// SortFunc is [Sort] by a function: less gets the offsets of two elements in the arrays. It must be a strict weak
// order; else the result is some permutation. It is called from several workers.
func SortFunc(env *rt.Env, operands []Operand, less func(i, j int) bool, outer, n, inner int) error {
	s := &sortTask{env: env, operands: operands, less: less, n: n, inner: inner, lines: outer * inner}
	return s.run()
}

type sortTask struct {
	env      *rt.Env
	inside   *rt.Env // for the work within a line
	operands []Operand
	keys     []sortKeys
	less     func(i, j int) bool
	n, inner int
	lines    int
	perChunk int
	scratch  rt.WorkerScratch
	words    int // bytes of words per worker; the rest are counters
}

func (s *sortTask) run() error {
	if s.n == 0 || s.lines == 0 {
		return nil
	}
	if uint64(s.n) >= 1<<32 {
		return fmt.Errorf("sort: a line must have fewer than 2³² elements, got %d", s.n)
	}
	outside := s.env
	s.inside = s.env.SingleWorker()
	switch {
	case s.n*s.lines < 1<<12:
		outside = s.inside
	case s.lines < s.env.Workers(): // the workers share each line
		outside, s.inside = s.inside, s.env
	}
	s.perChunk = max(1, 1<<13/s.n)
	s.words = rt.RoundUp(2*8*s.n, rt.Align)
	if s.keyOnly() {
		s.words = rt.RoundUp(s.keys[0].words(line{0, s.inner, s.n}), rt.Align)
	}
	var err error
	if s.scratch, err = outside.WorkerScratch(s.words + radixBytes(s.inside, s.n)); err != nil {
		return err
	}
	defer outside.FreeWorkerScratch(s.scratch)
	outside.Run(rt.CeilDiv(s.lines, s.perChunk), s)
	return nil
}

// keyOnly reports whether the only operand is a key: its bits are sorted without indices.
func (s *sortTask) keyOnly() bool { return len(s.operands) == 1 && len(s.keys) == 1 }

func (s *sortTask) Do(worker rt.Worker, chunk int) {
	b := s.scratch.Of(worker)
	words, counts := b[:s.words], b[s.words:]
	var l *lineSort
	if !s.keyOnly() {
		l = &lineSort{sortTask: s, packed: rt.View[uint64](words)[:s.n], radix: newRadix[uint64](s.inside, s.n, counts)}
	}
	for i := chunk * s.perChunk; i < min((chunk+1)*s.perChunk, s.lines); i++ {
		at := line{i/s.inner*s.n*s.inner + i%s.inner, s.inner, s.n}
		if l != nil {
			l.sort(at, rt.View[uint64](words)[s.n:2*s.n])
		} else {
			s.keys[0].sort(s.inside, at, words, counts)
		}
	}
}

// lineSort sorts the indices of the elements of a line, and permutes all operands.
type lineSort struct {
	*sortTask
	radix  *radix[uint64]
	at     line
	packed []uint64
	// The current pass: pack a half of a key, permute an operand, or initialise the indices.
	key     sortKeys
	half    int
	operand Operand
}

func (l *lineSort) sort(at line, tmp []uint64) {
	l.at = at
	l.pass(nil, 0, nil)
	if l.less != nil {
		mergeSort(l.packed, tmp, func(i, j uint64) bool {
			l.env.CheckCancel()
			return l.less(at.base+int(i)*at.step, at.base+int(j)*at.step)
		})
	}
	for i := len(l.keys) - 1; i >= 0; i-- {
		for half := range l.keys[i].halves() {
			l.pass(l.keys[i], half, nil)
			l.radix.sort(l.inside, l.packed, tmp, 32, l.keys[i].bits())
		}
	}
	for _, o := range l.operands {
		l.pass(nil, 0, o)
	}
}

func (l *lineSort) pass(key sortKeys, half int, operand Operand) {
	l.key, l.half, l.operand = key, half, operand
	l.env.CheckCancel()
	l.inside.Run(rt.CeilDiv(l.n, radixChunk), l)
}

func (l *lineSort) Do(_ rt.Worker, chunk int) {
	first := chunk * radixChunk
	packed := l.packed[first:min(first+radixChunk, l.n)]
	switch {
	case l.key != nil:
		l.key.pack(packed, l.at, l.half)
	case l.operand != nil:
		l.operand.permute(packed, l.at, first)
	default:
		for i := range packed {
			packed[i] = uint64(first + i)
		}
	}
}

// Payload returns an operand that is only permuted. Its elements are given as unsigned integers of their size.
func Payload[T any](dst, src []T) Operand { return &payload[T]{dst, src} }

type payload[T any] struct{ dst, src []T }

func (o *payload[T]) permute(packed []uint64, at line, first int) {
	if at.step == 1 {
		src, dst := o.src[at.base:at.base+at.n], o.dst[at.base+first:][:len(packed)]
		for i, p := range packed {
			dst[i] = src[uint32(p)]
		}
		return
	}
	for i, p := range packed {
		o.dst[at.base+(first+i)*at.step] = o.src[at.base+int(uint32(p))*at.step]
	}
}
