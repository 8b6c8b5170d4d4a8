package stablehlo

import (
	"iter"
	"slices"
)

// Module is a program: a builtin.module op whose region holds functions and
// other symbols.
type Module struct {
	*Op
	// Source is the text the module was parsed from; nil when it was built.
	Source *Source
}

// Func is a func.func op.
type Func struct{ *Op }

// Op is an operation: code, operands, results, attributes and regions. An op
// belongs to at most one block. Operands may be replaced in place; results
// belong to the op.
type Op struct {
	Code     OpCode
	Operands []*Value
	Results  []*Value
	// Attrs holds inherent and discardable attributes, sorted by name. Use
	// Attr and SetAttr.
	Attrs   []NamedAttr
	Regions []*Region
	Loc     Location

	name  string // the full name of an Unregistered op
	block *Block
	pos   Pos

	// Room for what most ops have, so that they are one object.
	roomForOperands [3]*Value
	roomForResults  [1]*Value
	roomForResult   [1]Value
}

// Region is a list of blocks; those of this IR have one, or none (the body of
// a function declared but not defined).
type Region struct {
	Blocks []*Block
	parent *Op
}

// Block is a straight-line list of ops with arguments; the last op of a block
// of a function or of an op's region is its terminator.
type Block struct {
	Args   []*Value
	Ops    []*Op
	region *Region
}

// Value is a result of an op or an argument of a block.
type Value struct {
	typ   Type
	name  string
	op    *Op    // the defining op, or nil
	block *Block // the block of which this is an argument, or nil
	index int
	// Loc is the location of a block argument; results use their op's.
	Loc Location
}

// NewOp returns an op outside any block, with one result of each type. It
// neither checks nor infers; [Builder] does.
func NewOp(code OpCode, operands []*Value, results []Type, attrs ...NamedAttr) *Op {
	op := &Op{Code: code, Operands: operands}
	for _, a := range attrs {
		op.SetAttr(a.Name, a.Value)
	}
	op.setResults(results)
	return op
}

// NewUnregistered returns an op of a dialect that is not in the table.
func NewUnregistered(name string, operands []*Value, results []Type, attrs ...NamedAttr) *Op {
	op := NewOp(Unregistered, operands, results, attrs...)
	op.name = name
	return op
}

func (o *Op) setResults(types []Type) {
	if len(types) == 0 {
		o.Results = nil
		return
	}
	values := o.makeResults(len(types))
	for i, t := range types {
		values[i] = Value{typ: t, op: o, index: i}
	}
}

// makeOperands allocates n operands, to be filled in.
func (o *Op) makeOperands(n int) {
	switch {
	case n == 0:
		o.Operands = nil
	case n <= len(o.roomForOperands):
		o.Operands = o.roomForOperands[:n:n]
	default:
		o.Operands = make([]*Value, n)
	}
}

// makeResults allocates n results, to be filled in.
func (o *Op) makeResults(n int) []Value {
	if n == 1 && o.roomForResults[0] == nil {
		o.roomForResults[0] = &o.roomForResult[0]
		o.Results = o.roomForResults[:]
		return o.roomForResult[:]
	}
	values := make([]Value, n)
	o.Results = make([]*Value, n)
	for i := range values {
		o.Results[i] = &values[i]
	}
	return values
}

// DropResults removes the results that drop holds for. They must have no users.
func (o *Op) DropResults(drop func(*Value) bool) {
	o.Results = slices.DeleteFunc(o.Results, drop)
	for i, v := range o.Results {
		v.index = i
	}
}

// Name returns the full name of the op: "stablehlo.add".
//
//go:noinline
func (o *Op) Name() string {
	if o.Code == Unregistered {
		return o.name
	}
	return o.Code.String()
}

// Block returns the block the op is in, or nil.
func (o *Op) Block() *Block { return o.block }

// Parent returns the op whose region holds o, or nil.
func (o *Op) Parent() *Op {
	if o.block == nil {
		return nil
	}
	return o.block.Parent()
}

// Pos returns the position of the op in the parsed text; the zero Pos for an op that was built.
func (o *Op) Pos() Pos { return o.pos }

// PlaceAt gives o the text position and the location of an op that it replaces.
func (o *Op) PlaceAt(p *Op) { o.pos, o.Loc = p.pos, p.Loc }

// Result returns the first result.
func (o *Op) Result() *Value { return o.Results[0] }

// Attr returns the attribute of that name, or nil.
//
//go:noinline
func (o *Op) Attr(name string) Attr {
	if i, ok := o.findAttr(name); ok {
		return o.Attrs[i].Value
	}
	return nil
}

// SetAttr sets an attribute; a nil value removes it.
func (o *Op) SetAttr(name string, v Attr) {
	i, ok := o.findAttr(name)
	switch {
	case v == nil && ok:
		o.Attrs = slices.Delete(o.Attrs, i, i+1)
	case v == nil:
	case ok:
		o.Attrs[i].Value = v
	default:
		o.Attrs = slices.Insert(o.Attrs, i, NamedAttr{name, v})
	}
}

//go:noinline
func (o *Op) findAttr(name string) (int, bool) {
	for i := range o.Attrs {
		if o.Attrs[i].Name >= name {
			return i, o.Attrs[i].Name == name
		}
	}
	return len(o.Attrs), false
}

