package stablehlo

import (
	"slices"
	"strconv"

	"github.com/go-nx/nx/dtype"
)

// $conv_dims is [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]: the role of each dimension of input, kernel and
// output.

func (p *parser) convDimsAttr(s *opParts) {
	d := &ConvDims{}
	p.convDims(d)
	s.attr("dimension_numbers", d)
}

func (w *printer) convDimsAttr(op *Op) bool {
	d, ok := op.Attr("dimension_numbers").(*ConvDims)
	return ok && w.convDims(d)
}

// convDims reads the three lists.
func (p *parser) convDims(d *ConvDims) {
	d.InputSpatial = p.convSide("b", &d.InputBatch, "f", &d.InputFeature)
	p.expectWord("x", "between the dimensions of input and kernel")
	d.KernelSpatial = p.convSide("i", &d.KernelInputFeature, "o", &d.KernelOutputFeature)
	p.expect(tokArrow, "before the dimensions of the output")
	d.OutputSpatial = p.convSide("b", &d.OutputBatch, "f", &d.OutputFeature)
}

// convSide reads the list of one tensor: two letters, whose positions it stores, and the numbers of the
// spatial dimensions, whose positions it returns.
func (p *parser) convSide(a string, aAt *int64, b string, bAt *int64) []int64 {
	*aAt, *bAt = -1, -1
	at := p.pos()
	var nums []int64 // the number at each position, -1 for a letter
	p.list('[', ']', "before dimensions", func() {
		here, i := p.pos(), int64(len(nums))
		if p.is(tokInt) {
			n := p.integer("a dimension")
			if slices.Contains(nums, n) {
				p.failAt(here, "dimension %d is given twice", n)
			}
			nums = append(nums, n)
			return
		}
		nums = append(nums, -1)
		switch word := p.word("a dimension"); {
		case word == a && *aAt < 0:
			*aAt = i
		case word == b && *bAt < 0:
			*bAt = i
		default:
			p.failAt(here, "expected %s, %s or a spatial dimension, each once, found %s", a, b, word)
		}
	})
	spatial := make([]int64, max(len(nums)-2, 0))
	for i, n := range nums {
		if n >= int64(len(spatial)) {
			p.failAt(at, "the spatial dimensions are not numbered 0 to %d", len(spatial)-1)
			return nil
		}
		if n >= 0 {
			spatial[n] = int64(i)
		}
	}
	if *aAt < 0 || *bAt < 0 {
		p.failAt(at, "dimensions %s and %s must both be given", a, b)
	}
	return spatial
}

// convDims appends the three lists; it returns false when the positions are not a permutation.
func (w *printer) convDims(d *ConvDims) (ok bool) {
	w.buf, ok = appendConvDims(w.buf, d)
	return ok
}

func appendConvDims(b []byte, d *ConvDims) (_ []byte, ok bool) {
	b, ok1 := appendConvSide(b, "b", d.InputBatch, "f", d.InputFeature, d.InputSpatial)
	b, ok2 := appendConvSide(append(b, 'x'), "i", d.KernelInputFeature, "o", d.KernelOutputFeature, d.KernelSpatial)
	b, ok3 := appendConvSide(append(b, "->"...), "b", d.OutputBatch, "f", d.OutputFeature, d.OutputSpatial)
	return b, ok1 && ok2 && ok3
}

func appendConvSide(b []byte, x string, xAt int64, y string, yAt int64, spatial []int64) ([]byte, bool) {
	dims := make([]string, len(spatial)+2)
	ok := true
	put := func(at int64, s string) {
		if at < 0 || at >= int64(len(dims)) || dims[at] != "" {
			ok = false
			return
		}
		dims[at] = s
	}
	put(xAt, x)
	put(yAt, y)
	for i, at := range spatial {
		put(at, strconv.Itoa(i))
	}
	b = append(b, '[')
	for i, d := range dims {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, d...)
	}
	return append(b, ']'), ok
}

// windowAttrs are the attributes of a window by their names in $window.
var windowAttrs = []struct{ key, name string }{
	{"stride", "window_strides"},
	{"pad", "padding"},
	{"lhs_dilate", "lhs_dilation"},
	{"rhs_dilate", "rhs_dilation"},
	{"reverse", "window_reversal"},
}

// $window is stride = [2, 2], pad = [[1, 1], [0, 0]], …: the attributes of a window that are present.

func (p *parser) window(s *opParts) {
	for p.is(tokIdent) {
		i := slices.IndexFunc(windowAttrs, func(a struct{ key, name string }) bool { return p.isWord(a.key) })
		if i < 0 {
			p.fail("expected stride, pad, lhs_dilate, rhs_dilate or reverse, found %s", p.shown())
			return
		}
		at, a := p.pos(), windowAttrs[i]
		p.advance()
		p.expect('=', "after "+a.key)
		if slices.ContainsFunc(s.attrs, func(n NamedAttr) bool { return n.Name == a.name }) {
			p.failAt(at, "%s is given twice", a.key)
		}
		switch a.key {
		case "pad":
			s.attr(a.name, p.padding())
		case "reverse":
			vals := []int64{}
			p.list('[', ']', "before bools", func() { vals = append(vals, p.boolInt()) })
			s.attr(a.name, IntsAttr{dtype.Bool, vals})
		default:
			s.attr(a.name, IntsAttr{dtype.S64, p.ints("before integers")})
		}
		if !p.accept(',') {
			return
		}
	}
}

// padding reads [[1, 1], [0, 0]], pairs of padding below and above.
func (p *parser) padding() Attr {
	var data []byte
	n := int64(0)
	p.list('[', ']', "before pairs", func() {
		at := p.pos()
		pair := p.ints("before a pair")
		if len(pair) != 2 {
			p.failAt(at, "expected a pair of paddings, found %d", len(pair))
			return
		}
		data = append(data, make([]byte, 16)...)
		dtype.S64.StoreInt(data, int(2*n), pair[0])
		dtype.S64.StoreInt(data, int(2*n+1), pair[1])
		n++
	})
	a := &ElementsAttr{Type: Tensor(dtype.S64, n, 2), Data: data}
	a.normalise()
	return a
}

func (w *printer) window(op *Op) bool {
	first := true
	for _, a := range windowAttrs {
		v := op.Attr(a.name)
		if v == nil {
			continue
		}
		if !first {
			w.text(", ")
		}
		first = false
		w.text(a.key)
		w.text(" = ")
		if !w.windowAttr(a.key, v) {
			return false
		}
	}
	return true
}

func (w *printer) windowAttr(key string, v Attr) bool {
	if key == "pad" {
		e, ok := v.(*ElementsAttr)
		if !ok || e.Type.Rank() != 2 || e.Type.Dims[1] != 2 || !SameType(e.Type.Elem, Scalar(dtype.S64)) ||
			e.Type.Encoding != nil {
			return false
		}
		w.text("[")
		vals := e.Int64s()
		for i := 0; i < len(vals); i += 2 {
			if i > 0 {
				w.text(", ")
			}
			w.ints(vals[i : i+2])
		}
		w.text("]")
		return true
	}
	a, ok := v.(IntsAttr)
	if key == "reverse" {
		w.buf = appendBools(w.buf, a.Values)
		return ok && a.Elem == dtype.Bool
	}
	w.ints(a.Values)
	return ok && a.Elem == dtype.S64
}
