package core

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// Einsum implements nx.Einsum.
func Einsum(formula string, ts ...Tensor) Tensor {
	f := readFormula(formula, ts)
	parts := make([]einsumPart, len(ts))
	for i, t := range ts {
		parts[i] = f.diagonal(t, f.terms[i])
	}
	f.broadcast(parts)
	names := map[rune]string{} // kept separate: two axes of an intermediate product may have one
	for i := range parts {
		p := &parts[i]
		for k, c := range []rune(p.letters) {
			if n := p.t.p.spec.name(k); names[c] == "" {
				names[c] = n
			}
		}
		p.t = p.t.withNames("Einsum", nil)
	}
	if len(parts) > 2 { // the pairs would each promote by themselves
		d := parts[0].t.p.spec
		for _, p := range parts[1:] {
			s := p.t.p.spec
			d = &Spec{DType: promoted(d, s), weak: d.weak && s.weak}
		}
		for i := range parts {
			parts[i].t = cast(parts[i].t, dotType(d, d))
		}
	}
	sizes := map[rune]int{}
	for _, p := range parts {
		for i, c := range []rune(p.letters) {
			sizes[c] = p.t.p.spec.Shape[i]
		}
	}
	terms := make([]string, len(parts))
	for i, p := range parts {
		terms[i] = p.letters
	}
	for _, pair := range contractionOrder(terms, f.out, sizes) {
		a, b := parts[pair[0]], parts[pair[1]]
		parts = append(slices.Delete(slices.Delete(parts, pair[1], pair[1]+1), pair[0], pair[0]+1), einsumPart{})
		kept := f.out
		for _, p := range parts {
			kept += p.letters
		}
		parts[len(parts)-1] = contractPair(a, b, kept)
	}
	t := arrange(parts[0], f.out)
	var out []string
	for _, c := range f.out {
		out = append(out, names[c])
	}
	s := newSpec("Einsum", Spec{DType: t.p.spec.DType, Shape: t.p.spec.Shape, Names: out}, ts...)
	return t.withNames("Einsum", s.Names)
}

// einsumPart is a tensor with the letters of its axes, each once.
type einsumPart struct {
	t       Tensor
	letters string
}

// without sums over the axes whose letters are not kept.
func (p einsumPart) without(kept string) einsumPart {
	var o axesOption
	rest := ""
	for i, c := range []rune(p.letters) {
		if strings.ContainsRune(kept, c) {
			rest += string(c)
		} else {
			o.axes = append(o.axes, axisRef{i: i})
		}
	}
	if len(o.axes) == 0 {
		return p
	}
	return einsumPart{Sum(p.t, o, As(dotType(p.t.p.spec, p.t.p.spec))), rest}
}

// arrange sums and transposes to the axes of the result.
func arrange(p einsumPart, out string) Tensor {
	p = p.without(out)
	letters := []rune(p.letters)
	var o axesOption
	for _, c := range out {
		o.axes = append(o.axes, axisRef{i: slices.Index(letters, c)})
	}
	return Transpose(p.t, o)
}

// contractPair multiplies two tensors and sums over the letters that are not kept.
func contractPair(a, b einsumPart, kept string) einsumPart {
	// What neither the other operand nor the result has is summed before.
	a = a.without(b.letters + kept)
	b = b.without(a.letters + kept)
	attrs := einsumAttrs{a.letters, b.letters, kept}
	_, letters := attrs.dims()
	return einsumPart{einsumOp.call(attrs, operand{t: a.t.p}, operand{t: b.t.p}), letters}
}

// einsumAttrs are the letters of two operands, and those to be kept.
type einsumAttrs struct{ a, b, kept string }

