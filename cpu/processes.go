package cpu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/go-nx/nx/internal/cpu/collective"
	"github.com/go-nx/nx/internal/cpu/exec"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/internal/sharding"
	"github.com/go-nx/nx/stablehlo"
)

// group is the process group for which code is compiled.
type group struct {
	process *processes.Process // one process of the group
	infeed  collective.Infeed
}

// startProcesses replaces the ops that start processes by calls, and in code of processes the
// collective ops.
func (s *stages) startProcesses(f stablehlo.Func) error {
	if s.in != nil {
		for op := range f.Walk() {
			if op.Code == stablehlo.OpInterpRunParallel {
				return fmt.Errorf("%s in a program of another one is not supported", op.Name())
			}
		}
		return collective.Lower(s.m, f, s.in.process, s.in.infeed)
	}
	calls := map[*stablehlo.Op]*stablehlo.Op{}
	if err := s.callsIn(f.Body(), calls); err != nil || len(calls) == 0 {
		return err
	}
	replaceOps(f.Body(), calls, map[*stablehlo.Value]*stablehlo.Value{})
	return nil
}

// callsIn creates the calls that replace the ops of a block that start processes.
func (s *stages) callsIn(b *stablehlo.Block, calls map[*stablehlo.Op]*stablehlo.Op) error {
	for _, op := range b.Ops {
		call, err := s.startOf(op)
		if err != nil {
			return &emit.Error{Op: op, Err: err}
		}
		if call != nil {
			calls[op] = call
			continue
		}
		for _, r := range op.Regions {
			if err := s.callsIn(r.Block(), calls); err != nil {
				return err
			}
		}
	}
	return nil
}

// replaceOps replaces ops by others.
func replaceOps(b *stablehlo.Block, by map[*stablehlo.Op]*stablehlo.Op, values map[*stablehlo.Value]*stablehlo.Value) {
	ops := slices.Clone(b.Ops)
	b.SetOps(nil)
	for _, op := range ops {
		if call := by[op]; call != nil {
			for i, r := range op.Results {
				values[r] = call.Results[i]
			}
			op = call
		}
		op.Replace(values)
		b.Append(op)
		for _, r := range op.Regions {
			replaceOps(r.Block(), by, values)
		}
	}
}

// startOf returns the call that replaces an op that starts processes, nil for other ops.
func (s *stages) startOf(op *stablehlo.Op) (*stablehlo.Op, error) {
	switch op.Code {
	case stablehlo.OpInterpRunParallel:
		return s.runParallel(op)
	case stablehlo.OpSdyManualComputation:
		m, err := sharding.ManualOf(op, s.m)
		if err != nil || m.Mesh.Devices() == 1 { // an op on one device is lowered as it is
			return nil, err
		}
		return s.manual(op, m)
	}
	return nil, nil
}

// processCode is the code of one process.
type processCode struct {
	x         *exec.Executable
	ins, outs []stablehlo.Type
}

// processCodes compiles functions for the processes of a grid, one name per process: once for
// processes with groups of the same sizes.
func (s *stages) processCodes(m *stablehlo.Module, names []string, replicas int,
	infeed collective.Infeed) ([]processCode, error) {
	if len(names) > processes.Max {
		return nil, fmt.Errorf("the number of programs must be at most %d, got %d", processes.Max, len(names))
	}
	grid := processes.New(replicas, len(names)/replicas, nil)
	compiled := map[string]processCode{}
	all := make([]processCode, len(names))
	for i, name := range names {
		p := grid.Process(i)
		key := fmt.Sprint(name, p.ID)
		if sizes, err := collective.GroupSizes(m, p); err == nil {
			key = fmt.Sprint(name, sizes)
		}
		if _, ok := compiled[key]; !ok {
			f, ok := m.Func(name)
			if !ok {
				return nil, fmt.Errorf("the module has no function @%s", name)
			}
			f.SetDonated(nil)
			st, err := s.client.stagesIn(s.ctx, m, name, nil, &group{p, infeed})
			if err != nil {
				return nil, err
			}
			compiled[key] = processCode{st.x, st.f.Type().Ins, st.f.Type().Outs}
		}
		all[i] = compiled[key]
	}
	return all, nil
}

