package portable

import (
	"context"

	"github.com/go-nx/nx/stablehlo"
)

// Read reads a module from MLIR bytecode: a portable artifact of any version of StableHLO from 0.9.0 on, which
// is upgraded to the current one, or the bytecode of a StableHLO program. The name is that of the file, for
// messages.
//
// The module is not verified: see [stablehlo.Module.Verify]. Its constants share the memory of data, which
// must not change while the module is used.
//
// The error is an *[Error] with the offset.
func Read(name string, data []byte) (*stablehlo.Module, error) {
	return ReadContext(context.Background(), name, data)
}

// ReadContext is [Read] until the context ends; then it returns the cause.
func ReadContext(ctx context.Context, name string, data []byte) (m *stablehlo.Module, err error) {
	r := &reader{ctx: ctx, name: name, data: data}
	defer r.recover(&err)
	c := &cursor{r, 0, len(data)}
	r.header(c)
	r.sections(c)
	r.readStrings()
	r.readDialects()
	r.readOffsets()
	r.readResources()
	r.readProperties()
	m = r.module()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return m, nil
}

// reader is the state of one Read.
type reader struct {
	Header
	ctx        context.Context // of the call
	ops        int             // read so far
	name       string
	data       []byte
	found      [numSections]bool
	section    [numSections]cursor
	strings    []string
	dialects   []string
	opNames    []opName
	attrs      []entry
	types      []entry
	resources  []resource
	properties []cursor

	depth    int // of attributes, types and regions
	locDepth int
	size     int // the size of the result without sharing
	scopes   []*scope
}

// recover converts a failure to an error.
func (r *reader) recover(err *error) {
	switch f := recover().(type) {
	case nil:
	case failure:
		*err = f.err
	default:
		panic(f)
	}
}

// scope holds the values of a region, which have consecutive numbers.
type scope struct {
	base, size int
	values     []*stablehlo.Value
}

// define returns the next number to a value.
func (c *cursor) define(v *stablehlo.Value) {
	s := c.r.scopes[len(c.r.scopes)-1]
	if len(s.values) == s.size {
		c.fail("a region holds more than its %d values", s.size)
	}
	s.values = append(s.values, v)
}

// value reads a reference to a value.
func (c *cursor) value() *stablehlo.Value {
	at := c.off
	n := c.varint()
	for i := len(c.r.scopes) - 1; i >= 0; i-- {
		s := c.r.scopes[i]
		if n < uint64(s.base) {
			continue
		}
		if n -= uint64(s.base); n < uint64(len(s.values)) {
			return s.values[n]
		}
		break
	}
	c.r.failAt(at, "an operand that is not defined before its use")
	return nil
}

func (r *reader) module() *stablehlo.Module {
	c := r.section[sectionIR]
	n, args := c.flagged()
	if n != 1 || args {
		c.fail("%d operations at top level where one module is expected", n)
	}
	r.scopes = []*scope{{}}
	op := r.op(&c, stablehlo.Unregistered)
	c.done("the program")
	if op == nil || op.Code != stablehlo.OpModule {
		c.fail("the program must be a builtin.module")
	}
	if len(op.Regions) != 1 {
		c.fail("a module must have one region, got %d", len(op.Regions))
	}
	if len(op.Regions[0].Blocks) == 0 {
		op.Regions[0].AddBlock()
	}
	return &stablehlo.Module{Op: op, Source: &stablehlo.Source{Name: r.name}}
}

// The parts of an op that may be there.
const (
	hasAttrs = 1 << iota
	hasResults
	hasOperands
	hasSuccessors
	hasRegions
	hasUseListOrders
	hasProperties
)

// op reads an op; parent is the code of the op around it. A cast between a type of
// VHLO and the one it stands for is not an op here: nil.
func (r *reader) op(c *cursor, parent stablehlo.OpCode) *stablehlo.Op {
	if r.ops++; r.ops&63 == 0 && r.ctx.Err() != nil {
		panic(failure{context.Cause(r.ctx)})
	}
	at := c.off
	name := r.opNames[c.index(len(r.opNames), "name of an op")]
	mask := c.byte()
	loc := c.location()
	var attrs stablehlo.DictAttr
	if mask&hasAttrs != 0 {
		attrs = c.dictAttr()
	}
	p := properties{name: name}
	if mask&hasProperties != 0 {
		p.body = r.properties[c.index(len(r.properties), "properties")]
	}
	var results []stablehlo.Type
	if mask&hasResults != 0 {
		results = c.types()
	}
	var operands []*stablehlo.Value
	if mask&hasOperands != 0 {
		operands = make([]*stablehlo.Value, c.count(1, "operands"))
		for i := range operands {
			operands[i] = c.value()
		}
	}
	if mask&hasSuccessors != 0 && c.varint() > 0 {
		c.fail("%s.%s has successor blocks: StableHLO has structured control flow only",
			name.dialect, name.name)
	}
	if mask&hasUseListOrders != 0 {
		c.useListOrders(len(results))
	}
	if name == (opName{"builtin", "unrealized_conversion_cast", name.registered}) {
		if len(results) != len(operands) || mask&hasRegions != 0 {
			c.r.failAt(at, "a cast of %d values to %d", len(operands), len(results))
		}
		for i, v := range operands {
			if !stablehlo.SameType(v.Type(), results[i]) {
				c.r.failAt(at, "a cast of %s to %s", v.Type(), results[i])
			}
			c.define(v)
		}
		return nil
	}
	op := r.newOp(c, at, name, parent, operands, results)
	op.Loc = loc
	for _, v := range op.Results {
		c.define(v)
	}
	r.attributes(c, at, op, attrs, p)
	if mask&hasRegions != 0 {
		n, isolated := c.flagged()
		if n > uint64(c.left()) {
			c.fail("%d regions do not fit in the %d bytes that are left", n, c.left())
		}
		r.regions(c, op, int(n), isolated)
	}
	return op
}

