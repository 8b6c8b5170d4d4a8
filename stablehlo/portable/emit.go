package portable

import (
	"math/bits"
)

// number returns numbers to everything, in the order in which LLVM's writer meets
// it: the ops of a region, and then, the last first, the regions of those ops.
func (w *writer) number(top *outOp) {
	w.isolate(top)
	w.numberOp(top, &counter{})
	type work struct {
		region *outRegion
		first  int
	}
	var todo []work
	add := func(o *outOp, next int) {
		if o.isolated {
			next = 0
		}
		for _, r := range o.regions {
			todo = append(todo, work{r, next})
		}
	}
	add(top, 0)
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		r, c := next.region, &counter{next.first}
		for _, a := range r.args {
			a.number = c.next()
			w.use(a.loc)
			w.use(a.typ)
		}
		for _, o := range r.ops {
			w.numberOp(o, c)
		}
		r.values = c.n - next.first
		for _, o := range r.ops {
			add(o, c.n)
		}
	}
	dialect := func(n *node) int { return int(w.dialects.add(n.dialect)) }
	uses := func(n *node) int { return n.refs }
	byUse(w.attrs, uses, dialect)
	byUse(w.types, uses, dialect)
	byUse(w.opNames, func(n *nameNode) int { return n.refs }, func(n *nameNode) int { return n.dialect })
	for i, n := range w.attrs {
		n.number = i
	}
	for i, n := range w.types {
		n.number = i
	}
	for i, n := range w.opNames {
		n.number = i
	}
}

// counter numbers values.
type counter struct{ n int }

func (c *counter) next() int {
	c.n++
	return c.n - 1
}

// isolate finds the ops whose regions use no value from outside, and lists the uses
// of values.
func (w *writer) isolate(top *outOp) {
	depth := map[*outRegion]int{}
	// visit takes the depth of the region that holds o, and returns that of the
	// outermost region whose values the regions of o use.
	var visit func(o *outOp, level int) (lowest int)
	visit = func(o *outOp, level int) int {
		for i, v := range o.operands {
			v.uses = append(v.uses, use{o, i})
		}
		lowest := level + 1
		for _, r := range o.regions {
			depth[r] = level + 1
			for _, inner := range r.ops {
				for _, v := range inner.operands {
					lowest = min(lowest, depth[v.owner])
				}
				lowest = min(lowest, visit(inner, level+1))
			}
		}
		o.isolated = o.trait || lowest > level
		if o.trait {
			return level + 1
		}
		return lowest
	}
	visit(top, 0)
}

func (w *writer) numberOp(o *outOp, c *counter) {
	n := w.names[o.name]
	if n == nil {
		n = &nameNode{opName: o.name, dialect: int(w.dialects.add(o.name.dialect))}
		w.names[o.name] = n
		w.opNames = append(w.opNames, n)
	}
	n.refs++
	o.nameNode = n
	for _, v := range o.results {
		v.number = c.next()
		w.use(v.typ)
	}
	if len(o.attrs) > 0 {
		o.dict = w.dictionary(o.attrs)
		w.use(o.dict)
	}
	for _, p := range o.props {
		if p.attr != nil {
			w.use(p.attr)
		}
	}
	w.use(o.loc)
}

// use counts a use of an attribute or a type; the first use visits its parts.
func (w *writer) use(n *node) {
	if n.refs++; n.refs > 1 {
		return
	}
	if n.isType {
		w.types = append(w.types, n)
	} else {
		w.attrs = append(w.attrs, n)
	}
	w.dialects.add(n.dialect)
	for _, p := range n.parts {
		if p.ref != nil {
			w.use(p.ref)
		}
	}
}

// emit writes everything.
func (w *writer) emit(top *outOp) *emitter {
	e := &emitter{}
	e.bytes([]byte(magic))
	e.varint(uint64(w.container))
	e.bytes([]byte(producer + w.written.String()))
	e.byte(0)
	e.section(sectionDialects, w.emitDialects())
	offsets, body := w.emitEntries()
	e.section(sectionAttrTypeOffsets, offsets)
	e.section(sectionAttrTypes, body)
	ir := &emitter{}
	ir.flagged(1, false)
	w.emitOp(ir, top)
	e.section(sectionIR, ir)
	resources := &emitter{}
	resources.varint(0)
	e.section(sectionResourceOffsets, resources)
	e.section(sectionResources, &emitter{})
	e.section(sectionStrings, w.emitStrings())
	if w.container >= nativeProperties {
		props := &emitter{}
		props.varint(uint64(len(w.props)))
		for _, p := range w.props {
			props.bytes(p)
		}
		e.section(sectionProperties, props)
	}
	return e
}

func (w *writer) emitDialects() *emitter {
	e := &emitter{}
	e.varint(uint64(len(w.dialects.list)))
	for _, name := range w.dialects.list {
		if w.container < dialectVersions {
			e.varint(w.strings.add(name))
		} else {
			e.flagged(w.strings.add(name), false)
		}
	}
	if w.container >= optionalLocations {
		e.varint(uint64(len(w.opNames)))
	}
	grouped(e, w.opNames, func(n *nameNode) int { return n.dialect }, func(n *nameNode) {
		if id := w.strings.add(n.name); w.container < nativeProperties {
			e.varint(id)
		} else {
			e.flagged(id, n.registered)
		}
	})
	return e
}

