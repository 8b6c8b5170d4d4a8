package simplify

import (
	"bytes"
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Evaluate runs a function without arguments and returns the elements of its results.
type Evaluate func(f stablehlo.Func) ([][]byte, error)

// Fold folds the elementwise ops and small data movements in f whose operands are constants. All of
// them form one program, which run executes: the bits are the same as at run time.
func Fold(f stablehlo.Func, run Evaluate, checkCancel ...CheckCancel) error {
	k := &folder{known: map[*stablehlo.Value]folded{}, e: emit.Detached(),
		scalars: map[*stablehlo.Value]*stablehlo.Value{}, dense: map[*stablehlo.Value]*stablehlo.Value{},
		constants: map[*stablehlo.Op]*stablehlo.Op{}, values: Renames{}, checkCancel: checkCancelOf(checkCancel)}
	if err := Rewriting("fold constants", f, func() { k.block(f.Body()) }); err != nil {
		return err
	}
	if err := k.compute(run); err != nil {
		return err
	}
	if len(k.constants) > 0 {
		k.put(f.Body())
	}
	return nil
}

// folder finds foldable ops and writes the program that computes them.
type folder struct {
	known       map[*stablehlo.Value]folded
	checkCancel CheckCancel
	e           emit.Emitter
	scalars     map[*stablehlo.Value]*stablehlo.Value // splats of f in the program
	dense       map[*stablehlo.Value]*stablehlo.Value // values of f in the program, with all their elements
	wanted      []*stablehlo.Op                       // the ops whose result is to be computed

	constants map[*stablehlo.Op]*stablehlo.Op // the replacements of ops of f
	values    Renames                         // and of their results
}

// folded is a constant value of f.
type folded struct {
	splat bool
	from  *stablehlo.ElementsAttr // its elements, if they are known
	v     *stablehlo.Value        // else its value in the program, a scalar if splat
}

func (k *folder) block(b *stablehlo.Block) {
	for _, op := range b.Ops {
		k.checkCancel()
		if k.add(op) {
			continue
		}
		for _, v := range op.Operands {
			k.want(v)
		}
		for _, r := range op.Regions {
			k.block(r.Block())
		}
	}
}

// want records that a live op uses v.
func (k *folder) want(v *stablehlo.Value) {
	c, ok := k.known[v]
	if !ok || v.Op().Code == stablehlo.OpConstant || k.constants[v.Op()] != nil {
		return
	}
	if c.from != nil {
		k.become(v, &stablehlo.ElementsAttr{Type: v.Tensor(), Data: c.from.Data, Splat: true})
		return
	}
	k.become(v, nil)
	k.wanted = append(k.wanted, v.Op())
}

// become replaces the op that computes v by a constant, whose value may be set later.
func (k *folder) become(v *stablehlo.Value, a *stablehlo.ElementsAttr) {
	c := stablehlo.NewOp(stablehlo.OpConstant, nil, []stablehlo.Type{v.Type()})
	if a != nil {
		c.SetAttr("value", a)
	}
	c.PlaceAt(v.Op())
	c.Result().SetName(v.Name())
	k.constants[v.Op()], k.values[v] = c, c.Result()
}

// add records the result of op as constant, if its operands are.
func (k *folder) add(op *stablehlo.Op) bool {
	if len(op.Results) != 1 || len(op.Regions) > 0 || !IsPlain(op) {
		return false
	}
	r := op.Result()
	n, _ := r.Tensor().NumElems()
	if a, ok := op.Attr("value").(*stablehlo.ElementsAttr); ok && op.Code == stablehlo.OpConstant {
		if splat := a.Splat || n == 1; n > 0 && (splat || len(a.Data) <= maxFolded) {
			k.known[r] = folded{splat: splat, from: a}
		}
		return false // it stays in place
	}
	elementwise := op.Code.Info().Traits&stablehlo.Elementwise != 0
	if n == 0 || len(op.Operands) == 0 || !elementwise && !rearranges(op) && !isFoldable(op) {
		return false
	}
	splats := true
	for _, v := range op.Operands {
		c, ok := k.known[v]
		if !ok {
			return false
		}
		splats = splats && c.splat
	}
	switch {
	case splats && rearranges(op):
		k.known[r] = k.known[op.Operands[0]]
	case splats && elementwise:
		k.known[r] = folded{splat: true, v: k.emitCopy(op, r.Tensor().WithDims(), k.element)}
	case isLong(r) || slices.ContainsFunc(op.Operands, isLong):
		return false
	default:
		k.known[r] = folded{v: k.emitCopy(op, r.Type(), k.elements)}
	}
	return true
}

// emitCopy writes op to the program, with its operands there.
func (k *folder) emitCopy(op *stablehlo.Op, t stablehlo.Type,
	operand func(*stablehlo.Value) *stablehlo.Value) *stablehlo.Value {
	defer emit.Blame(op)
	in := make([]*stablehlo.Value, len(op.Operands))
	for i, v := range op.Operands {
		in[i] = operand(v)
	}
	return k.e.As(op, in, t).Result()
}

// isLong reports whether a value has too many elements to be stored as a constant.
func isLong(v *stablehlo.Value) bool {
	n, _ := v.Tensor().NumElems()
	return n > maxFolded/int64(v.Tensor().DType().Size())
}

// rearranges reports whether the op only moves elements of its operand.
func rearranges(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpReshape, stablehlo.OpBroadcastInDim, stablehlo.OpBroadcast, stablehlo.OpTranspose,
		stablehlo.OpSlice,
		stablehlo.OpReverse:
		return true
	}
	return false
}

