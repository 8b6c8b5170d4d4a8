package interp

import (
	"context"
	"slices"

	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/internal/sharding"
)

// evalManualComputation splits the operands of sdy.manual_computation into shards, runs its body in one
// process per device of the mesh, and joins the results. On one device the shards are the full tensors.
func evalManualComputation(f *frame, s *step, args []Value) ([]Value, error) {
	m, err := sharding.ManualOf(s.op, f.it.module)
	if err != nil {
		return nil, faultf(Unsupported, "%v", err)
	}
	n := m.Mesh.Devices()
	if n == 1 {
		return f.run(s.regions[0], args...)
	}
	if f.proc.parallel {
		return nil, faultf(NoParallel, "it cannot start processes inside one of several processes")
	}
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	results := make([]*Tensor, len(s.outs))
	for i, r := range s.op.Results {
		if results[i], err = makeTensor(r.Tensor(), r.Tensor().Dims...); err != nil {
			return nil, err
		}
	}
	devices := make([]int, n) // of each process
	for device, number := range m.Devices {
		devices[number] = device
	}
	parts, errs := make([][]Value, n), make([]error, n)
	cause := processes.Run(f.ctx, 1, n, func(ctx context.Context, p *processes.Process, i int) error {
		device := devices[i]
		proc := &process{Process: *p, parallel: true, deepest: max(maxDepth/n, minDepth),
			within: slices.Clone(f.proc.within), device: device + 1}
		child := &frame{it: f.it, ctx: ctx, proc: proc, session: f.session, plan: f.plan, slots: slices.Clone(f.slots)}
		parts[device], errs[device] = child.runDevice(s, m, device, x, results)
		return faultOf(errs[device])
	})
	if err := firstFault(cause, errs, func(err error) error { return err }); err != nil {
		return nil, err
	}
	for i, whole := range results {
		from := make([]Value, n)
		for device, outs := range parts {
			from[device] = outs[i]
		}
		f.report(s.op, from, []Value{whole})
	}
	return values(results), nil
}

// runDevice runs the body on the parts that a device has, returns its results, and puts them where they
// belong.
func (f *frame) runDevice(s *step, m *sharding.Manual, device int, x, results []*Tensor) (outs []Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = faultf(Internal, "in %s: %v", s.op.Name(), r)
		}
	}()
	parts := make([]Value, len(x))
	for i, whole := range x {
		t := s.regions[0].block.Args[i].Tensor()
		local, err := m.Local(m.Ins[i], whole.dims())
		if err != nil {
			return nil, faultf(BadShape, "operand %d: %v", i, err)
		}
		part, err := makeTensor(t, local...)
		if err != nil {
			return nil, err
		}
		if why := misfit(part, t); why != "" {
			return nil, faultf(BadShape, "the shard of operand %d: %s", i, why)
		}
		m.Split(part.Data, whole.Data, m.Ins[i], whole.dims(), local, part.Type.DType().Size(), device)
		parts[i] = part
		f.report(s.op, []Value{whole}, []Value{part})
	}
	outs, err = f.run(s.regions[0], parts...)
	if err != nil {
		return nil, err
	}
	for i, whole := range results {
		part := outs[i].(*Tensor)
		local, err := m.Local(m.Outs[i], whole.dims())
		if err != nil {
			return nil, faultf(BadShape, "result %d: %v", i, err)
		}
		if !slices.Equal(local, part.dims()) {
			return nil, faultf(BadShape, "result %d has shards of shape %v, the body returns %v", i, local, part.dims())
		}
		if m.Owns(m.Outs[i], device) {
			m.Join(whole.Data, part.Data, m.Outs[i], whole.dims(), local, part.Type.DType().Size(), device)
		}
	}
	return outs, nil
}
