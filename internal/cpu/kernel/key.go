package kernel

import "encoding/binary"

// AppendKey appends what two kernels have in common exactly when they do the same to
// parameters of the same types: all but the name.
func (k *Kernel) AppendKey(b []byte) []byte {
	key := keyWriter{b}
	key.numbers(k.Dims)
	key.number(k.NumReduced)
	key.number(len(k.Params))
	for _, p := range k.Params {
		key.number(int(p.Type))
		key.number(int(p.Elems))
	}
	key.flag(k.Flush)
	key.body(&k.Body)
	key.number(len(k.Stores))
	for i := range k.Stores {
		s := &k.Stores[i]
		key.number(int(s.Value))
		key.number(int(s.Type))
		key.access(&s.At)
	}
	key.number(len(k.Reduces))
	for i := range k.Reduces {
		key.reduction(&k.Reduces[i])
	}
	return key.b
}

type keyWriter struct{ b []byte }

func (w *keyWriter) number(n int) { w.b = binary.AppendVarint(w.b, int64(n)) }

func (w *keyWriter) numbers(list []int64) {
	w.number(len(list))
	for _, n := range list {
		w.b = binary.AppendVarint(w.b, n)
	}
}

func (w *keyWriter) flag(is bool) {
	if is {
		w.b = append(w.b, 1)
	} else {
		w.b = append(w.b, 0)
	}
}

func (w *keyWriter) values(list []Value) {
	w.number(len(list))
	for _, v := range list {
		w.number(int(v))
	}
}

func (w *keyWriter) body(b *Body) {
	w.number(len(b.Instrs))
	for i := range b.Instrs {
		in := &b.Instrs[i]
		w.number(int(in.Op))
		w.number(int(in.Type))
		for _, a := range in.Args {
			w.number(int(a))
		}
		w.number(int(in.From))
		for _, bits := range in.Bits {
			w.b = binary.AppendUvarint(w.b, bits)
		}
		w.number(in.Arg)
		w.number(len(in.Func))
		w.b = append(w.b, in.Func...)
		if w.flag(in.At != nil); in.At != nil {
			w.access(in.At)
		}
		w.number(in.ExponentBits)
		w.number(in.MantissaBits)
	}
}

func (w *keyWriter) access(a *Access) {
	w.number(a.Param)
	w.number(int(a.Offset))
	w.numbers(a.Strides)
	w.number(len(a.Lookups))
	for _, l := range a.Lookups {
		w.number(int(l.Index))
		w.numbers([]int64{l.Limit, l.Stride})
	}
	w.number(len(a.Guards))
	for _, g := range a.Guards {
		w.number(int(g.Offset))
		w.numbers(g.Strides)
		w.number(int(g.Size))
	}
	w.number(int(a.Fill))
}

func (w *keyWriter) accesses(list []Access) {
	w.number(len(list))
	for i := range list {
		w.access(&list[i])
	}
}

func (w *keyWriter) reduction(r *Reduction) {
	w.values(r.Values)
	w.number(len(r.Types))
	for _, t := range r.Types {
		w.number(int(t))
	}
	w.accesses(r.Inits)
	w.body(&r.Combine)
	w.values(r.Results)
	w.number(int(r.Kind))
	w.number(int(r.Pick.Op))
	for _, t := range []Ties{r.Pick.Ties, r.Pick.NaNs} {
		w.number(int(t.Elem))
		w.number(int(t.Index))
	}
	w.accesses(r.At)
}