// runParallel returns a call that runs a grid of functions. Its operands and results are those of
// all processes, concatenated.
func (s *stages) runParallel(op *stablehlo.Op) (*stablehlo.Op, error) {
	rows, _ := op.Attr("programs").(stablehlo.ArrayAttr)
	var names []string
	for _, row := range rows {
		line := processes.Symbols(row)
		if names = append(names, line...); len(line) == 0 || len(names)%len(line) != 0 {
			return nil, errors.New("the rows of programs must have the same number of functions, at least one")
		}
	}
	if len(names) == 0 {
		return nil, errors.New("the number of programs must be at least 1, got 0")
	}
	module := withoutFunc(s.m, s.f.Name())
	infeed, err := s.infeed(module, processes.Symbols(op.Attr("infeed")))
	if err != nil {
		return nil, err
	}
	all, err := s.processCodes(module, names, len(rows), infeed)
	if err != nil {
		return nil, err
	}
	ins, outs := 0, 0
	for _, p := range all {
		ins, outs = ins+len(p.ins), outs+len(p.outs)
	}
	if ins != len(op.Operands) || outs != len(op.Results) {
		return nil, fmt.Errorf("the programs must have %d operands and %d results, got %d and %d",
			ins, outs, len(op.Operands),
			len(op.Results))
	}
	replicas := len(rows)
	return collective.HostCall(op, op.Operands, typesOf(op.Results),
		func(ctx context.Context, in, out [][]byte) error {
			args, results := make([][][]byte, len(all)), make([][][]byte, len(all))
			for i, p := range all {
				args[i], in = in[:len(p.ins)], in[len(p.ins):]
				results[i], out = out[:len(p.outs)], out[len(p.outs):]
			}
			ctx = context.WithValue(ctx, fedKey{}, new(atomic.Int64))
			return collective.Run(ctx, replicas, len(all)/replicas, func(ctx context.Context, i int) error {
				return all[i].x.RunInto(ctx, args[i], results[i])
			})
		}), nil
}

type fedKey struct{} // context key of a grid: how many functions its infeed has called

// infeed returns the infeed that reads the results of functions, one after another.
func (s *stages) infeed(m *stablehlo.Module, names []string) (collective.Infeed, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var feeds []processCode
	for _, name := range names {
		st, err := s.client.stagesIn(s.ctx, m, name, nil, nil)
		if err != nil {
			return nil, err
		}
		feeds = append(feeds, processCode{x: st.x, outs: st.f.Type().Outs})
	}
	return func(ctx context.Context) ([]stablehlo.Type, [][]byte, error) {
		next := int(ctx.Value(fedKey{}).(*atomic.Int64).Add(1)) - 1
		if next >= len(feeds) {
			return nil, nil, errors.New("the infeed is empty")
		}
		data, err := feeds[next].x.Run(ctx, nil)
		return feeds[next].outs, data, err
	}, nil
}

// manual returns a call that shards the operands of sdy.manual_computation, runs its body as one
// process per device, and concatenates the results.
func (s *stages) manual(op *stablehlo.Op, m *sharding.Manual) (*stablehlo.Op, error) {
	const name = "nx.manual"
	module := withoutFunc(s.m, s.f.Name())
	addBody(module, name, op)
	names := slices.Repeat([]string{name}, m.Mesh.Devices())
	all, err := s.processCodes(module, names, 1, nil)
	if err != nil {
		return nil, err
	}
	run := &manualRun{Manual: m, parts: all, buffers: s.client.env.Buffers, device: make([]int, len(all))}
	for d, process := range m.Devices {
		run.device[process] = d
	}
	if run.ins, err = partitions(m, "operand", m.Ins, typesOf(op.Operands), all[0].ins); err != nil {
		return nil, err
	}
	if run.outs, err = partitions(m, "result", m.Outs, typesOf(op.Results), all[0].outs); err != nil {
		return nil, err
	}
	return collective.HostCall(op, op.Operands, typesOf(op.Results), run.call), nil
}

