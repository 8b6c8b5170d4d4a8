package simplify

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/checks"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Refine infers the sizes of dynamic dimensions: from the types of the arguments (nil: the declared
// ones), by forward shape inference, and from shape operands that are constants or arithmetic on
// sizes. Ops whose parameters are operands become ops with attributes. Unknown sizes stay dynamic.
// A failing shape assertion is reported before other errors, which unsupported sizes cause.
func Refine(f stablehlo.Func, args []stablehlo.Type, checkCancel ...CheckCancel) error {
	r := &refiner{ints: newIntegers(), values: Renames{}, checkCancel: checkCancelOf(checkCancel),
		module: f.Op.Parent(), body: f.Body()}
	for i, a := range f.Args() {
		if args == nil {
			break
		}
		t, ok := args[i].(*stablehlo.TensorType)
		if !ok || a.Tensor() == nil {
			continue
		}
		if !fits(a.Tensor().Dims, t.Dims) {
			return fmt.Errorf("argument %d must be of type %[3]s, got %[2]s", i, a.Type(), t)
		}
		r.resize(a, t.Dims)
	}
	if err := r.block(f.Body()); err != nil {
		return err
	}
	t := &stablehlo.FuncType{}
	for _, a := range f.Args() {
		t.Ins = append(t.Ins, a.Type())
	}
	for _, v := range f.Body().Terminator().Operands {
		t.Outs = append(t.Outs, v.Type())
	}
	f.SetAttr("function_type", stablehlo.TypeAttr{Type: t})
	return nil
}

// fits reports whether a shape allows sizes.
func fits(shape, dims []int64) bool {
	return slices.EqualFunc(shape, dims,
		func(a, b int64) bool { return a == b || a == stablehlo.Dynamic || b == stablehlo.Dynamic })
}

type refiner struct {
	ints        *integers
	values      Renames // the replacements of removed results
	checkCancel CheckCancel
	module      *stablehlo.Op // the module of called functions, or nil
	body        *stablehlo.Block
}

// resize refines the type of a value with the known sizes of dims.
func (r *refiner) resize(v *stablehlo.Value, dims []int64) {
	t := v.Tensor()
	if t == nil || t.IsStatic() || len(dims) != t.Rank() {
		return
	}
	out := slices.Clone(t.Dims)
	for d := range out {
		if out[d] == stablehlo.Dynamic {
			out[d] = dims[d]
		}
	}
	u := t.WithDims(out...)
	if !u.IsStatic() {
		u.Bounds = t.Bounds
	}
	v.SetType(u)
}

func (r *refiner) block(b *stablehlo.Block) error {
	e := Emitter{Emitter: emit.To(b)}
	for _, op := range e.Take() {
		r.checkCancel()
		r.values.Operands(op)
		for _, known := range []func(*stablehlo.Op) *stablehlo.Op{stablehlo.CallOfMHLO, stablehlo.KnownCall} {
			if same := known(op); same != nil {
				for i, v := range op.Results {
					r.values[v] = same.Results[i]
				}
				op = same
			}
		}
		if op.Code == stablehlo.OpCustomCall && b == r.body { // which runs unconditionally, unlike branches
			if err := r.assert(op); err != nil {
				return &emit.Error{Op: op, Err: err}
			}
		}
		done, err := r.replace(e, op)
		if err != nil {
			return err
		}
		if done {
			continue
		}
		e.Append(op)
		if err := r.op(op); err != nil {
			return err
		}
	}
	return nil
}

// replace appends the static form of an op whose sizes are operands, or of a call, if it is known.
func (r *refiner) replace(e Emitter, op *stablehlo.Op) (done bool, err error) {
	e.B.PlaceAt(op)
	if op.Code == stablehlo.OpCustomCall {
		if done, err = r.replaceCall(e, op); err != nil {
			err = fmt.Errorf("%s: @%s: %w", op.Name(), op.Str("call_target_name"), err)
		}
		return done, err
	}
	row := staticFormOf(op.Code)
	if row == nil || len(op.Results) != 1 {
		return false, nil
	}
	v, err := row.apply(r, e, op)
	switch {
	case err != nil:
		return false, fmt.Errorf("%s: %w", op.Name(), err)
	case v == nil:
		return false, nil
	case !fits(op.Result().Tensor().Dims, v.Tensor().Dims):
		return false, fmt.Errorf("%s: the result must be of type %[3]s, got %[2]s",
			op.Name(), v.Type(), op.Result().Type())
	}
	r.values[op.Result()] = v
	return true, nil
}

// apply appends the static form of op; numbers that the op does not allow are an error.
func (row staticForm) apply(r *refiner, e Emitter, op *stablehlo.Op) (v *stablehlo.Value, err error) {
	defer emit.Catch(&err)
	return row(r, e, op)
}

