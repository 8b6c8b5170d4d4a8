package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/checks"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// Outlined makes an [Executor] of a compiler without support for checks: the operands of checks are additional
// results of the compiled program, and are compared here.
func Outlined(c Compiler) Executor { return outliner{c} }

type outliner struct{ client Compiler }

func (o outliner) Load(m *stablehlo.Module) (Program, error) {
	return &outlinedModule{m, o.client}, m.Verify()
}

type outlinedModule struct {
	m      *stablehlo.Module
	client Compiler
}

// Call compiles and runs the function @fn.
func (o *outlinedModule) Call(ctx context.Context, fn string, args ...interp.Value) ([]interp.Value, error) {
	m, err := simplify.Specialise(o.m, fn, func(i int) []byte { return args[i].(*interp.Tensor).Data })
	if err != nil {
		return nil, err
	}
	p, err := Outline(m, fn)
	if err != nil {
		return nil, err
	}
	values, err := p.Run(ctx, o.client, args)
	if err != nil {
		return nil, err
	}
	return values[:p.Results], p.Compare(values[p.Results:])
}

// OutlinedFunc is a function without checks.
type OutlinedFunc struct {
	Results int               // of the function
	m       *stablehlo.Module // with the function as @main
	types   []stablehlo.Type  // of the results, those of the function first
	checks  []*stablehlo.Op
}

// Run compiles the function and returns its results, then the operands of its checks.
func (p *OutlinedFunc) Run(ctx context.Context, client Compiler, args []interp.Value) ([]interp.Value, error) {
	var types []stablehlo.Type
	for _, v := range args {
		types = append(types, typeOf(v))
	}
	exe, err := client.CompileFunc(ctx, p.m, "main", types...)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	in := make([]backend.Buffer, len(args))
	for i, v := range args {
		x, ok := v.(*interp.Tensor)
		if !ok {
			return nil, fmt.Errorf("argument %d must be a tensor", i)
		}
		t := backend.Type{DType: x.Type.DType(), Dims: x.Type.Dims}
		if in[i], err = client.Put(ctx, t, x.Data, client.Devices()[0]); err != nil {
			return nil, err
		}
	}
	out, err := exe.Execute(ctx, in)
	if err != nil {
		return nil, err
	}
	return results(ctx, p.types, out)
}

// Compare makes the comparisons of the checks, whose operands are values in order.
func (p *OutlinedFunc) Compare(values []interp.Value) error {
	failed := &stablehlo.Error{Source: p.m.Source}
	for _, op := range p.checks {
		got := checks.Tensor(*values[0].(*interp.Tensor))
		want, err := expected(op, got.Type, values[:len(op.Operands)])
		if err == nil {
			err = checks.Of(op)(got, want, nil)
		}
		if err != nil {
			failed.Diagnostics = append(failed.Diagnostics, stablehlo.Diagnostic{Pos: op.Pos(), Loc: op.Loc,
				Message: fmt.Sprintf("%s: check failed: %v", op.Name(), err)})
		}
		values = values[len(op.Operands):]
	}
	if failed.Diagnostics == nil {
		return nil
	}
	return failed
}

// expected returns the value that a check compares with: its other operand, or an attribute.
func expected(op *stablehlo.Op, t *stablehlo.TensorType, operands []interp.Value) (checks.Tensor, error) {
	if len(operands) == 2 {
		return checks.Tensor(*operands[1].(*interp.Tensor)), nil
	}
	a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
	if !ok {
		return checks.Tensor{}, errors.New("the expected value is not an elements attribute")
	}
	data := a.Data
	if a.Splat {
		data = bytes.Repeat(data, a.Len())
	}
	return checks.Tensor{Type: t.WithDims(a.Type.Dims...), Data: data}, nil
}

// Outline makes a module of one function, with calls expanded and without its checks.
func Outline(m *stablehlo.Module, fn string) (*OutlinedFunc, error) {
	m = m.Clone()
	f, ok := m.Func(fn)
	if !ok || f.IsDeclaration() {
		return nil, fmt.Errorf("the module has no function @%s with a body", fn)
	}
	composites := func(op *stablehlo.Op, _ bool) bool { return op.Code == stablehlo.OpComposite }
	if err := simplify.InlineExcept(m, f, composites); err != nil {
		return nil, err
	}
	simplify.DropFuncs(m, fn)
	p := &OutlinedFunc{m: m, Results: len(f.Type().Outs)}
	body := f.Body()
	ops := body.Ops
	last := body.Terminator()
	body.SetOps(nil)
	holds := map[*stablehlo.Value]*stablehlo.Value{}
	for _, op := range ops {
		op.Replace(holds)
		if checks.Of(op) == nil {
			body.Append(op)
			continue
		}
		if op.Code == stablehlo.OpCheckExpectSerializedEq {
			return nil, fmt.Errorf("%s of values during a run is not supported", op.Name())
		}
		for _, r := range op.Results { // "the check holds"
			isBool := &stablehlo.ElementsAttr{Type: r.Tensor(), Data: []byte{1}, Splat: true}
			c := stablehlo.NewOp(stablehlo.OpConstant, nil, []stablehlo.Type{r.Type()},
				stablehlo.Named("value", isBool))
			holds[r] = body.Append(c).Result()
		}
		p.checks = append(p.checks, op)
		last.Operands = append(last.Operands, op.Operands...)
	}
	for op := range f.Walk() {
		if checks.Of(op) != nil {
			return nil, fmt.Errorf("%s inside a region is not supported", op.Name())
		}
	}
	for _, v := range last.Operands {
		p.types = append(p.types, v.Type())
	}
	f.SetAttr("sym_name", stablehlo.StringAttr("main"))
	f.SetAttr("res_attrs", nil)
	f.SetAttr("function_type", stablehlo.TypeAttr{Type: &stablehlo.FuncType{Ins: f.Type().Ins, Outs: p.types}})
	return p, m.Verify()
}
