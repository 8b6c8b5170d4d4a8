package interp

import (
	"context"
	"fmt"
	"io"

	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/stablehlo"
)

// Interpreter runs the functions of one module. It is safe for concurrent use
// as long as the module does not change.
type Interpreter struct {
	module *stablehlo.Module
	plans  map[string]*plan
	calls  map[string]CustomCall

	output  io.Writer
	probe   func(id string, iteration int, t *Tensor) error
	steps   func(s Step)
	compute Compute
	infeed  func(types []*stablehlo.TensorType) ([]*Tensor, error)
	outfeed func([]*Tensor) error
}

// CustomCall is the meaning of a custom_call target. It must not change the
// data of its arguments.
type CustomCall func(ctx context.Context, op *stablehlo.Op, args []Value) ([]Value, error)

// Option configures an [Interpreter].
type Option func(*Interpreter)

// WithCustomCall returns a custom_call target a meaning.
func WithCustomCall(target string, f CustomCall) Option {
	return func(it *Interpreter) { it.calls[target] = f }
}

// New verifies a module and prepares its functions. The error of a module that
// does not verify is a [*stablehlo.Error].
func New(m *stablehlo.Module, opts ...Option) (*Interpreter, error) {
	if err := m.Verify(); err != nil {
		return nil, err
	}
	it := &Interpreter{module: m, plans: map[string]*plan{}, calls: map[string]CustomCall{}}
	for _, o := range opts {
		o(it)
	}
	for fn := range m.Funcs() {
		it.plans[fn.Name()] = newPlan(fn, it.calls)
	}
	return it, nil
}

// Call runs the function @fn. Its error is a [*Fault], whose cause is the
// context's error when that ended the run.
func (it *Interpreter) Call(ctx context.Context, fn string, args ...Value) (results []Value, err error) {
	// The net below the interpreter's own mistakes; programs fail with errors.
	defer func() {
		if r := recover(); r != nil {
			results, err = nil, &Fault{Kind: Internal, Detail: fmt.Sprintf("in @%s: %v", fn, r)}
		}
	}()
	p := it.plans[fn]
	if p == nil {
		return nil, faultf(NoFunction, "the module has no function @%s", fn)
	}
	if err := p.accepts(args); err != nil {
		return nil, err
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	root := &frame{it: it, ctx: inner, proc: &process{Process: *processes.New(1, 1, cancel).Process(0),
		deepest: maxDepth},
		session: &session{probes: map[string][]*Tensor{}}}
	results, err = root.call(p, args)
	if err == nil && ctx.Err() != nil { // a function that it called may have ended it
		return nil, canceled(ctx)
	}
	return results, err
}

// accepts reports arguments that do not fit the function.
func (p *plan) accepts(args []Value) error {
	if len(args) != len(p.typ.Ins) {
		return faultf(BadArgument, "@%s takes %d arguments, got %d", p.name, len(p.typ.Ins), len(args))
	}
	for i, a := range args {
		if why := misfit(a, p.typ.Ins[i]); why != "" {
			return faultf(BadArgument, "argument %d of @%s: %s", i, p.name, why)
		}
	}
	return nil
}

// misfit describes why a value is not of type t, or returns "".
func misfit(v Value, t stablehlo.Type) string {
	switch t := t.(type) {
	case *stablehlo.TensorType:
		x, ok := v.(*Tensor)
		if !ok || x == nil || x.Type == nil {
			return fmt.Sprintf("got %T, want %s", v, t)
		}
		if !stablehlo.SameType(x.Type.Elem, t.Elem) || fits(t, x.dims()) != nil {
			return fmt.Sprintf("got a tensor of type %s, want %s", x.Type, t)
		}
		if _, err := NewTensor(x.Type, x.Data); err != nil {
			return err.Error()
		}
	case stablehlo.TokenType:
		if _, ok := v.(Token); !ok {
			return fmt.Sprintf("got %T, want a token", v)
		}
	case *stablehlo.TupleType:
		x, ok := v.(Tuple)
		if !ok || len(x) != len(t.Elems) {
			return fmt.Sprintf("got %T, want %s", v, t)
		}
		for i, e := range x {
			if why := misfit(e, t.Elems[i]); why != "" {
				return why
			}
		}
	default:
		return fmt.Sprintf("values of type %s cannot be arguments of a call", t)
	}
	return ""
}
