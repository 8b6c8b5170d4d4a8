// Package eval evaluates kernels by the definitions of their operations, one point at a time: it is the oracle of all
// code generators. It is slow and obvious, and shares only the elementary functions (package functions) and the order
// of sums (package plan) with them.
package eval

import (
	"encoding/binary"
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Options change what kernels compute.
type Options struct {
	// Flush flushes subnormal operands and results to 0 in kernels that allow it.
	Flush bool
	// Fused computes elementary functions as machine code does (functions.FusedOf), and contractions with fused
	// multiply-adds.
	Fused bool
}

// Run evaluates a kernel on the elements of its parameters, in the layout of package dtype. Sums are in the order of
// the plan.
func Run(k *kernel.Kernel, p *plan.Plan, params [][]byte, o Options) error {
	if err := k.Verify(); err != nil {
		return err
	}
	for i, want := range k.Params {
		if i >= len(params) || int64(len(params[i])) != want.Elems*int64(want.Type.Size()) {
			return fmt.Errorf("eval: p%d must have %d elements of %s", i, want.Elems, want.Type)
		}
	}
	e := &evaluator{k: k, params: params, flush: o.Flush && k.Flush, fused: o.Fused,
		vals: make([]word, len(k.Body.Instrs))}
	outer := k.Dims[:len(k.Dims)-k.NumReduced]
	if len(k.Reduces) == 0 {
		return each(k.Dims, e.point)
	}
	return each(outer, func(at []int64) error {
		elems := make([][]tuple, len(k.Reduces)) // of each reduction
		err := each(k.Dims[len(outer):], func(inner []int64) error {
			if err := e.point(append(at[:len(at):len(at)], inner...)); err != nil {
				return err
			}
			for i := range k.Reduces {
				t := make(tuple, len(k.Reduces[i].Values))
				for j, v := range k.Reduces[i].Values {
					t[j] = e.vals[v]
				}
				elems[i] = append(elems[i], t)
			}
			return nil
		})
		for i := range k.Reduces {
			if err == nil {
				err = e.result(&k.Reduces[i], p, p.Orders[i], elems[i], at)
			}
		}
		return err
	})
}

// word is the contents of a register: the bits of its element; of a complex number the real part first. Integers are
// extended to 64 bits by their signedness.
type word [2]uint64

// tuple is the operands of a combiner.
type tuple []word

type evaluator struct {
	k      *kernel.Kernel
	params [][]byte
	flush  bool
	fused  bool
	vals   []word
}

// each calls f for all points, in row-major order.
func each(dims []int64, f func(at []int64) error) error {
	at := make([]int64, len(dims))
	for _, n := range dims {
		if n == 0 {
			return nil
		}
	}
	for {
		if err := f(at); err != nil {
			return err
		}
		d := len(dims) - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d] < dims[d] {
				break
			}
			at[d] = 0
		}
		if d < 0 {
			return nil
		}
	}
}

// point evaluates the instructions and the stores at a point.
func (e *evaluator) point(at []int64) error {
	if err := e.body(&e.k.Body, e.vals, nil, at); err != nil {
		return err
	}
	for i := range e.k.Stores {
		s := &e.k.Stores[i]
		e.store(&s.At, s.Type, e.vals[s.Value], at)
	}
	return nil
}

// result reduces the elements of one result and stores it.
func (e *evaluator) result(r *kernel.Reduction, p *plan.Plan, order plan.Order, elems []tuple, at []int64) error {
	n := len(r.Values)
	vals := make([]word, len(r.Combine.Instrs))
	var failed error
	combine := func(acc, next tuple) tuple {
		if err := e.body(&r.Combine, vals, append(acc[:n:n], next...), nil); err != nil {
			failed = err
		}
		out := make(tuple, n)
		for i, v := range r.Results {
			out[i] = vals[v]
		}
		return out
	}
	acc := make(tuple, n)
	for i := range r.Inits {
		acc[i] = e.load(&r.Inits[i], r.Types[i], r.Inits[i].Offset)
	}
	if len(elems) > 0 {
		t, start := kernel.Register(r.Types[0]), make(tuple, n)
		if order == plan.InLanes {
			start[0] = startOf(t, plan.LaneIdentity(r.Kind))
		}
		acc = combine(acc, plan.Reduce(p, order, elems, plan.Lanes(t), start, combine))
	}
	for i := range r.At {
		e.store(&r.At[i], r.Types[i], acc[i], at)
	}
	return failed
}

