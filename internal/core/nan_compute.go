package core

import (
	"context"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// opCompiler computes the ops of a program that runs again: large ones by compiled code, and none that only has an
// effect, such as a hook.
type opCompiler struct {
	client backend.Client

	mu     sync.Mutex
	byOp   map[*stablehlo.Op]backend.Executable // nil of ops that the interpreter runs
	byText map[string]backend.Executable
}

func (c *opCompiler) close() {
	for _, exe := range c.byText {
		if exe != nil {
			exe.Close()
		}
	}
}

// run is an [interp.Compute].
func (c *opCompiler) run(ctx context.Context, op *stablehlo.Op, args []*interp.Tensor) ([]*interp.Tensor, bool, error) {
	if op.Attr(stablehlo.HostTarget) != nil && len(op.Results) == 0 {
		return nil, true, nil
	}
	if !isLarge(op, args) {
		return nil, false, nil
	}
	exe := c.code(ctx, op)
	if exe == nil {
		return nil, false, nil
	}
	in := make([]backend.Buffer, len(args))
	for i, a := range args {
		b, err := c.client.Put(ctx, backend.Type{DType: a.Type.DType(), Dims: a.Type.Dims}, a.Data, nil)
		if err != nil {
			return nil, false, err
		}
		defer b.Release()
		in[i] = b
	}
	bufs, err := exe.Execute(ctx, in)
	if err != nil {
		return nil, false, err
	}
	out := make([]*interp.Tensor, len(bufs))
	for i, b := range bufs {
		data := make([]byte, b.Type().SizeBytes())
		if err := b.Read(ctx, data); err != nil {
			return nil, false, err
		}
		b.Release()
		if out[i], err = interp.NewTensor(op.Results[i].Tensor(), data); err != nil {
			return nil, false, err
		}
	}
	return out, true, nil
}

// isLarge reports whether compiling an op is worth its time.
func isLarge(op *stablehlo.Op, args []*interp.Tensor) bool {
	const enough = 1 << 13
	n := int64(0)
	for _, a := range args {
		n += int64(len(a.Data) / a.Type.DType().Size())
	}
	for _, r := range op.Results {
		size, ok := int64(0), false
		if t := r.Tensor(); t != nil {
			size, ok = t.NumElems()
		}
		if !ok {
			return false
		}
		n += size
	}
	switch op.Code {
	case stablehlo.OpDotGeneral, stablehlo.OpConvolution, stablehlo.OpReduceWindow, stablehlo.OpSelectAndScatter:
		n *= 16
	}
	return n >= enough && compilesAlone(op)
}

// compilesAlone reports whether an op can be a program of its own: it contains no control
// flow, calls no function and does not communicate.
func compilesAlone(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpWhile, stablehlo.OpIf, stablehlo.OpCase, stablehlo.OpCustomCall, stablehlo.OpRng,
		stablehlo.OpSdyManualComputation, stablehlo.OpOptimizationBarrier, stablehlo.OpReplicaId,
		stablehlo.OpPartitionId, stablehlo.OpConstant, stablehlo.OpReshape, stablehlo.Unregistered:
		return false
	}
	info := op.Code.Info()
	if op.Callee() != "" || info.Traits&stablehlo.SideEffects != 0 || op.Attr("replica_groups") != nil ||
		op.Attr("source_target_pairs") != nil {
		return false
	}
	inside := map[*stablehlo.Value]bool{}
	for _, v := range op.Operands {
		inside[v] = true
	}
	for x := range op.Walk() {
		for _, v := range x.Operands {
			if t := v.Tensor(); t == nil || !t.IsStatic() || t.Quant() != nil || !inside[v] {
				return false
			}
		}
		for _, r := range x.Regions {
			for _, v := range r.Block().Args {
				inside[v] = true
			}
		}
		for _, v := range x.Results {
			inside[v] = true
		}
	}
	return len(op.Results) > 0
}

// code returns the compiled form of an op, nil where the interpreter runs it.
func (c *opCompiler) code(ctx context.Context, op *stablehlo.Op) backend.Executable {
	c.mu.Lock()
	defer c.mu.Unlock()
	if exe, known := c.byOp[op]; known {
		return exe
	}
	if c.byOp == nil {
		c.byOp, c.byText = map[*stablehlo.Op]backend.Executable{}, map[string]backend.Executable{}
	}
	m := programOf(op)
	key := m.String()
	exe, known := c.byText[key]
	if !known {
		var err error
		if exe, err = c.client.Compile(ctx, m); err != nil {
			exe = nil
		}
		c.byText[key] = exe
	}
	c.byOp[op] = exe
	return exe
}

// programOf returns a module with one op.
func programOf(op *stablehlo.Op) *stablehlo.Module {
	m := stablehlo.NewModule("")
	f := m.AddFunc("main", &stablehlo.FuncType{})
	args := map[*stablehlo.Value]*stablehlo.Value{}
	ft := &stablehlo.FuncType{}
	one := op.Clone(args)
	one.Loc = nil
	for i, v := range op.Operands {
		one.Operands[i] = f.Body().AddArg(v.Type())
		ft.Ins = append(ft.Ins, v.Type())
	}
	f.Body().Append(one)
	for _, r := range one.Results {
		ft.Outs = append(ft.Outs, r.Type())
	}
	f.Body().Append(stablehlo.NewOp(stablehlo.OpFuncReturn, one.Results, nil))
	f.SetAttr("function_type", stablehlo.TypeAttr{Type: ft})
	return m
}