// dictAttr reads a reference to a dictionary.
func (c *cursor) dictAttr() stablehlo.DictAttr {
	at := c.off
	d, ok := c.attr().(stablehlo.DictAttr)
	if !ok {
		c.r.failAt(at, "the attributes of an op must be a dictionary")
	}
	return d
}

// newOp makes the op of a name.
func (r *reader) newOp(c *cursor, at int, name opName, parent stablehlo.OpCode,
	operands []*stablehlo.Value, results []stablehlo.Type) *stablehlo.Op {
	full := name.dialect + "." + name.name
	if name.dialect == "vhlo" {
		o := vhloNamed(full)
		if o == nil {
			r.failAt(at, "there is no operation %s in StableHLO %s%s", full, stablehlo.Current(), r.newer())
		}
		switch o.name {
		case "func":
			full = "func.func"
		case "call":
			full = "func.call"
		case "return":
			if full = "stablehlo.return"; parent == stablehlo.OpFunc {
				full = "func.return"
			}
		default:
			full = "stablehlo." + o.name
		}
	}
	code := stablehlo.LookupOp(full)
	if name.dialect == "mhlo" {
		code = stablehlo.OpOfMHLO(name.name)
	}
	if code != stablehlo.Unregistered {
		return stablehlo.NewOp(code, operands, results)
	}
	if name.dialect == "stablehlo" || name.dialect == "chlo" || name.dialect == "vhlo" || name.dialect == "func" {
		r.failAt(at, "there is no operation %s in StableHLO %s", full, stablehlo.Current())
	}
	return stablehlo.NewUnregistered(full, operands, results)
}

// regions reads n regions of op. Isolated regions number their values from 0, and have a section of their own.
func (r *reader) regions(c *cursor, op *stablehlo.Op, n int, isolated bool) {
	if r.depth++; r.depth > maxNesting {
		c.fail("nested more than %d levels deep", maxNesting)
	}
	outer, base := r.scopes, 0
	if isolated {
		r.scopes = nil
	} else {
		top := outer[len(outer)-1]
		base = top.base + top.size
	}
	inSection := isolated && r.Container >= isolatedSections
	if inSection {
		id, body := c.section()
		if id != sectionIR {
			c.fail("regions in a section of %s", sectionNames[min(id, numSections-1)])
		}
		c = body
	}
	for range n {
		r.region(c, op, base)
	}
	if inSection {
		c.done("the regions of " + op.Name())
	}
	r.scopes = outer
	r.depth--
}

// region reads a region whose values are numbered from base on.
func (r *reader) region(c *cursor, op *stablehlo.Op, base int) {
	block := op.AddRegion()
	switch n := c.varint(); n {
	case 0:
		op.Regions[len(op.Regions)-1].Blocks = nil
	case 1:
		at := c.off
		values := c.varint()
		if values > uint64(c.left()) {
			r.failAt(at, "%d values do not fit in the %d bytes that are left", values, c.left())
		}
		outer := r.scopes
		r.scopes = append(outer[:len(outer):len(outer)], &scope{base: base, size: int(values)})
		r.block(c, op, block)
		r.scopes = outer
	default:
		c.fail("a region must have one block, got %d: StableHLO has structured control flow only", n)
	}
}

func (r *reader) block(c *cursor, op *stablehlo.Op, block *stablehlo.Block) {
	at := c.off
	n, hasArgs := c.flagged()
	if hasArgs {
		args := c.count(1, "arguments")
		for range args {
			c.blockArg(block)
		}
		if r.Container >= useListOrders && c.byte() != 0 {
			c.useListOrders(args)
		}
	}
	if n > uint64(c.left()) {
		r.failAt(at, "%d operations do not fit in the %d bytes that are left", n, c.left())
	}
	for range n {
		if o := r.op(c, op.Code); o != nil {
			block.Append(o)
		}
	}
}

func (c *cursor) blockArg(block *stablehlo.Block) {
	if c.r.Container < optionalLocations {
		v := block.AddArg(c.typ())
		v.Loc = c.location()
		c.define(v)
		return
	}
	at := c.off
	i, hasLoc := c.flagged()
	if i >= uint64(len(c.r.types)) {
		c.r.failAt(at, "there is no type %d: there are %d", i, len(c.r.types))
	}
	v := block.AddArg(c.r.typeAt(int(i)))
	if hasLoc {
		v.Loc = c.location()
	}
	c.define(v)
}

// useListOrders skips the orders of the uses of n values, which have no meaning here.
func (c *cursor) useListOrders(n int) {
	lists := 1
	if n != 1 {
		lists = c.count(2, "orders of uses")
	}
	for range lists {
		if n != 1 {
			c.varint()
		}
		k, _ := c.flagged()
		if k > uint64(c.left()) {
			c.fail("an order of %d uses does not fit in the %d bytes that are left", k, c.left())
		}
		for range k {
			c.varint()
		}
	}
}