// startOf returns the start value of lanes as a register of type t.
func startOf(t dtype.Type, z complex128) word {
	if t.IsComplex() {
		return ofComplex(t, z)
	}
	return ofFloat(t, real(z))
}

// body evaluates the instructions of a body.
func (e *evaluator) body(b *kernel.Body, vals []word, args tuple, at []int64) error {
	for i := range b.Instrs {
		in := &b.Instrs[i]
		switch in.Op {
		case kernel.Const:
			vals[i] = fromBits(in.Type, in.Bits)
		case kernel.Arg:
			vals[i] = args[in.Arg]
		case kernel.Index:
			vals[i] = ofInt(in.Type, affine(in.At.Offset, in.At.Strides, at))
		case kernel.Load:
			vals[i] = e.guarded(in, b, vals, at)
		default:
			v, err := e.instr(in, vals)
			if err != nil {
				return fmt.Errorf("eval: kernel %s: %%%d = %s: %w", e.k.Name, i, in, err)
			}
			vals[i] = v
		}
	}
	return nil
}

func affine(offset int64, strides, at []int64) int64 {
	for d, s := range strides {
		offset += s * at[d]
	}
	return offset
}

// guarded returns the element of a load, or its fill value.
func (e *evaluator) guarded(in *kernel.Instr, b *kernel.Body, vals []word, at []int64) word {
	for _, g := range in.At.Guards {
		if i := affine(g.Offset, g.Strides, at); i < 0 || i >= g.Size {
			return vals[in.At.Fill]
		}
	}
	return e.load(in.At, in.Type, affine(in.At.Offset, in.At.Strides, at)+lookupOffset(in.At, b, vals))
}

// lookupOffset returns the offset of the lookups of an access, in elements.
func lookupOffset(a *kernel.Access, b *kernel.Body, vals []word) int64 {
	sum := int64(0)
	for _, l := range a.Lookups {
		x, t := vals[l.Index][0], b.Instrs[l.Index].Register()
		switch {
		case t.IsSigned():
			sum += max(0, min(int64(x), l.Limit)) * l.Stride
		default:
			sum += int64(min(zeroExtended(t, x), uint64(l.Limit))) * l.Stride
		}
	}
	return sum
}

// load returns element i of a parameter as a register.
func (e *evaluator) load(a *kernel.Access, t dtype.Type, i int64) word {
	mem := e.params[a.Param]
	switch {
	case t == dtype.C128:
		re, im := mem[16*i:], mem[16*i+8:]
		return word{binary.LittleEndian.Uint64(re), binary.LittleEndian.Uint64(im)}
	case t == dtype.C64:
		re, im := mem[8*i:], mem[8*i+4:]
		return word{uint64(binary.LittleEndian.Uint32(re)), uint64(binary.LittleEndian.Uint32(im))}
	case t == dtype.BF16: // the upper half of an F32, also for NaN with any payload
		return word{t.LoadBits(mem, int(i)) << 16}
	case t.IsFloat() && kernel.NeedsRound(t):
		return ofF32(float32(t.LoadFloat(mem, int(i))))
	case t.IsInteger():
		return word{uint64(t.LoadInt(mem, int(i)))}
	}
	return word{t.LoadBits(mem, int(i))}
}

// store writes a register as an element of type t.
func (e *evaluator) store(a *kernel.Access, t dtype.Type, v word, at []int64) {
	i := affine(a.Offset, a.Strides, at) + lookupOffset(a, &e.k.Body, e.vals)
	mem := e.params[a.Param]
	switch {
	case t == dtype.C128:
		binary.LittleEndian.PutUint64(mem[16*i:], v[0])
		binary.LittleEndian.PutUint64(mem[16*i+8:], v[1])
	case t == dtype.C64:
		binary.LittleEndian.PutUint32(mem[8*i:], uint32(v[0]))
		binary.LittleEndian.PutUint32(mem[8*i+4:], uint32(v[1]))
	case t.IsFloat() && kernel.NeedsRound(t):
		t.StoreFloat(mem, int(i), float64(v.f32()))
	default:
		t.StoreBits(mem, int(i), v[0])
	}
}