// isFoldable reports whether the op is another foldable op.
func isFoldable(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpConcatenate, stablehlo.OpPad, stablehlo.OpBitcastConvert:
		return true
	}
	return false
}

// element returns the scalar in the program of a splat of f.
func (k *folder) element(v *stablehlo.Value) *stablehlo.Value {
	c := k.known[v]
	if c.v != nil {
		return c.v
	}
	if k.scalars[v] == nil {
		k.scalars[v] = k.e.B.Constant(&stablehlo.ElementsAttr{Type: v.Tensor().WithDims(), Data: c.from.Data})
	}
	return k.scalars[v]
}

// elements returns the value in the program of a constant of f, with all its elements.
func (k *folder) elements(v *stablehlo.Value) *stablehlo.Value {
	if k.dense[v] == nil {
		switch c := k.known[v]; {
		case c.splat:
			k.dense[v] = k.e.Broadcast(k.element(v), v.Tensor().Dims)
		case c.v != nil:
			k.dense[v] = c.v
		default:
			k.dense[v] = k.e.B.Constant(c.from)
		}
	}
	return k.dense[v]
}

// compute runs the program and sets the constants it computes.
func (k *folder) compute(run Evaluate) error {
	if len(k.wanted) == 0 {
		return nil
	}
	t := &stablehlo.FuncType{}
	out := make([]*stablehlo.Value, len(k.wanted))
	for i, op := range k.wanted {
		out[i] = k.known[op.Result()].v
		t.Outs = append(t.Outs, out[i].Type())
	}
	program := stablehlo.NewModule("").AddFunc("constants", t)
	program.Body().SetOps(append(k.e.Take(), stablehlo.NewOp(stablehlo.OpFuncReturn, out, nil)))
	DeadCode(program.Body(), program.Effects(), k.checkCancel)
	data, err := run(program)
	if err != nil {
		return err
	}
	for i, op := range k.wanted {
		k.constants[op].SetAttr("value", constantOf(op.Result().Tensor(), data[i]))
	}
	return nil
}

// constantOf returns the elements of a type, as a splat if they are equal.
func constantOf(t *stablehlo.TensorType, data []byte) *stablehlo.ElementsAttr {
	size := t.DType().Size()
	splat := bytes.Equal(data[size:], data[:len(data)-size])
	if splat {
		data = data[:size]
	}
	n, _ := t.NumElems()
	return &stablehlo.ElementsAttr{Type: t, Data: data, Splat: splat && n > 1}
}

// put replaces ops by constants in a block and its regions.
func (k *folder) put(b *stablehlo.Block) {
	ops := make([]*stablehlo.Op, len(b.Ops))
	for i, op := range b.Ops {
		if ops[i] = op; k.constants[op] != nil {
			ops[i] = k.constants[op]
		}
	}
	b.SetOps(ops)
	for _, op := range ops {
		k.values.Operands(op)
		for _, r := range op.Regions {
			k.put(r.Block())
		}
	}
}
