package interp

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// scalarBool returns the value of a rank-0 bool.
func scalarBool(v Value) bool { return v.(*Tensor).Data[0] != 0 }

func evalIf(f *frame, s *step, args []Value) ([]Value, error) {
	if scalarBool(args[0]) {
		return f.run(s.regions[0])
	}
	return f.run(s.regions[1])
}

// evalCase runs the branch of the index, the last branch for an index out of range.
func evalCase(f *frame, s *step, args []Value) ([]Value, error) {
	x := args[0].(*Tensor)
	i := x.Type.DType().LoadInt(x.Data, 0)
	if i < 0 || i >= int64(len(s.regions)) {
		i = int64(len(s.regions) - 1)
	}
	return f.run(s.regions[i])
}

func evalWhile(f *frame, s *step, state []Value) ([]Value, error) {
	for ; ; f.iterated() {
		if err := f.tick(); err != nil {
			return nil, err
		}
		more, err := f.run(s.regions[0], state...)
		if err != nil {
			return nil, err
		}
		if !scalarBool(more[0]) {
			return state, nil
		}
		if state, err = f.run(s.regions[1], state...); err != nil {
			return nil, err
		}
	}
}

func evalCall(f *frame, s *step, args []Value) ([]Value, error) {
	return f.callNamed(s.op.Str("callee"), args)
}

// evalComposite runs the decomposition, the op's meaning.
func evalComposite(f *frame, s *step, args []Value) ([]Value, error) {
	return f.callNamed(s.op.Str("decomposition"), args)
}

func (f *frame) callNamed(name string, args []Value) ([]Value, error) {
	p := f.it.plans[name]
	if p == nil {
		return nil, faultf(NoFunction, "the module has no function @%s", name)
	}
	return f.call(p, args)
}

// evalIdentity returns the operands: barriers and annotations.
func evalIdentity(_ *frame, _ *step, args []Value) ([]Value, error) { return args, nil }

// evalToken returns a token: the ops of a process run in order anyway.
func evalToken(*frame, *step, []Value) ([]Value, error) { return []Value{Token{}}, nil }

// evalNoOp runs an op that only declares something.
func evalNoOp(*frame, *step, []Value) ([]Value, error) { return nil, nil }

func evalTuple(_ *frame, _ *step, args []Value) ([]Value, error) { return []Value{Tuple(args)}, nil }

func evalGetTupleElement(_ *frame, s *step, args []Value) ([]Value, error) {
	return []Value{args[0].(Tuple)[s.op.Int("index", 0)]}, nil
}

// future is the value of async_start: the results, since the interpreter runs
// the computation at once.
type future []Value

func (future) isValue() {}

func evalAsyncStart(f *frame, s *step, args []Value) ([]Value, error) {
	results, err := f.run(s.regions[0], args...)
	return []Value{future(results)}, err
}

func evalAsyncDone(_ *frame, _ *step, args []Value) ([]Value, error) {
	return args[0].(future), nil
}

func evalGetDimensionSize(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	r, err := makeTensor(op.Result().Tensor())
	if err != nil {
		return nil, err
	}
	r.Type.DType().StoreInt(r.Data, 0, x[0].dims()[op.Int("dimension", 0)])
	return r, nil
}

// evalSetDimensionSize cuts a dimension to a size known only now.
func evalSetDimensionSize(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	d, size := op.Int("dimension", 0), x[1].Type.DType().LoadInt(x[1].Data, 0)
	if size < 0 || size > x[0].dims()[d] {
		return nil, faultf(BadShape, "dimension %d of shape %v cannot become %d", d, x[0].dims(), size)
	}
	dims := append([]int64(nil), x[0].dims()...)
	dims[d] = size
	return rearrange(f, op, x[0], dims, 0, rowMajor(x[0].dims()))
}

// evalConstantLike repeats a scalar in the shape of the operand.
func evalConstantLike(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	t := op.Result().Tensor()
	scalar, err := makeTensor(t)
	if err != nil {
		return nil, err
	}
	d := t.DType()
	switch a := op.Attr("value").(type) {
	case stablehlo.IntAttr:
		d.StoreInt(scalar.Data, 0, a.Value)
	case stablehlo.BoolAttr:
		if a {
			scalar.Data[0] = 1
		}
	case stablehlo.FloatAttr:
		if d.IsComplex() {
			d.StoreComplex(scalar.Data, 0, complex(a.Value, 0))
		} else {
			d.StoreFloat(scalar.Data, 0, a.Value)
		}
	case stablehlo.ArrayAttr: // complex: [re, im]
		if len(a) != 2 || !d.IsComplex() {
			return nil, faultf(Unsupported, "constant_like with the value %s", op.Attr("value"))
		}
		re, _ := a[0].(stablehlo.FloatAttr)
		im, _ := a[1].(stablehlo.FloatAttr)
		d.StoreComplex(scalar.Data, 0, complex(re.Value, im.Value))
	case *stablehlo.ElementsAttr:
		copy(scalar.Data, a.Data)
	default:
		return nil, faultf(Unsupported, "constant_like with the value %s", op.Attr("value"))
	}
	return broadcast(f, op, scalar, x[0].dims(), nil)
}

// scalarOf returns a rank-0 integer.
func scalarOf(d dtype.Type, v int64) *Tensor {
	t := &Tensor{stablehlo.Tensor(d), make([]byte, d.Size())}
	d.StoreInt(t.Data, 0, v)
	return t
}