// assert returns the message of a shape assertion that fails.
func (r *refiner) assert(op *stablehlo.Op) error {
	if op.Str("call_target_name") != checks.AssertionTarget {
		return nil
	}
	operands := make([]checks.Tensor, len(op.Operands))
	for i, v := range op.Operands {
		n, ok := r.ints.of(v)
		if !ok || len(n) != 1 {
			return nil
		}
		d := v.Tensor().DType()
		operands[i] = checks.Tensor{Type: v.Tensor(), Data: make([]byte, d.Size())}
		d.StoreInt(operands[i].Data, 0, n[0])
	}
	return checks.Assert(op, operands)
}

// replaceCall appends the lowering of a custom_call, if it is known.
func (r *refiner) replaceCall(e Emitter, op *stablehlo.Op) (done bool, err error) {
	defer emit.Catch(&err)
	results, err := r.call(e, op)
	if results == nil || err != nil {
		return err == nil && stablehlo.IsSilentCallback(op), err
	}
	for i, v := range op.Results {
		if t := v.Tensor(); t != nil && !fits(t.Dims, results[i].Tensor().Dims) {
			return false, fmt.Errorf("result %d must be of type %[3]s, got %[2]s", i, results[i].Type(), t)
		}
		r.values[v] = results[i]
	}
	return true, nil
}

// op refines the types in the regions of an op and of its results.
func (r *refiner) op(op *stablehlo.Op) error {
	switch op.Code {
	case stablehlo.OpWhile:
		return r.while(op)
	case stablehlo.OpIf, stablehlo.OpCase:
		return r.branches(op)
	}
	for _, region := range op.Regions {
		if err := r.block(region.Block()); err != nil {
			return err
		}
	}
	dynamic := slices.ContainsFunc(op.Results,
		func(v *stablehlo.Value) bool { return v.Tensor() != nil && !v.Tensor().IsStatic() })
	if !dynamic {
		return nil
	}
	if op.Code.Info().Traits&stablehlo.ShapedByResult == 0 {
		if types, err := stablehlo.InferTypes(op); err == nil && len(types) == len(op.Results) {
			for i, t := range types {
				if t, ok := t.(*stablehlo.TensorType); ok {
					r.resize(op.Results[i], t.Dims)
				}
			}
			return nil
		}
	}
	for i, v := range op.Results {
		if dims := r.likeOperand(op, i); dims != nil {
			r.resize(v, dims)
		}
	}
	return nil
}

// likeOperand returns the shape of result i of an op whose element type is not inferred, or nil.
func (r *refiner) likeOperand(op *stablehlo.Op, i int) []int64 {
	switch {
	case op.Code == stablehlo.OpOptimizationBarrier || op.Code == stablehlo.OpSdyShardingConstraint ||
		stablehlo.IsIdentityCall(op):
		if i < len(op.Operands) && op.Operands[i].Tensor() != nil {
			return op.Operands[i].Tensor().Dims
		}
	case op.Code == stablehlo.OpBitcastConvert:
		x, t := op.Operands[0].Tensor(), op.Result().Tensor()
		from, to := x.DType().Bits(), t.DType().Bits()
		switch {
		case from > to && to > 0:
			return append(slices.Clone(x.Dims), int64(from/to))
		case from < to:
			return x.Dims[:x.Rank()-1]
		}
		return x.Dims
	case op.Code.Info().Traits&stablehlo.Elementwise != 0:
		for _, x := range op.Operands {
			if x.Tensor() != nil && x.Tensor().Rank() == op.Result().Tensor().Rank() {
				return x.Tensor().Dims
			}
		}
	case op.Code == stablehlo.OpConvolution:
		return convolvedDims(op)
	case op.Code == stablehlo.OpRng:
		if dims, ok := r.ints.of(op.Operands[2]); ok {
			return dims
		}
	}
	return nil
}

// while refines the state of a loop, for sizes that do not change.
func (r *refiner) while(op *stablehlo.Op) error {
	body := op.Regions[1].Block()
	for i, v := range op.Operands {
		t := v.Tensor()
		if t == nil || op.Results[i].Tensor() == nil {
			continue
		}
		for _, region := range op.Regions {
			r.resize(region.Block().Args[i], t.Dims)
		}
		r.resize(op.Results[i], t.Dims)
	}
	for _, region := range op.Regions {
		if err := r.block(region.Block()); err != nil {
			return err
		}
	}
	for i, v := range body.Terminator().Operands {
		have, want := v.Tensor(), body.Args[i].Tensor()
		if have != nil && want != nil && !slices.Equal(have.Dims, want.Dims) {
			return fmt.Errorf("%s: the shape of state %d must be known and the same in all iterations, got %s and %s",
				op.Name(), i, want, have)
		}
	}
	return nil
}

// branches refines the results of an if or case if the branches agree.
func (r *refiner) branches(op *stablehlo.Op) error {
	for _, region := range op.Regions {
		if err := r.block(region.Block()); err != nil {
			return err
		}
	}
	for i, v := range op.Results {
		if v.Tensor() == nil {
			continue
		}
		first := op.Regions[0].Block().Terminator().Operands[i].Tensor()
		same := true
		for _, region := range op.Regions {
			same = same && slices.Equal(region.Block().Terminator().Operands[i].Tensor().Dims, first.Dims)
		}
		if same {
			r.resize(v, first.Dims)
		}
	}
	return nil
}
