package stablehlo

import "io"

// PrintOptions chooses how a module is printed.
type PrintOptions struct {
	// Generic prints every op in the generic form, "stablehlo.add"(%0, %1) : ….
	Generic bool
	// Locations prints the locations of ops and block arguments.
	Locations bool
	// Elide leaves out the elements of large constants, dense_resource<__elided__>, for
	// people: such text cannot be read back.
	Elide bool
}

// Print writes a module as text that [Parse] reads back to an equal one.
// Values keep their names where they are unique.
func Print(w io.Writer, m *Module, opts PrintOptions) error {
	p := printer{out: w, opts: opts}
	p.names.init()
	p.op(m.Op)
	p.newline()
	p.locDefs()
	p.flush()
	return p.err
}

// String returns the module in the pretty form without locations.
func (m *Module) String() string {
	p := printer{}
	p.names.init()
	p.op(m.Op)
	p.newline()
	return string(p.buf)
}

// String returns the op with its regions in the pretty form, without locations.
func (o *Op) String() string { return o.Text(PrintOptions{}) }

// Text returns the text of the op in the form of opts.
func (o *Op) Text(opts PrintOptions) string {
	p := printer{opts: opts}
	p.names.init()
	p.op(o)
	return string(p.buf)
}

// printer appends text to buf and writes it to out from time to time.
type printer struct {
	buf    []byte
	out    io.Writer // nil: everything stays in buf
	err    error
	opts   PrintOptions
	indent int
	// tries counts the pretty forms being tried, whose text may be taken back
	// and so must stay in buf.
	tries int
	names names
	locs  locTable
}

const flushSize = 1 << 16