// withoutFunc returns the ops of a module except one function.
func withoutFunc(m *stablehlo.Module, function string) *stablehlo.Module {
	out := stablehlo.NewModule(m.Str("sym_name"))
	for _, op := range m.Body().Ops {
		if op.Code != stablehlo.OpFunc || op.Str("sym_name") != function {
			out.Body().Append(op.Clone(map[*stablehlo.Value]*stablehlo.Value{}))
		}
	}
	return out
}

// addBody adds the body of an op to a module, as a function.
func addBody(module *stablehlo.Module, name string, op *stablehlo.Op) {
	body := op.Clone(map[*stablehlo.Value]*stablehlo.Value{}).Regions[0].Block()
	results := body.Terminator().Operands
	var ins []stablehlo.Type
	for _, a := range body.Args {
		ins = append(ins, a.Type())
	}
	f := module.AddFunc(name, &stablehlo.FuncType{Ins: ins, Outs: typesOf(results)})
	args := map[*stablehlo.Value]*stablehlo.Value{}
	for i, a := range body.Args {
		args[a] = f.Args()[i]
	}
	for _, x := range body.Ops[:len(body.Ops)-1] {
		x.Replace(args)
		f.Body().Append(x)
	}
	last := stablehlo.NewOp(stablehlo.OpFuncReturn, results, nil)
	last.Replace(args)
	f.Body().Append(last)
}

// partition is the sharding of a tensor.
type partition struct {
	spec        sharding.Spec
	dims, local []int64
	size, bytes int // of an element, and of a shard
}

func partitions(m *sharding.Manual, what string, specs []sharding.Spec,
	full, parts []stablehlo.Type) ([]partition, error) {
	if len(full) != len(parts) {
		return nil, fmt.Errorf("the body must have as many %[2]ss as the op, got %[1]d and %[3]d",
			len(parts), what, len(full))
	}
	out := make([]partition, len(full))
	for i, t := range full {
		w, _ := t.(*stablehlo.TensorType)
		p, _ := parts[i].(*stablehlo.TensorType)
		if w == nil || p == nil {
			return nil, fmt.Errorf("%s %d has the type %s, which cannot be sharded", what, i, t)
		}
		local, err := m.Local(specs[i], w.Dims)
		if err != nil {
			return nil, fmt.Errorf("%s %d: %w", what, i, err)
		}
		if !slices.Equal(local, p.Dims) || w.DType() != p.DType() {
			return nil, fmt.Errorf("%s %d is a %s, whose shards have the shape %v; the body has %s",
				what, i, w, local, p)
		}
		out[i] = partition{specs[i], w.Dims, local, w.DType().Size(), w.DType().Size()}
		for _, n := range local {
			out[i].bytes *= int(n)
		}
	}
	return out, nil
}

// manualRun runs a body on each device.
type manualRun struct {
	*sharding.Manual
	parts     []processCode
	device    []int // of each process
	ins, outs []partition
	buffers   interface {
		Get(size int) ([]byte, error)
		Put(b []byte)
	}
}

func (m *manualRun) call(ctx context.Context, ins, outs [][]byte) error {
	return collective.Run(ctx, 1, len(m.parts), func(ctx context.Context, i int) error {
		d := m.device[i]
		var memory [][]byte
		defer func() {
			for _, b := range memory {
				m.buffers.Put(b)
			}
		}()
		for _, c := range slices.Concat(m.ins, m.outs) {
			b, err := m.buffers.Get(c.bytes)
			if err != nil {
				return err
			}
			memory = append(memory, b)
		}
		args, results := memory[:len(m.ins)], memory[len(m.ins):]
		for k, c := range m.ins {
			m.Split(args[k], ins[k], c.spec, c.dims, c.local, c.size, d)
		}
		if err := m.parts[i].x.RunInto(ctx, args, results); err != nil {
			return err
		}
		for k, c := range m.outs {
			if m.Owns(c.spec, d) {
				m.Join(outs[k], results[k], c.spec, c.dims, c.local, c.size, d)
			}
		}
		return nil
	})
}

func typesOf(values []*stablehlo.Value) []stablehlo.Type {
	types := make([]stablehlo.Type, len(values))
	for i, v := range values {
		types[i] = v.Type()
	}
	return types
}
