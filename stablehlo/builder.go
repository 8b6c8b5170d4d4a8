package stablehlo

import (
	"fmt"
	"slices"
)

// Builder appends ops to a block. It checks the constraints of each op as
// [Module.Verify] does and infers its result types.
type Builder struct {
	block *Block
	// Loc is the location given to the ops that follow.
	Loc Location
	pos Pos // position in the text of the op that the next ops replace
}

// NewBuilder returns a builder that appends to b.
func NewBuilder(b *Block) *Builder { return &Builder{block: b} }

// Block returns the block that the builder appends to.
func (b *Builder) Block() *Block { return b.block }

// On returns a builder that appends to another block, at the same location.
func (b *Builder) On(block *Block) *Builder { return &Builder{block: block, Loc: b.Loc, pos: b.pos} }

// PlaceAt gives the ops that follow the text position and the location of an op that they replace.
func (b *Builder) PlaceAt(op *Op) { b.pos, b.Loc = op.pos, op.Loc }

// OpPart is a part of an op other than its operands: [NamedAttr], [Results] or [Body].
type OpPart interface{ addTo(*opDraft) }

// Named returns an attribute with its name.
func Named(name string, v Attr) NamedAttr { return NamedAttr{name, v} }

// Results are the result types of an op whose operands do not determine them
// ([ShapedByResult]); of another op they are compared with the inferred ones.
type Results []Type

// Body is a region of an op: Build appends its ops and returns the values that
// the region returns.
type Body struct {
	Args  []Type
	Build BodyFunc
}

// BodyFunc appends the ops of a function or region and returns its results.
type BodyFunc func(b *Builder, args []*Value) ([]*Value, error)

// opDraft is an op being built.
type opDraft struct {
	*Op
	results Results
	bodies  []Body
}

func (a NamedAttr) addTo(d *opDraft) { d.SetAttr(a.Name, a.Value) }
func (r Results) addTo(d *opDraft)   { d.results = r }
func (r Body) addTo(d *opDraft)      { d.bodies = append(d.bodies, r) }

// Op appends an op. The error reports which constraint it breaks; in that case no op is appended.
func (b *Builder) Op(code OpCode, operands []*Value, parts ...OpPart) (*Op, error) {
	d := &opDraft{Op: &Op{Code: code}}
	d.makeOperands(len(operands))
	copy(d.Operands, operands)
	d.pos, d.Loc = b.pos, b.Loc
	for _, p := range parts {
		p.addTo(d)
	}
	d.block = b.block // the op sees the symbols of the module while it is built
	if err := b.complete(d); err != nil {
		d.block = nil
		return nil, err
	}
	return b.block.Append(d.Op), nil
}

// Value appends an op with one result and returns that.
func (b *Builder) Value(code OpCode, operands []*Value, parts ...OpPart) (*Value, error) {
	op, err := b.Op(code, operands, parts...)
	if err != nil {
		return nil, err
	}
	if len(op.Results) != 1 {
		b.block.SetOps(b.block.Ops[:len(b.block.Ops)-1])
		return nil, fmt.Errorf("%s: has %d results, not one; build it with Op", op.Name(), len(op.Results))
	}
	return op.Result(), nil
}

// complete builds the regions and sets the results of an op.
func (b *Builder) complete(d *opDraft) error {
	for _, body := range d.bodies {
		inner := b.On(d.AddRegion(body.Args...))
		values, err := body.Build(inner, inner.block.Args)
		if err != nil {
			return err
		}
		if err := inner.Return(values...); err != nil {
			return err
		}
	}
	if d.results != nil {
		d.setResults(d.results)
		return CheckOp(d.Op)
	}
	inferred, err := InferTypes(d.Op)
	if err != nil {
		return err
	}
	d.setResults(inferred)
	return nil
}

// Return appends the op that ends the block: func.return in a function,
// stablehlo.return in the region of an op. A body's Build need not call it.
func (b *Builder) Return(values ...*Value) error {
	code := OpReturn
	if p := b.block.Parent(); p != nil {
		code = terminatorOf(p)
	}
	if code == Unregistered {
		return fmt.Errorf("stablehlo: a block of %s must end with an op that the builder supports", b.block.Parent().Name())
	}
	_, err := b.Op(code, values)
	return err
}

// Constant appends a constant.
func (b *Builder) Constant(value *ElementsAttr) *Value {
	op := NewOp(OpConstant, nil, []Type{value.Type}, NamedAttr{"value", value})
	op.pos, op.Loc = b.pos, b.Loc
	return b.block.Append(op).Result()
}

// BuildFunc appends a public function whose body is built by a function; its
// result types are those of the values that it returns.
func (m *Module) BuildFunc(name string, ins []Type, body BodyFunc) (Func, error) {
	for op := range symbolsIn(m.Op) {
		if op.Str("sym_name") == name {
			return Func{}, fmt.Errorf("stablehlo: the symbol @%s exists already", name)
		}
	}
	f := m.AddFunc(name, &FuncType{Ins: ins})
	err := f.build(body)
	if err != nil {
		m.Body().SetOps(m.Body().Ops[:len(m.Body().Ops)-1])
		return Func{}, fmt.Errorf("@%s: %w", name, err)
	}
	return f, nil
}

func (f Func) build(body BodyFunc) error {
	b := NewBuilder(f.Body())
	values, err := body(b, f.Args())
	if err != nil {
		return err
	}
	if slices.Contains(values, nil) {
		return fmt.Errorf("a result is nil")
	}
	f.SetAttr("function_type", TypeAttr{&FuncType{Ins: f.Type().Ins, Outs: valueTypes(values)}})
	return b.Return(values...)
}
