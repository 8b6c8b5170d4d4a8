package kernel

import "github.com/go-nx/nx/internal/wire"

// AppendKey appends a key that is equal for two kernels exactly if they compute the same from
// parameters of the same types: everything but the name. [ReadKey] reads the kernel back.
func (k *Kernel) AppendKey(b []byte) []byte {
	key := keyWriter{wire.Writer{B: b}}
	key.Numbers(k.Dims)
	key.Int(k.NumReduced)
	key.Int(len(k.Params))
	for _, p := range k.Params {
		key.Int(int(p.Type))
		key.Number(p.Elems)
	}
	key.Flag(k.Flush)
	key.body(&k.Body)
	key.Int(len(k.Stores))
	for i := range k.Stores {
		s := &k.Stores[i]
		key.Int(int(s.Value))
		key.Int(int(s.Type))
		key.access(&s.At)
	}
	key.Int(len(k.Reduces))
	for i := range k.Reduces {
		key.reduction(&k.Reduces[i])
	}
	return key.B
}

type keyWriter struct{ wire.Writer }

func (w *keyWriter) values(list []Value) {
	w.Int(len(list))
	for _, v := range list {
		w.Int(int(v))
	}
}

func (w *keyWriter) body(b *Body) {
	w.Int(len(b.Instrs))
	for i := range b.Instrs {
		in := &b.Instrs[i]
		w.Int(int(in.Op))
		w.Int(int(in.Type))
		for _, a := range in.Args {
			w.Int(int(a))
		}
		w.Int(int(in.From))
		for _, bits := range in.Bits {
			w.Unsigned(bits)
		}
		w.Int(in.Arg)
		w.Text(in.Func)
		if w.Flag(in.At != nil); in.At != nil {
			w.access(in.At)
		}
		w.Int(in.ExponentBits)
		w.Int(in.MantissaBits)
	}
}

func (w *keyWriter) access(a *Access) {
	w.Int(a.Param)
	w.Number(a.Offset)
	w.Numbers(a.Strides)
	w.Int(len(a.Lookups))
	for _, l := range a.Lookups {
		w.Int(int(l.Index))
		w.Number(l.Limit)
		w.Number(l.Stride)
	}
	w.Int(len(a.Guards))
	for _, g := range a.Guards {
		w.Number(g.Offset)
		w.Numbers(g.Strides)
		w.Number(g.Size)
	}
	w.Int(int(a.Fill))
}

func (w *keyWriter) accesses(list []Access) {
	w.Int(len(list))
	for i := range list {
		w.access(&list[i])
	}
}

func (w *keyWriter) reduction(r *Reduction) {
	w.values(r.Values)
	w.Int(len(r.Types))
	for _, t := range r.Types {
		w.Int(int(t))
	}
	w.accesses(r.Inits)
	w.body(&r.Combine)
	w.values(r.Results)
	w.Int(int(r.Kind))
	w.Int(int(r.ArgMinMax.Op))
	for _, t := range []Ties{r.ArgMinMax.Ties, r.ArgMinMax.NaNs} {
		w.Int(int(t.Elem))
		w.Int(int(t.Index))
	}
	w.accesses(r.At)
}
