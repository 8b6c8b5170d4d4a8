package library

import (
	"math"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernels/order"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// sortKey is one key of a comparator: less compares value(lhs) with value(rhs).
type sortKey struct {
	operand int // the operand with the values, or -1
	order   keyOrder
	eval    *codegen.Body // computes value from the operands
}

// makeSort compiles sort. If the comparator compares functions of the elements, one after another, these keys are
// computed for all elements and sorted by their bits; else elements are merge-sorted by the comparator.
func makeSort(call *program.Call, bodies []*codegen.Body) (Func, error) {
	op := call.Op
	in := op.Operands[0].Tensor()
	axis := op.Int("dimension", -1)
	if axis < 0 {
		axis += int64(in.Rank())
	}
	outer, inner := int64(1), int64(1)
	for d, n := range in.Dims {
		switch {
		case int64(d) < axis:
			outer *= n
		case int64(d) > axis:
			inner *= n
		}
	}
	n := int64(1)
	if in.Rank() > 0 {
		n = in.Dims[axis]
	}
	s := &sorter{outer: int(outer), n: int(n), inner: int(inner)}
	for _, v := range op.Operands {
		s.sizes = append(s.sizes, v.Tensor().DType().Size())
	}
	for _, k := range call.Keys {
		key := sortKey{operand: k.Operand, order: orderOf(k)}
		if k.Operand < 0 {
			key.eval = bodies[k.Body]
		}
		s.keys = append(s.keys, key)
	}
	if len(s.keys) > 0 {
		return s.byKeys, nil
	}
	s.less = bodies[0]
	return s.byComparator, nil
}

type sorter struct {
	outer, n, inner int
	sizes           []int
	keys            []sortKey
	less            *codegen.Body
}

func (s *sorter) byKeys(env *rt.Env, ins, outs [][]byte) error {
	var operands []order.Operand
	moved := make([]bool, len(s.sizes))
	for _, k := range s.keys {
		src, dst := []byte(nil), []byte(nil)
		if k.operand >= 0 && !moved[k.operand] {
			src, dst = ins[k.operand], outs[k.operand]
			moved[k.operand] = true
		} else {
			total := s.outer * s.n * s.inner
			size := k.order.size
			buf, err := env.Scratch(2 * total * size)
			if err != nil {
				return err
			}
			defer env.Free(buf)
			src, dst = buf[:total*size], buf[total*size:]
			if k.operand >= 0 {
				copy(src, ins[k.operand])
			} else {
				s.evaluate(env, k.eval, ins, src, size)
			}
		}
		operands = append(operands, k.order.key(dst, src))
	}
	for i, size := range s.sizes {
		if !moved[i] {
			operands = append(operands, payload(outs[i], ins[i], size))
		}
	}
	return order.Sort(env, operands, len(s.keys), s.outer, s.n, s.inner)
}

// evaluate computes a key of all elements.
func (s *sorter) evaluate(env *rt.Env, body *codegen.Body, ins [][]byte, dst []byte, size int) {
	t := &keyTask{s: s, body: body, ins: ins, dst: dst, size: size, total: s.outer * s.n * s.inner}
	env.Run((t.total+keyChunk-1)/keyChunk, t)
}

const keyChunk = 1 << 13

type keyTask struct {
	s     *sorter
	body  *codegen.Body
	ins   [][]byte
	dst   []byte
	size  int
	total int
}

func (t *keyTask) Do(_ rt.Worker, chunk int) {
	c := t.body.Begin(t.ins)
	defer c.End()
	first := int64(chunk) * keyChunk
	for i, size := range t.s.sizes {
		c.Arg(2*i, addr(t.ins[i], first, size)) // a key has no right-hand argument
	}
	c.Result(0, addr(t.dst, first, t.size))
	c.Apply(min(t.total-int(first), keyChunk))
}

func (s *sorter) byComparator(env *rt.Env, ins, outs [][]byte) error {
	operands := make([]order.Operand, len(s.sizes))
	for i, size := range s.sizes {
		operands[i] = payload(outs[i], ins[i], size)
	}
	c := s.less.Begin(ins)
	defer c.End()
	var result byte
	c.Result(0, unsafe.Pointer(&result))
	less := func(i, j int) bool {
		for k, size := range s.sizes {
			c.Arg(2*k, addr(ins[k], int64(i), size))
			c.Arg(2*k+1, addr(ins[k], int64(j), size))
		}
		c.Apply(1)
		return result != 0
	}
	one := &rt.Env{Buffers: env.Buffers, Cancel: env.Cancel} // less is for one worker
	return order.SortFunc(one, operands, less, s.outer, s.n, s.inner)
}

// payload returns an operand that is only permuted.
func payload(dst, src []byte, size int) order.Operand {
	switch size {
	case 1:
		return order.Payload(dst, src)
	case 2:
		return order.Payload(rt.View[uint16](dst), rt.View[uint16](src))
	case 4:
		return order.Payload(rt.View[uint32](dst), rt.View[uint32](src))
	case 8:
		return order.Payload(rt.View[uint64](dst), rt.View[uint64](src))
	}
	return order.Payload(rt.View[[2]uint64](dst), rt.View[[2]uint64](src))
}

// keyOrder is the order of the bits of a key.
type keyOrder struct {
	kind       order.Kind
	descending bool
	infinity   uint64
	size       int
}

func (o keyOrder) key(dst, src []byte) order.Operand {
	switch o.size {
	case 1:
		return keyOf(o, dst, src)
	case 2:
		return keyOf(o, rt.View[uint16](dst), rt.View[uint16](src))
	case 4:
		return keyOf(o, rt.View[uint32](dst), rt.View[uint32](src))
	}
	return keyOf(o, rt.View[uint64](dst), rt.View[uint64](src))
}

func keyOf[T uint8 | uint16 | uint32 | uint64](o keyOrder, dst, src []T) order.Operand {
	return order.Key(dst, src, order.Order[T]{Kind: o.kind, Descending: o.descending, Infinity: T(o.infinity)})
}

// orderOf returns the order of the bits of a key.
func orderOf(k program.SortKey) keyOrder {
	o := keyOrder{descending: k.Descending, size: k.Type.Size()}
	switch t := k.Type; {
	case t == dtype.Bool || t.IsUnsigned():
		o.kind = order.Unsigned
	case t.IsSigned():
		o.kind = order.Signed
	case k.Total:
		o.kind = order.FloatTotal
	default:
		o.kind, o.infinity = order.FloatNumeric, t.FromFloat64(math.Inf(1))
	}
	return o
}