// grouped writes entries in groups of one dialect.
func grouped[T any](e *emitter, list []T, dialect func(T) int, write func(T)) {
	for len(list) > 0 {
		n := 1
		for n < len(list) && dialect(list[n]) == dialect(list[0]) {
			n++
		}
		e.varint(uint64(dialect(list[0])))
		e.varint(uint64(n))
		for _, x := range list[:n] {
			write(x)
		}
		list = list[n:]
	}
}

// emitEntries writes attributes and types, and their sizes.
func (w *writer) emitEntries() (offsets, body *emitter) {
	offsets, body = &emitter{}, &emitter{}
	offsets.varint(uint64(len(w.attrs)))
	offsets.varint(uint64(len(w.types)))
	for _, list := range [][]*node{w.attrs, w.types} {
		grouped(offsets, list, func(n *node) int { return int(w.dialects.add(n.dialect)) }, func(n *node) {
			before := body.size()
			n.write(body, &w.strings)
			offsets.flagged(uint64(body.size()-before), n.text == "")
		})
	}
	return offsets, body
}

func (w *writer) emitStrings() *emitter {
	e := &emitter{}
	list := w.strings.list
	e.varint(uint64(len(list)))
	for i := range list {
		e.varint(uint64(len(list[len(list)-1-i]) + 1))
	}
	for _, s := range list {
		e.bytes([]byte(s))
		e.byte(0)
	}
	return e
}

func (w *writer) emitOp(e *emitter, o *outOp) {
	e.varint(uint64(o.nameNode.number))
	var mask byte
	body := &emitter{}
	body.varint(uint64(o.loc.number))
	if o.dict != nil {
		mask |= hasAttrs
		body.varint(uint64(o.dict.number))
	}
	if len(o.props) > 0 {
		mask |= hasProperties
		body.varint(uint64(w.properties(o.props)))
	}
	if len(o.results) > 0 {
		mask |= hasResults
		body.varint(uint64(len(o.results)))
		for _, v := range o.results {
			body.varint(uint64(v.typ.number))
		}
	}
	if len(o.operands) > 0 {
		mask |= hasOperands
		body.varint(uint64(len(o.operands)))
		for _, v := range o.operands {
			body.varint(uint64(v.number))
		}
	}
	if w.container >= useListOrders && body.useOrders(o.results) {
		mask |= hasUseListOrders
	}
	if len(o.regions) > 0 {
		mask |= hasRegions
		body.flagged(uint64(len(o.regions)), o.isolated)
	}
	e.byte(mask)
	e.bytes(body.buf)
	regions := e
	section := o.isolated && w.container >= isolatedSections
	if section {
		regions = &emitter{}
	}
	for _, r := range o.regions {
		w.emitRegion(regions, r)
	}
	if section && len(o.regions) > 0 {
		e.section(sectionIR, regions)
	}
}

func (w *writer) emitRegion(e *emitter, r *outRegion) {
	if r.empty {
		e.varint(0)
		return
	}
	e.varint(1)
	e.varint(uint64(r.values))
	e.flagged(uint64(len(r.ops)), len(r.args) > 0)
	if len(r.args) > 0 {
		e.varint(uint64(len(r.args)))
		for _, a := range r.args {
			switch known := a.loc != w.builtin(uintOf(bUnknownLoc)); {
			case w.container < optionalLocations:
				e.varint(uint64(a.typ.number))
				e.varint(uint64(a.loc.number))
			case known:
				e.flagged(uint64(a.typ.number), true)
				e.varint(uint64(a.loc.number))
			default:
				e.flagged(uint64(a.typ.number), false)
			}
		}
		if w.container >= useListOrders {
			if orders := (&emitter{}); orders.useOrders(r.args) {
				e.byte(hasUseListOrders)
				e.bytes(orders.buf)
			} else {
				e.byte(0)
			}
		}
	}
	for _, o := range r.ops {
		w.emitOp(e, o)
	}
}

// properties returns the number of the properties of an op; equal ones have one.
func (w *writer) properties(props []prop) int {
	e := &emitter{}
	for _, p := range props {
		switch {
		case p.sparse != nil:
			e.sparse(p.sparse)
		case !p.optional:
			e.varint(uint64(p.attr.number))
		case p.attr == nil:
			e.varint(0)
		default:
			e.flagged(uint64(p.attr.number), true)
		}
	}
	key := string(e.buf)
	i, ok := w.propIndex[key]
	if !ok {
		i = len(w.props)
		w.propIndex[key] = i
		w.props = append(w.props, append(appendVarint(nil, uint64(len(e.buf))), e.buf...))
	}
	return i
}

// sparse writes sizes of groups; when most are zero, the others with their indices.
func (e *emitter) sparse(sizes []int64) {
	count, last := 0, 0
	for i, v := range sizes {
		if v != 0 {
			count, last = count+1, i
		}
	}
	if last > 256 || count > len(sizes)/2 {
		e.flagged(uint64(len(sizes)), false)
		for _, v := range sizes {
			e.varint(uint64(v))
		}
		return
	}
	e.flagged(uint64(count), true)
	if count == 0 {
		return
	}
	width := bits.Len(uint(last))
	e.varint(uint64(width))
	for i, v := range sizes {
		if v != 0 {
			e.varint(uint64(v)<<width | uint64(i))
		}
	}
}
