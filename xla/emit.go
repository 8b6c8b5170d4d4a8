package xla

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/pipeline"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/sharding"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// signature is the types that a program takes and returns, which arguments are donated, and
// how it is spread over devices.
type signature struct {
	ins, outs []backend.Type
	donated   []bool
	sharding  *sharding.Manual // nil for one device
}

// translate converts a copy of a verified module to one with only @main, in ops that plugins support: composites,
// LAPACK calls and CHLO ops are lowered, as are functions of this project. The result is for the devices of
// its mesh, if there are enough.
func translate(ctx context.Context, m *stablehlo.Module, precision string,
	devices int) (out *stablehlo.Module, s signature, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			err = context.Cause(ctx)
		default:
			panic(r)
		}
	}()
	m = m.Clone()
	f, ok := m.Func("main")
	if !ok || f.IsDeclaration() {
		return nil, s, fmt.Errorf("the module has no function @main with a body")
	}
	t := pipeline.Target{
		HasOp: func(op *stablehlo.Op) bool { return s.sharding != nil && simplify.BetweenDevices(op) },
		Own: map[string]func(stablehlo.Func) error{
			"shardings": func(f stablehlo.Func) (err error) {
				s.sharding, err = shardingFor(m, f, devices)
				annotate(m, f, s.sharding)
				return err
			},
			"plugin ops": lowerNxOps,
		},
		CheckCancel: func() {
			if ctx.Err() != nil {
				panic(stopped{})
			}
		},
	}
	if _, err := t.Run(ctx, m, f); err != nil {
		return nil, s, err
	}
	simplify.DropFuncs(m, "main")
	setPrecision(f, precision)
	if err := s.read(f); err != nil {
		return nil, s, err
	}
	return m, s, nil
}

// stopped ends a translation when the context does.
type stopped struct{}

// read reads the types of @main, which must be tensors of static shape.
func (s *signature) read(f stablehlo.Func) (err error) {
	tensors := func(types []stablehlo.Type, what string) (all []backend.Type) {
		for i, t := range types {
			x, ok := t.(*stablehlo.TensorType)
			if (!ok || !x.IsStatic()) && err == nil {
				err = fmt.Errorf("%s %d of @main must be a tensor of static shape for a plugin, got %s", what, i, t)
			}
			if !ok {
				continue
			}
			if _, has := pjrt.TypeOf(x.DType()); !has && err == nil {
				err = fmt.Errorf("%s %d of @main has the type %s: plugins do not support buffers of %s", what, i, t, x.DType())
			}
			all = append(all, backend.Type{DType: x.DType(), Dims: x.Dims})
		}
		return all
	}
	t := f.Type()
	s.ins, s.outs = tensors(t.Ins, "argument"), tensors(t.Outs, "result")
	if err == nil {
		err = s.checkSharding()
	}
	if err != nil {
		return err
	}
	for i := range s.ins {
		s.donated = append(s.donated, f.Donated(i))
	}
	return checkOps(f)
}

