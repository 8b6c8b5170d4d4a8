package portable

import (
	"math"

	"github.com/go-nx/nx/stablehlo"
)

// The limits of nesting, as in text.
const (
	maxNesting  = 200  // of attributes, types and regions
	maxLocChain = 4096 // of locations
)

// entry is an attribute or a type of the table, decoded when it is first used.
type entry struct {
	dialect  string
	custom   bool // encoded by its dialect; otherwise its text
	state    state
	off, end int
	attr     stablehlo.Attr
	typ      stablehlo.Type
	size     int // the size of the value without sharing
}

type state uint8

const (
	unread state = iota
	reading
	read
)

// attrAt returns the attribute of that number.
func (r *reader) attrAt(i int) stablehlo.Attr {
	e := &r.attrs[i]
	r.decode(e, "attribute", i, func(c *cursor) {
		switch {
		case !e.custom:
			a, err := stablehlo.ParseAttr(c.text())
			if err != nil {
				c.fail("attribute %d: %v", i, err)
			}
			e.attr = a
		case e.dialect == "builtin":
			e.attr = r.builtinAttr(c)
		case e.dialect == "vhlo":
			e.attr = r.vhloAttr(c)
		case e.dialect == "stablehlo":
			e.attr = r.stablehloAttr(c)
		case e.dialect == "chlo":
			e.attr = r.chloAttr(c)
		case e.dialect == "sdy":
			e.attr = stablehlo.OpaqueAttr{Text: r.sdyAttr(c)}
		default:
			c.fail("attribute %d is encoded by the unknown dialect %s", i, e.dialect)
		}
	})
	return e.attr
}

// typeAt returns the type of that number.
func (r *reader) typeAt(i int) stablehlo.Type {
	e := &r.types[i]
	r.decode(e, "type", i, func(c *cursor) {
		switch {
		case !e.custom:
			t, err := stablehlo.ParseType(c.text())
			if err != nil {
				c.fail("type %d: %v", i, err)
			}
			e.typ = t
		case e.dialect == "builtin":
			e.typ = r.builtinType(c)
		case e.dialect == "vhlo":
			e.typ = r.vhloType(c)
		case e.dialect == "stablehlo":
			e.typ = r.stablehloType(c)
		default:
			c.fail("type %d is encoded by the unknown dialect %s", i, e.dialect)
		}
	})
	return e.typ
}

// decode reads an entry once. Entries hold each other; one that holds itself, or
// that is nested too deep, is refused.
func (r *reader) decode(e *entry, what string, i int, read1 func(*cursor)) {
	switch e.state {
	case read:
		r.spend(e)
		return
	case reading:
		r.failAt(e.off, "%s %d contains itself", what, i)
	}
	depth, limit := &r.depth, maxNesting
	location := r.isLocation(e)
	if location {
		depth, limit = &r.locDepth, maxLocChain
	}
	if *depth++; *depth > limit {
		r.failAt(e.off, "nested more than %d levels deep", limit)
	}
	outer := r.size
	r.size = e.end - e.off + 1
	e.state = reading
	c := &cursor{r, e.off, e.end}
	read1(c)
	c.done(what)
	e.state = read
	if e.size = r.size; location { // walks over locations visit each once
		e.size = e.end - e.off + 1
	}
	r.size = outer
	*depth--
	r.spend(e)
}

// isLocation reports whether the entry is a location.
func (r *reader) isLocation(e *entry) bool {
	if e.dialect != "builtin" || !e.custom || e.off == e.end {
		return false
	}
	code := r.data[e.off] >> 1 // of one byte
	return r.data[e.off]&1 != 0 && (code >= bCallSiteLoc && code <= bUnknownLoc || code == bFileLineColRange)
}

// spend counts a use of an entry. Entries that hold each other twice can stand
// for exponentially much, and a walk over the program visits all of it, so the
// sum is limited as that of aliases in text is.
func (r *reader) spend(e *entry) {
	if r.size += e.size; r.size > 1<<26+64*len(r.data) || r.size < 0 {
		r.size = math.MaxInt / 4
		r.failAt(e.off, "the expanded attributes and types are too large")
	}
}

// text reads text up to the zero that ends it.
func (c *cursor) text() string {
	b := c.bytes(uint64(c.left()))
	if len(b) == 0 || b[len(b)-1] != 0 {
		c.fail("text does not end with a zero")
	}
	return string(b[:len(b)-1])
}

// attr reads a reference to an attribute.
func (c *cursor) attr() stablehlo.Attr {
	return c.r.attrAt(c.index(len(c.r.attrs), "attribute"))
}

// optionalAttr reads a reference to an attribute, or nil.
func (c *cursor) optionalAttr() stablehlo.Attr {
	at := c.off
	i, ok := c.flagged()
	if !ok {
		return nil
	}
	if i >= uint64(len(c.r.attrs)) {
		c.r.failAt(at, "there is no attribute %d: there are %d", i, len(c.r.attrs))
	}
	return c.r.attrAt(int(i))
}

func (c *cursor) attrs() []stablehlo.Attr {
	out := make([]stablehlo.Attr, c.count(1, "attributes"))
	for i := range out {
		out[i] = c.attr()
	}
	return out
}

// typ reads a reference to a type.
func (c *cursor) typ() stablehlo.Type {
	return c.r.typeAt(c.index(len(c.r.types), "type"))
}

func (c *cursor) types() []stablehlo.Type {
	out := make([]stablehlo.Type, c.count(1, "types"))
	for i := range out {
		out[i] = c.typ()
	}
	return out
}

// str reads a reference to a string.
func (c *cursor) str() string { return c.r.strings[c.index(len(c.r.strings), "string")] }

// stringAttr reads a reference to a string attribute.
func (c *cursor) stringAttr() string {
	at := c.off
	s, ok := c.attr().(stablehlo.StringAttr)
	if !ok {
		c.r.failAt(at, "the attribute must be a string")
	}
	return string(s)
}

// location reads a reference to a location.
func (c *cursor) location() stablehlo.Location {
	at := c.off
	l, ok := c.attr().(stablehlo.LocationAttr)
	if !ok {
		c.r.failAt(at, "the attribute must be a location")
	}
	return l.Loc
}