// Int returns an integer attribute, or def when it is absent or no integer.
//
//go:noinline
func (o *Op) Int(name string, def int64) int64 {
	if a, ok := o.Attr(name).(IntAttr); ok {
		return a.Value
	}
	return def
}

// Bool returns a boolean attribute, or def when it is absent; a unit attribute is true.
//
//go:noinline
func (o *Op) Bool(name string, def bool) bool {
	switch a := o.Attr(name).(type) {
	case BoolAttr:
		return bool(a)
	case UnitAttr:
		return true
	}
	return def
}

// Str returns a string attribute, the keyword of an enumeration or the name of
// a symbol; "" when it is absent.
//
//go:noinline
func (o *Op) Str(name string) string {
	switch a := o.Attr(name).(type) {
	case StringAttr:
		return string(a)
	case EnumAttr:
		return a.Value
	case SymbolAttr:
		return a.Name
	}
	return ""
}

// Ints returns a list of integers held as a dense array or as dense elements of
// an integer type (row-major, a splat expanded); nil when it is absent.
func (o *Op) Ints(name string) []int64 {
	switch a := o.Attr(name).(type) {
	case IntsAttr:
		return a.Values
	case *ElementsAttr:
		return a.Int64s()
	}
	return nil
}

// AddRegion appends an empty region with one block of the given argument types.
//
//go:noinline
func (o *Op) AddRegion(args ...Type) *Block {
	r := &Region{parent: o}
	o.Regions = append(o.Regions, r)
	return r.AddBlock(args...)
}

// AddBlock appends an empty block.
//
//go:noinline
func (r *Region) AddBlock(args ...Type) *Block {
	b := &Block{region: r}
	for _, t := range args {
		b.AddArg(t)
	}
	r.Blocks = append(r.Blocks, b)
	return b
}

// Parent returns the op that holds the region.
func (r *Region) Parent() *Op { return r.parent }

// Block returns the region's first block, or nil.
func (r *Region) Block() *Block {
	if len(r.Blocks) == 0 {
		return nil
	}
	return r.Blocks[0]
}

// AddArg appends an argument.
//
//go:noinline
func (b *Block) AddArg(t Type) *Value {
	v := &Value{typ: t, block: b, index: len(b.Args)}
	b.Args = append(b.Args, v)
	return v
}

// DropArgs removes the arguments that drop holds for. They must have no users.
func (b *Block) DropArgs(drop func(*Value) bool) {
	b.Args = slices.DeleteFunc(b.Args, drop)
	for i, v := range b.Args {
		v.index = i
	}
}

// Parent returns the op whose region holds the block, or nil.
func (b *Block) Parent() *Op {
	if b.region == nil {
		return nil
	}
	return b.region.parent
}

// Append adds an op at the end.
//
//go:noinline
func (b *Block) Append(op *Op) *Op {
	op.block = b
	b.Ops = append(b.Ops, op)
	return op
}

// SetOps replaces the ops of the block: use it to insert, remove or reorder ops.
func (b *Block) SetOps(ops []*Op) {
	for _, op := range b.Ops {
		op.block = nil
	}
	for _, op := range ops {
		op.block = b
	}
	b.Ops = ops
}

// Terminator returns the last op, or nil when the block is empty.
func (b *Block) Terminator() *Op {
	if len(b.Ops) == 0 {
		return nil
	}
	return b.Ops[len(b.Ops)-1]
}

// Type returns the type of the value.
func (v *Value) Type() Type { return v.typ }

// Tensor returns the type of the value when it is a ranked tensor, else nil.
func (v *Value) Tensor() *TensorType { t, _ := v.typ.(*TensorType); return t }

// SetType changes the type of the value; its users are not checked.
func (v *Value) SetType(t Type) { v.typ = t }

// Op returns the op that defines the value, or nil for a block argument.
func (v *Value) Op() *Op { return v.op }

// Block returns the block whose argument the value is, or nil.
func (v *Value) Block() *Block { return v.block }

// Index returns the position of the value among the results or arguments.
func (v *Value) Index() int { return v.index }

// Name returns the name of the value in its text or from SetName, without "%"; "" if it has no name. The
// results of %x:2 = … are named "x#0" and "x#1".
func (v *Value) Name() string { return v.name }

// SetName suggests a name for printing.
func (v *Value) SetName(name string) { v.name = name }

// Walk yields o and all ops inside it, each before those in its regions.
func (o *Op) Walk() iter.Seq[*Op] {
	return func(yield func(*Op) bool) { o.walk(yield) }
}

func (o *Op) walk(yield func(*Op) bool) bool {
	if !yield(o) {
		return false
	}
	for _, r := range o.Regions {
		for _, b := range r.Blocks {
			for _, op := range b.Ops {
				if !op.walk(yield) {
					return false
				}
			}
		}
	}
	return true
}

// Replace makes every operand inside o that is a key of m its value instead.
func (o *Op) Replace(m map[*Value]*Value) {
	for op := range o.Walk() {
		for i, v := range op.Operands {
			if w, ok := m[v]; ok {
				op.Operands[i] = w
			}
		}
	}
}