// checkSharding refuses tensors that cannot be cut as they should be.
func (s *signature) checkSharding() error {
	if s.sharding == nil {
		return nil
	}
	for i, t := range s.ins {
		if _, err := s.sharding.Local(s.sharding.Ins[i], t.Dims); err != nil {
			return fmt.Errorf("argument %d: %w", i, err)
		}
	}
	for i, t := range s.outs {
		if _, err := s.sharding.Local(s.sharding.Outs[i], t.Dims); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

// realOnly are ops that XLA supports only for real numbers: the remainder of complex ones crashes it.
var realOnly = map[stablehlo.OpCode]bool{stablehlo.OpRemainder: true, stablehlo.OpCbrt: true,
	stablehlo.OpChloBesselI1e: true}

// checkOps rejects ops that plugins do not support, or that crash them.
func checkOps(f stablehlo.Func) error {
	for op := range f.Walk() {
		if op.Code == stablehlo.OpInterpRunParallel {
			return fmt.Errorf("%s is not supported by XLA: a plugin runs one program on its devices", op.Name())
		}
		if realOnly[op.Code] && op.Result().Tensor().DType().IsComplex() {
			return fmt.Errorf("%s of complex numbers is not supported by XLA", op.Name())
		}
		for _, v := range op.Results {
			if x := v.Tensor(); x != nil && !x.IsStatic() { // some plugins end the process at these
				return fmt.Errorf("a result of %s must have a static shape, got %s", op.Name(), x)
			}
		}
	}
	return nil
}

// setPrecision sets the precision of contractions and convolutions without one.
func setPrecision(f stablehlo.Func, level string) {
	if level == "" || level == string(Default) {
		return
	}
	p := stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "precision", Value: level}
	for op := range f.Walk() {
		switch op.Code {
		case stablehlo.OpDotGeneral, stablehlo.OpDot, stablehlo.OpConvolution:
		default:
			continue
		}
		given, _ := op.Attr("precision_config").(stablehlo.ArrayAttr)
		says := slices.ContainsFunc(given, func(a stablehlo.Attr) bool {
			e, ok := a.(stablehlo.EnumAttr)
			return ok && e.Value != "DEFAULT"
		})
		if !says && op.Attr("algorithm") == nil {
			op.SetAttr("precision_config", stablehlo.ArrayAttr{p, p})
		}
	}
}

// write returns a module in the form for a plugin: the portable artifact of a version, or text for plugins
// that report none. A sharded program is always text: artifacts have no form for shardings.
func write(m *stablehlo.Module, s signature, version stablehlo.Version) ([]byte, error) {
	var b bytes.Buffer
	if version == (stablehlo.Version{}) || s.sharding != nil {
		err := stablehlo.Print(&b, m, stablehlo.PrintOptions{Generic: true})
		return b.Bytes(), err
	}
	err := portable.Write(&b, m, portable.WriteOptions{Version: version})
	return b.Bytes(), err
}

// lowerNxOps lowers the ops of this project to StableHLO, and computes in f32 those ops that GPUs do not
// support for 16-bit floats.
func lowerNxOps(f stablehlo.Func) (err error) {
	defer emit.Catch(&err)
	lowerNxOpsIn(f.Body(), map[*stablehlo.Value]*stablehlo.Value{})
	return nil
}

func lowerNxOpsIn(b *stablehlo.Block, renamed map[*stablehlo.Value]*stablehlo.Value) {
	ops := b.Ops
	b.SetOps(nil)
	for _, op := range ops {
		op.Replace(renamed)
		for _, r := range op.Regions {
			lowerNxOpsIn(r.Block(), renamed)
		}
		switch {
		case op.Code == stablehlo.OpNxBesselI0e:
			e := emit.To(b)
			e.B.Loc = op.Loc
			renamed[op.Result()] = besselI0e(e, op.Operands[0])
		case solves(op) && op.Result().Tensor().DType().Size() == 2:
			renamed[op.Result()] = inF32(emit.To(b), op)
		case op.Attr(stablehlo.HostTarget) != nil:
			emit.FailWith(&emit.Error{Op: op, Err: fmt.Errorf("%v is a Go function, which a plugin cannot "+
				"call: ahead of time and over a mesh, compile without hooks and Go functions", op.Attr(stablehlo.HostTarget))})
		default:
			b.Append(op)
		}
	}
}

func solves(op *stablehlo.Op) bool {
	return op.Code == stablehlo.OpTriangularSolve || op.Code == stablehlo.OpCholesky
}

// inF32 writes an op of floats of 16 bits in f32, and rounds its result.
func inF32(e emit.Emitter, op *stablehlo.Op) *stablehlo.Value {
	e.B.Loc = op.Loc
	in := make([]*stablehlo.Value, len(op.Operands))
	for i, x := range op.Operands {
		in[i] = e.Convert(x, dtype.F32)
	}
	t := op.Result().Tensor()
	return e.Convert(e.As(op, in, stablehlo.Tensor(dtype.F32, t.Dims...)).Result(), t.DType())
}
