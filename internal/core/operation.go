package core

import (
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/telemetry"
)

// operation is a function on tensors, as data. describe refuses operands or
// finds the types of the results; emit appends the ops of the graph. Both use only the
// attributes and the types of the operands: these are therefore the key of compiled
// code, and no attribute can be missing in it. Operations are
// variables of the package, so that all parameters of a function pass through the
// attributes. Each has a cache of its code.
type operation[A comparable] struct {
	name     string
	describe func(d *description[A])
	emit     func(d *description[A], e *emitter, in []*stablehlo.Value) []*stablehlo.Value

	code codeCache
}

// description is an operation on operands of known types.
type description[A comparable] struct {
	described
	attrs A
}

// described is the part of a description that does not depend on the attributes.
type described struct {
	op   string
	ins  []*Spec
	outs []*Spec // the types of the results, found by describe
	in   DType   // the element type to compute in, found by describe: Go numbers are passed in it

	operands []operand // for messages
}

// fail refuses the operands.
func (d *described) fail(code diag.Code, hint, format string, args ...any) {
	failOn(code, d.op, operands(d.operands...), hint, format, args...)
}

// tensors returns the operands as tensors.
func (d *described) tensors() []Tensor { return operands(d.operands...) }

// returns sets the type of the only result.
func (d *described) returns(s *Spec) { d.outs = []*Spec{s} }

// call1 applies an operation with one operand, a tensor.
func (o *operation[A]) call1(a A, t Tensor) Tensor { return o.call(a, operand{t: t.p}) }

// call applies an operation with one result: with the cached code for the types of
// its operands, by [operation.describeAndApply] otherwise.
func (o *operation[A]) call(a A, xs ...operand) Tensor {
	if e := o.code.last.Load(); e != nil && e.key.attrs == any(a) {
		if out, ok := e.value.runDirect(o.name, &e.key.operandTypes, xs); ok {
			return out
		}
	}
	key := codeKey{attrs: a}
	if key.read(xs) {
		if op := o.code.get(&key); op != nil {
			if out, ok := op.runCached(o.name, key.home, xs); ok {
				return out
			}
		}
	}
	return o.describeAndApply(a, slices.Clone(xs))[0]
}

// runDirect runs the code used last without a lock or an allocation, if the types are the same and an
// operand has data. It reports false if there is more to do.
func (op *compiledOp) runDirect(name string, types *operandTypes, xs []operand) (Tensor, bool) {
	if op.direct == nil || len(xs) != op.ins ||
		staging.newest.Load() != 0 || profiling.Load() != nil || tracking.Load() != nil || telemetry.Enabled() {
		return Tensor{}, false
	}
	h, hasData, constants := types.home, false, true
	var args [3]backend.Buffer
	for i := range xs {
		x := &xs[i]
		if x.spec() != types.ins[i] {
			return Tensor{}, false
		}
		switch {
		case x.t == nil && op.number != dtype.Invalid && x.n.Fits(op.number):
			args[i] = h.scalar(name, op.number, x.n)
		case x.t != nil && x.t.buf != nil && x.t.buf.home == h && x.t.buf.valid.ended.Load() == nil:
			args[i], hasData, constants = x.t.buf.buf, true, constants && x.t.rec != nil
		default:
			return Tensor{}, false
		}
	}
	if !hasData {
		return Tensor{}, false
	}
	out, front, err := op.direct(args[0], args[1], args[2])
	if err != nil { // the slow path reports it
		return Tensor{}, false
	}
	return newBufferIn(front, h, op.outs[0], out).mark(constants), true
}

// read finds the types of the operands of an operation that may have been compiled before. It reports
// false if the caller must take the slow path: an operand is traced or invalid, or the operation belongs to
// a body of control flow.
func (t *operandTypes) read(xs []operand) bool {
	for i, x := range xs {
		s := x.spec()
		if s == nil {
			return false
		}
		t.set(i, s)
		if x.t == nil {
			continue
		}
		switch b := x.t.buf; {
		case x.t.tr != nil, b != nil && t.home != nil && b.home != t.home:
			return false
		case b != nil:
			t.home = b.home
		}
	}
	s := currentStage()
	if s.all {
		return false
	}
	if t.home == nil {
		t.home = s.home()
	}
	return true
}

// runCached runs an operation that has been compiled before. It reports false when a Go number does not fit.
func (op *compiledOp) runCached(name string, h *home, xs []operand) (Tensor, bool) {
	numbers, constants := true, true
	for _, x := range xs {
		constants = constants && (x.t == nil || x.t.rec != nil)
		numbers = numbers && constants && (x.t == nil || x.t.rec.isNumber)
	}
	list := arguments.Get().(*[4]backend.Buffer)
	args := list[:0]
	for _, x := range xs {
		switch {
		case x.t != nil && x.t.isWeakNumber() && op.number != dtype.Invalid && !x.t.rec.num.Fits(op.number):
			return Tensor{}, false
		case x.t != nil:
			args = append(args, materialise(name, h, wrap(x.t)))
		case op.number != dtype.Invalid && x.n.Fits(op.number):
			args = append(args, h.scalar(name, op.number, x.n))
		default:
			return Tensor{}, false
		}
	}
	out, err := executeObserved(background, name, h.device, op.exe, args)
	if checksAll && err == nil {
		checkEager(name, op, args, out)
	}
	clear(args)
	arguments.Put(list)
	if err != nil {
		failRun(name, operands(slices.Clone(xs)...), err)
	}
	return fromBuffer(h, op.outs[0], out[0], numbers, constants), true
}

// describeAndApply checks the operands, finds the types of the results, and applies the operation.
func (o *operation[A]) describeAndApply(a A, xs []operand) []Tensor {
	present(o.name, xs...)
	d := &description[A]{described: describedBy(o.name, xs), attrs: a}
	vectors := unionOfVectors(o.name, xs)
	o.describe(d)
	c := d.call(xs, func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value { return o.emit(d, e, in) })
	if vectors != nil {
		c.vectorize(vectors, d.ins)
	}
	c.code = codeWith{&o.code, a}
	for i, x := range xs {
		c.types.set(i, x.spec())
	}
	return apply(c)
}

// describedBy begins the description of an operation.
func describedBy(op string, xs []operand) described {
	d := described{op: op, ins: make([]*Spec, len(xs)), operands: xs}
	for i, x := range xs {
		d.ins[i] = x.spec().withoutVectors()
	}
	return d
}

// call returns the call of what has been described.
func (d *described) call(xs []operand, emit func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value) *call {
	if d.in != dtype.Invalid {
		checkFits(d.op, d.in, xs...)
	}
	for i, s := range d.outs {
		d.outs[i] = s.withoutVectors()
	}
	d.operands = nil
	return &call{op: d.op, ins: tensors(d.in, xs), outs: slices.Clone(d.outs), number: d.in,
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			out := emit(e, in)
			checkEmitted(d.op, d.outs, out)
			return out
		}}
}

// checkEmitted compares the described results of an operation with the types that the builder of
// the graph infers: a difference is a bug of this package.
func checkEmitted(op string, outs []*Spec, values []*stablehlo.Value) {
	if len(outs) != len(values) {
		panic("nx: " + op + " describes a different number of results than it emits")
	}
	for i, v := range values {
		if t := v.Tensor(); t.DType() != outs[i].DType || !sameDims(t.Dims, outs[i].Shape) {
			panic("nx: " + op + " describes the result " + outs[i].String() + " and emits " + t.String())
		}
	}
}
