package stablehlo

import "strconv"

// locTable numbers locations so that equal ones have one number. Locations
// share parts; with their numbers a walk visits each part once.
type locTable struct {
	ids  map[locKey]int
	memo map[Location]int
	list []Location // by number, from 1; children come before their parents
}

// locKey is a location with its parts as numbers.
type locKey struct {
	kind       byte
	text       string
	a, b, c, d int
}

// id returns the number of a location, 0 for an unknown one.
func (t *locTable) id(l Location) int {
	if l == nil {
		return 0
	}
	if id, ok := t.memo[l]; ok {
		return id
	}
	if t.ids == nil {
		t.ids, t.memo = map[locKey]int{}, map[Location]int{}
	}
	var k locKey
	switch l := l.(type) {
	case *FileLoc:
		k = locKey{'f', l.File, l.Line, l.Col, l.EndLine, l.EndCol}
	case *NameLoc:
		k = locKey{kind: 'n', text: l.Name, a: t.id(l.Child)}
	case *CallSiteLoc:
		k = locKey{kind: 'c', a: t.id(l.Callee), b: t.id(l.Caller)}
	case *FusedLoc:
		var b []byte
		for _, part := range l.Locs {
			b = append(strconv.AppendInt(b, int64(t.id(part)), 10), ' ')
		}
		if l.Metadata != nil {
			b = appendAttr(append(b, '<'), l.Metadata)
		}
		k = locKey{kind: 'u', text: string(b)}
	}
	id, ok := t.ids[k]
	if !ok {
		t.list = append(t.list, l)
		id = len(t.list)
		t.ids[k] = id
	}
	t.memo[l] = id
	return id
}

// optLocation appends loc(#loc3) when locations are printed and this is known.
func (w *printer) optLocation(l Location) {
	if w.opts.Locations && l != nil {
		w.text(" loc(#loc")
		w.buf = appendDecimal(w.buf, int64(w.locs.id(l)))
		w.text(")")
	}
}

// locDefs appends the definitions of the location aliases.
func (w *printer) locDefs() {
	ref := func(b []byte, l Location) []byte {
		if l == nil {
			return append(b, "unknown"...)
		}
		return appendDecimal(append(b, "#loc"...), int64(w.locs.id(l)))
	}
	for i, l := range w.locs.list {
		w.text("#loc")
		w.buf = appendDecimal(w.buf, int64(i+1))
		w.text(" = loc(")
		w.buf = appendLocWith(w.buf, l, ref)
		w.text(")\n")
		if len(w.buf) > flushSize {
			w.flush()
		}
	}
}

// appendLocation appends a location with its parts written out.
func appendLocation(b []byte, l Location) []byte { return appendLocWith(b, l, appendLocation) }

// appendLocWith appends a location, its parts by ref.
func appendLocWith(b []byte, l Location, ref func([]byte, Location) []byte) []byte {
	switch l := l.(type) {
	case *FileLoc:
		return appendFileLoc(b, l)
	case *NameLoc:
		b = appendString(b, l.Name)
		if l.Child != nil {
			b = append(ref(append(b, '('), l.Child), ')')
		}
		return b
	case *CallSiteLoc:
		b = ref(append(b, "callsite("...), l.Callee)
		return append(ref(append(b, " at "...), l.Caller), ')')
	case *FusedLoc:
		b = append(b, "fused"...)
		if l.Metadata != nil {
			b = append(appendAttr(append(b, '<'), l.Metadata), '>')
		}
		b = append(b, '[')
		for i, part := range l.Locs {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = ref(b, part)
		}
		return append(b, ']')
	}
	return append(b, "unknown"...)
}

// appendFileLoc appends "file":1:2 to 3:4, the end line only when it differs.
func appendFileLoc(b []byte, l *FileLoc) []byte {
	b = append(appendString(b, l.File), ':')
	b = append(appendDecimal(b, int64(l.Line)), ':')
	b = appendDecimal(b, int64(l.Col))
	if l.EndLine == 0 && l.EndCol == 0 {
		return b
	}
	b = append(b, " to "...)
	if l.EndLine != l.Line {
		b = appendDecimal(b, int64(l.EndLine))
	}
	return appendDecimal(append(b, ':'), int64(l.EndCol))
}