// flush writes the text so far.
func (w *printer) flush() {
	if w.out == nil || w.tries > 0 {
		return
	}
	if w.err == nil {
		_, w.err = w.out.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

// committed runs f, which prints much, with the text so far as final: the pretty
// form that calls it is known to fit.
func (w *printer) committed(f func()) {
	tries := w.tries
	w.tries = 0
	f()
	w.tries = tries
}

// text appends s. A space is dropped at the start of s behind another, so that
// empty parts of a form leave no gap.
//
//go:noinline
func (w *printer) text(s string) { w.buf = append(w.buf, s...) }

func (w *printer) literal(s string) {
	if n := len(w.buf); n > 0 && w.buf[n-1] == ' ' && s[0] == ' ' {
		s = s[1:]
	}
	w.buf = append(w.buf, s...)
}

// newline starts a line with the indentation.
func (w *printer) newline() {
	w.buf = append(w.buf, '\n')
	for range w.indent {
		w.buf = append(w.buf, ' ', ' ')
	}
}

func (w *printer) typ(t Type) { w.buf = appendType(w.buf, t) }

// attr appends an attribute; a large constant is written piece by piece.
func (w *printer) attr(a Attr) {
	e, ok := a.(*ElementsAttr)
	if ok && w.opts.Elide && e.isLong() {
		w.text("dense_resource<__elided__> : ")
		w.typ(e.Type)
		return
	}
	if !ok || w.out == nil || w.tries > 0 || len(e.Data) < flushSize || !e.isHex() {
		w.buf = appendAttr(w.buf, a)
		return
	}
	w.text(`dense<"0x`)
	step := flushSize / 16 * 16
	for data := e.Data; len(data) > 0; data = data[min(step, len(data)):] {
		w.buf = appendHex(w.buf, e.Type.DType(), data[:min(step, len(data))])
		w.flush()
	}
	w.text(`"> : `)
	w.typ(e.Type)
}

// attrDict appends {a = 1, b} with the attributes of op that are not covered and not equal to their default.
func (w *printer) attrDict(op *Op, covers []string) {
	info := op.Code.Info()
	first := true
	for _, a := range op.Attrs {
		if !discardable(a, covers) {
			continue
		}
		if spec := info.Attr(a.Name); spec != nil && spec.isDefault(a.Value) {
			continue
		}
		w.dictEntry(a, &first, " {")
	}
	if !first {
		w.text("}")
	}
}

// dictEntry appends an entry of a dictionary, with the opening bracket for the first.
func (w *printer) dictEntry(a NamedAttr, first *bool, open string) {
	if *first {
		w.literal(open)
	} else {
		w.text(", ")
	}
	*first = false
	w.buf = appendKey(w.buf, a.Name)
	if _, unit := a.Value.(UnitAttr); !unit {
		w.text(" = ")
		w.attr(a.Value)
	}
}

// op appends an op with its results and location, without a line end.
func (w *printer) op(op *Op) {
	w.results(op)
	if !w.tryPretty(op) {
		w.generic(op)
	}
	w.optLocation(op.Loc)
}

// tryPretty appends the pretty form, and reports false if op has no pretty form.
func (w *printer) tryPretty(op *Op) bool {
	f := formOf(op.Code)
	if w.opts.Generic || f == nil || !f.regions && len(op.Regions) > 0 {
		return false
	}
	mark := len(w.buf)
	w.tries++
	w.text(prettyName(op))
	ok := f.print(w, op)
	w.tries--
	if !ok {
		w.buf = w.buf[:mark]
	}
	return ok
}

// prettyName returns the name of an op, without the dialect where the enclosing op implies it.
func prettyName(op *Op) string {
	switch op.Code {
	case OpModule:
		return "module"
	case OpCall, OpFuncReturn:
		if p := op.Parent(); p != nil && p.Code == OpFunc {
			return op.Code.Info().Mnemonic()
		}
	}
	return op.Name()
}

// generic appends "name"(%a) <{inherent}> ({regions}) {others} : type.
func (w *printer) generic(op *Op) {
	w.buf = appendString(w.buf, op.Name())
	w.genericRest(op)
}

// genericRest appends the generic form behind the name.
func (w *printer) genericRest(op *Op) {
	w.text("(")
	w.values(op.Operands)
	w.text(")")
	info := op.Code.Info()
	first := true
	for _, a := range op.Attrs {
		if inherent(info, a.Name) {
			w.dictEntry(a, &first, " <{")
		}
	}
	if !first {
		w.text("}>")
	}
	if len(op.Regions) > 0 {
		w.text(" (")
		w.regions(op.Regions)
		w.text(")")
	}
	first = true
	for _, a := range op.Attrs {
		if !inherent(info, a.Name) {
			w.dictEntry(a, &first, " {")
		}
	}
	if !first {
		w.text("}")
	}
	w.text(" : ")
	w.functionalType(op)
}

// inherent reports whether an attribute belongs to the definition of the op.
func inherent(info *OpInfo, name string) bool {
	return info.Attr(name) != nil ||
		info.Traits&Segments != 0 && (name == "operandSegmentSizes" || name == "resultSegmentSizes")
}

// values appends %a, %b.
func (w *printer) values(vals []*Value) {
	for i, v := range vals {
		if i > 0 {
			w.text(", ")
		}
		w.value(v)
	}
}

func (w *printer) value(v *Value) {
	w.buf = append(w.buf, '%')
	w.buf = append(w.buf, w.names.get(v)...)
}

// results appends the names of the results: %0 = , %0:2 = , %a, %b = .
func (w *printer) results(op *Op) {
	if len(op.Results) == 0 {
		return
	}
	for i := 0; i < len(op.Results); {
		if i > 0 {
			w.text(", ")
		}
		n := w.names.group(op.Results[i:])
		w.buf = append(w.buf, '%')
		w.buf = append(w.buf, w.names.defineGroup(op, op.Results[i:i+n])...)
		if n > 1 {
			w.buf = append(w.buf, ':')
			w.buf = appendDecimal(w.buf, int64(n))
		}
		i += n
	}
	w.text(" = ")
}

// enter makes the scope of a region, which leave closes. A manual computation sees no values from
// outside, but other parsers refuse their names in it.
func (w *printer) enter(r *Region) nameMark {
	isolated := r.parent != nil && r.parent.Code.Info().Traits&Isolated != 0 &&
		r.parent.Code != OpSdyManualComputation
	return w.names.open(isolated)
}

func (w *printer) leave(m nameMark) { w.names.close(m) }

func (w *printer) define(v *Value) { w.names.define(v) }

// shareName returns v the name of another value, whose scope does not meet its own.
func (w *printer) shareName(of, v *Value) { w.names.of[v] = w.names.of[of] }

// arg names a block argument and appends %a: type loc.
func (w *printer) arg(v *Value) {
	w.define(v)
	w.value(v)
	w.text(": ")
	w.typ(v.typ)
	w.optLocation(v.Loc)
}

// regions appends regions separated by commas.
func (w *printer) regions(regions []*Region) {
	for i, r := range regions {
		if i > 0 {
			w.text(", ")
		}
		w.region(r, true)
	}
}

// region appends a region with its own scope; args reports whether the arguments of the first block are
// printed.
func (w *printer) region(r *Region, args bool) {
	mark := w.enter(r)
	w.blocks(r, args)
	w.leave(mark)
}

// body appends a region whose scope is open and whose arguments are shown.
func (w *printer) body(r *Region) { w.blocks(r, false) }

func (w *printer) blocks(r *Region, args bool) {
	w.committed(func() {
		w.text("{")
		for i, b := range r.Blocks {
			if i > 0 || args && (len(b.Args) > 0 || len(b.Ops) == 0) {
				w.blockHeader(b, i)
			}
			w.indent++
			for _, op := range b.Ops {
				w.newline()
				w.op(op)
				if len(w.buf) > flushSize {
					w.flush()
				}
			}
			w.indent--
		}
		if len(r.Blocks) > 0 {
			w.newline()
		}
		w.text("}")
	})
}

// blockHeader appends ^bb0(%a: type):.
func (w *printer) blockHeader(b *Block, i int) {
	w.newline()
	w.text("^bb")
	w.buf = appendDecimal(w.buf, int64(i))
	if len(b.Args) > 0 {
		w.text("(")
		for i, a := range b.Args {
			if i > 0 {
				w.text(", ")
			}
			w.arg(a)
		}
		w.text(")")
	}
	w.text(":")
}
