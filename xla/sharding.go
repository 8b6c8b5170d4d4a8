package xla

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/sharding"
	"github.com/go-nx/nx/stablehlo"
)

// shardingOf returns the sharding of the function of a module over the devices of a mesh, according to the
// attributes of its arguments and results, and otherwise to manual computations; the default is replication.
// It returns nil for a program of one device.
func shardingOf(m *stablehlo.Module, f stablehlo.Func) (s *sharding.Manual, manual bool, err error) {
	r := &shardingReader{module: m, f: f, place: map[*stablehlo.Value]sharding.Spec{}}
	if err := r.read(); err != nil {
		return nil, false, err
	}
	if r.name == "" {
		return nil, false, nil
	}
	s = &sharding.Manual{Name: r.name}
	if s.Mesh, s.Devices, err = sharding.MeshNamed(m, r.name); err != nil || s.Mesh.Devices() == 1 {
		return nil, false, err
	}
	for i, v := range f.Args() {
		s.Ins = append(s.Ins, r.specOf(r.ins[i], v))
	}
	for i, v := range f.Body().Terminator().Operands {
		s.Outs = append(s.Outs, r.specOf(r.outs[i], v))
	}
	return s, r.manual, nil
}

// shardingReader reads how a function is spread.
type shardingReader struct {
	module    *stablehlo.Module
	f         stablehlo.Func
	name      string                             // of the mesh
	manual    bool                               // part of the program is written for each device
	ins, outs []sharding.Spec                    // from attributes, or nil
	place     map[*stablehlo.Value]sharding.Spec // by manual computations
}

func (r *shardingReader) specOf(said sharding.Spec, v *stablehlo.Value) sharding.Spec {
	if said == nil {
		said = r.place[v]
	}
	if said == nil && v.Tensor() != nil {
		said = make(sharding.Spec, len(v.Tensor().Dims))
	}
	return said
}

// mesh notes the mesh that something names.
func (r *shardingReader) mesh(name string) error {
	if r.name != "" && name != "" && r.name != name {
		return fmt.Errorf("the program uses two meshes, @%s and @%s", r.name, name)
	}
	if name != "" {
		r.name = name
	}
	return nil
}

// attr reads an attribute, which may be absent.
func (r *shardingReader) attr(a stablehlo.Attr) (sharding.Spec, error) {
	if a == nil {
		return nil, nil
	}
	s, name, err := sharding.Read(a)
	if err != nil {
		return nil, err
	}
	return s, r.mesh(name)
}

func (r *shardingReader) read() error {
	for i := range r.f.Args() {
		s, err := r.attr(r.f.ArgAttr(i, sharding.AttrName))
		if err != nil {
			return fmt.Errorf("argument %d: %w", i, err)
		}
		r.ins = append(r.ins, s)
	}
	for i := range r.f.Type().Outs {
		s, err := r.attr(r.f.ResultAttr(i, sharding.AttrName))
		if err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
		r.outs = append(r.outs, s)
	}
	for op := range r.f.Walk() {
		var err error
		switch op.Code {
		case stablehlo.OpSdyShardingConstraint:
			err = r.readConstraint(op)
		case stablehlo.OpSdyManualComputation:
			err = r.readManual(op)
		default:
			r.readElementwise(op)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", op.Name(), err)
		}
	}
	return nil
}

// readConstraint notes how an argument of the function, or a value that may be its result, is cut.
func (r *shardingReader) readConstraint(op *stablehlo.Op) error {
	s, err := r.attr(op.Attr("sharding"))
	if v := op.Operands[0]; r.place[v] == nil && slices.Contains(r.f.Args(), v) {
		r.place[v] = s
	}
	r.place[op.Result()] = s
	return err
}

// readElementwise propagates the sharding of a tensor to elementwise results.
func (r *shardingReader) readElementwise(op *stablehlo.Op) {
	if op.Code.Info().Traits&stablehlo.Elementwise == 0 {
		return
	}
	for _, v := range op.Operands {
		if s := r.place[v]; s != nil && r.place[op.Result()] == nil && len(s) == len(op.Result().Tensor().Dims) {
			r.place[op.Result()] = s
		}
	}
}

// readManual notes how a manual computation cuts its operands and results.
func (r *shardingReader) readManual(op *stablehlo.Op) error {
	x, err := sharding.ManualOf(op, r.module)
	if err != nil {
		return err
	}
	if x.Mesh.Devices() == 1 {
		return nil // it is lowered to its definition
	}
	r.manual = true
	for i, v := range op.Operands {
		if r.place[v] == nil && slices.Contains(r.f.Args(), v) {
			r.place[v] = x.Ins[i]
		}
	}
	for i, v := range op.Results {
		r.place[v] = x.Outs[i]
	}
	return r.mesh(x.Name)
}

// annotate writes the sharding of a function into its attributes, or removes them for a program of one device.
func annotate(m *stablehlo.Module, f stablehlo.Func, s *sharding.Manual) {
	if s != nil {
		for i, spec := range s.Ins {
			f.SetArgAttr(i, sharding.AttrName, spec.Attr(s.Name))
		}
		for i, spec := range s.Outs {
			f.SetResultAttr(i, sharding.AttrName, spec.Attr(s.Name))
		}
		return
	}
	for i := range f.Args() {
		if f.ArgAttr(i, sharding.AttrName) != nil {
			f.SetArgAttr(i, sharding.AttrName, nil)
		}
	}
	for i := range f.Type().Outs {
		if f.ResultAttr(i, sharding.AttrName) != nil {
			f.SetResultAttr(i, sharding.AttrName, nil)
		}
	}
	m.Body().SetOps(slices.DeleteFunc(slices.Clone(m.Body().Ops),
		func(op *stablehlo.Op) bool { return op.Code == stablehlo.OpSdyMesh }))
}

// shardingFor returns the sharding of a program over n devices: nil for one device, which also runs programs
// that only have annotations.
func shardingFor(m *stablehlo.Module, f stablehlo.Func, devices int) (*sharding.Manual, error) {
	s, manual, err := shardingOf(m, f)
	if err != nil || s == nil || s.Mesh.Devices() <= devices {
		return s, err
	}
	if manual {
		return nil, fmt.Errorf("the program needs a mesh of %d devices, got %d", s.Mesh.Devices(), devices)
	}
	return nil, nil
}