// dims returns which axes are batches and which are contracted, and the letters of the
// product.
func (f einsumAttrs) dims() (dims *stablehlo.DotDims, letters string) {
	dims = &stablehlo.DotDims{}
	as, bs := []rune(f.a), []rune(f.b)
	for i, c := range as {
		j := slices.Index(bs, c)
		switch {
		case j < 0:
		case strings.ContainsRune(f.kept, c):
			dims.LHSBatching, dims.RHSBatching = append(dims.LHSBatching, int64(i)), append(dims.RHSBatching, int64(j))
			letters += string(c)
		default:
			dims.LHSContracting, dims.RHSContracting = append(dims.LHSContracting, int64(i)),
				append(dims.RHSContracting, int64(j))
		}
	}
	for _, c := range as {
		if !slices.Contains(bs, c) {
			letters += string(c)
		}
	}
	for _, c := range bs {
		if !slices.Contains(as, c) {
			letters += string(c)
		}
	}
	return dims, letters
}

var einsumOp = &operation[einsumAttrs]{name: "Einsum",
	describe: func(d *description[einsumAttrs]) {
		dims, _ := d.attrs.dims()
		d.returns(productSpec(d.op, d.tensors(), dims))
	},
	emit: func(d *description[einsumAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		dims, _ := d.attrs.dims()
		t := d.outs[0].DType
		return []*stablehlo.Value{e.dot(e.convert(in[0], t), e.convert(in[1], t), dims, d.outs[0])}
	}}

// diagonal returns a tensor with each letter of a term once.
func (f *formula) diagonal(t Tensor, term []letter) einsumPart {
	letters := make([]rune, len(term))
	for i, l := range term {
		letters[i] = l.c
	}
	for i := 0; i < len(letters); i++ {
		j := slices.Index(letters[i+1:], letters[i]) + i + 1
		if j == i {
			continue
		}
		var o axesOption // the two last
		for k := range letters {
			if k != i && k != j {
				o.axes = append(o.axes, axisRef{i: k})
			}
		}
		o.axes = append(o.axes, axisRef{i: i}, axisRef{i: j})
		s := t.p.spec
		if s.Shape[i] != s.Shape[j] {
			f.fail(ErrShape, term[j].at, "requires equal sizes of %s and %s, got %d and %d", axisLabel(s, i),
				axisLabel(s, j),
				s.Shape[i], s.Shape[j])
		}
		t = Transpose(t, o)
		if rank := len(s.Shape); s.Shape[i] > 0 {
			t = Diagonal(t, 0)
		} else { // there is nothing to cut
			t = Reshape(t, t.p.spec.Shape[:rank-1]...)
		}
		if name := cmp.Or(s.name(i), s.name(j)); name != "" {
			names := t.p.spec.names()
			names[len(names)-1] = name
			t = t.withNames("Einsum", names)
		}
		c := letters[i]
		letters = append(slices.Delete(slices.Delete(letters, j, j+1), i, i+1), c)
		term = append(slices.Delete(slices.Delete(slices.Clone(term), j, j+1), i, i+1), letter{c, term[i].at})
		i = -1
	}
	return einsumPart{t, string(letters)}
}

// broadcast drops axes of size 1 that are larger elsewhere, and refuses other differences.
func (f *formula) broadcast(parts []einsumPart) {
	sizes := map[rune]int{}
	for _, p := range parts {
		for i, c := range []rune(p.letters) {
			if n := p.t.p.spec.Shape[i]; n != 1 {
				if _, known := sizes[c]; !known {
					sizes[c] = n
				}
			}
		}
	}
	for k := range parts {
		p := &parts[k]
		var o axesOption
		kept := ""
		for i, c := range []rune(p.letters) {
			n, larger := sizes[c]
			switch have := p.t.p.spec.Shape[i]; {
			case have == n || !larger:
				kept += string(c)
			case have == 1:
				o.axes = append(o.axes, axisRef{i: i})
			default:
				at := slices.IndexFunc(f.terms[k], func(l letter) bool { return l.c == c })
				f.fail(ErrShape, f.terms[k][at].at, "means an axis of %d elements here, and one of %d before", have, n)
			}
		}
		if len(o.axes) > 0 {
			p.t, p.letters = Squeeze(p.t, o), kept
		}
	}
}
