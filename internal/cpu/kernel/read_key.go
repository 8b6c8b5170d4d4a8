package kernel

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/wire"
)

// ReadKey reads a kernel that [Kernel.AppendKey] appended. Operations and types are checked here,
// everything else by [Kernel.Verify].
func ReadKey(r *wire.Reader) *Kernel {
	key := keyReader{r}
	k := &Kernel{Dims: r.Numbers(), NumReduced: r.Int()}
	k.Params = list(key, 2, func(p *Param) { p.Type, p.Elems = key.dtype(), r.Number() })
	k.Flush = r.Flag()
	key.body(&k.Body)
	k.Stores = list(key, 7, func(s *Store) {
		s.Value, s.Type = key.value(), key.dtype()
		key.access(&s.At)
	})
	k.Reduces = list(key, 16, key.reduction)
	return k
}

type keyReader struct{ *wire.Reader }

// list reads a list whose elements take at least bytesEach bytes.
func list[T any](r keyReader, bytesEach int, read func(*T)) []T {
	n := r.Len(bytesEach)
	if n == 0 {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		read(&out[i])
	}
	return out
}

func (r keyReader) value() Value {
	v := r.Number()
	if v < int64(None) || v > math.MaxInt32 {
		r.Fail("unknown value %d", v)
		return None
	}
	return Value(v)
}

func (r keyReader) op() Op { return Op(r.Below(int(numOps))) }

// dtype reads an element type or Invalid.
func (r keyReader) dtype() dtype.Type {
	t := dtype.Type(r.Below(1 << 8))
	if t != dtype.Invalid && !t.IsValid() {
		r.Fail("unknown element type %d", t)
	}
	return t
}

func (r keyReader) values() []Value { return list(r, 1, func(v *Value) { *v = r.value() }) }

func (r keyReader) accesses() []Access { return list(r, 6, r.access) }

func (r keyReader) body(b *Body) {
	b.Instrs = list(r, 13, func(in *Instr) {
		in.Op, in.Type = r.op(), r.dtype()
		for i := range in.Args {
			in.Args[i] = r.value()
		}
		in.From = r.dtype()
		for i := range in.Bits {
			in.Bits[i] = r.Unsigned()
		}
		in.Arg, in.Func = r.Int(), r.Text()
		if r.Flag() {
			in.At = &Access{}
			r.access(in.At)
		}
		in.ExponentBits, in.MantissaBits = r.Int(), r.Int()
	})
}

func (r keyReader) access(a *Access) {
	a.Param, a.Offset, a.Strides = r.Int(), r.Number(), r.Numbers()
	a.Lookups = list(r, 3, func(l *Lookup) { l.Index, l.Limit, l.Stride = r.value(), r.Number(), r.Number() })
	a.Guards = list(r, 3, func(g *Guard) { g.Offset, g.Strides, g.Size = r.Number(), r.Numbers(), r.Number() })
	a.Fill = r.value()
}

func (r keyReader) reduction(d *Reduction) {
	d.Values = r.values()
	d.Types = list(r, 1, func(t *dtype.Type) { *t = r.dtype() })
	d.Inits = r.accesses()
	r.body(&d.Combine)
	d.Results, d.Kind = r.values(), r.op()
	d.ArgMinMax.Op = r.op()
	for _, t := range []*Ties{&d.ArgMinMax.Ties, &d.ArgMinMax.NaNs} {
		t.Elem, t.Index = Side(r.Below(int(noSide)+1)), Side(r.Below(int(noSide)+1))
	}
	d.At = r.accesses()
}
