package xla

import (
	"context"
	"fmt"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/internal/stages"
	"github.com/go-nx/nx/stablehlo"
)

// callsHost reports whether an op is, or has in a region, a call of a function of the program.
func callsHost(op *stablehlo.Op) bool {
	for x := range op.Walk() {
		if x.Attr(stablehlo.HostTarget) != nil {
			return true
		}
	}
	return false
}

// deviceExecutable is an executable of a client that runs on a given device, and may have no arguments. The
// arguments marked by keep are not donated in this call; nil marks none.
type deviceExecutable interface {
	backend.Executable
	executeOn(ctx context.Context, on *device, args []backend.Buffer, keep []bool) ([]backend.Buffer, error)
}

// staged is a program that calls Go functions, hooks among them, which plugins do not support: these calls run
// on package cpu, and the ops between them on the device; loops and conditionals around them are [control]. A
// program that takes arguments of other clients and does not use all of them is a single stage, so that only
// the used ones are copied.
type staged struct {
	client  *Client
	stages  []stage
	results []stages.Source
	last    map[stages.Source]int // the last stage that takes a value
	donated []bool
}

type stage struct {
	backend.Executable
	on     deviceExecutable // the same, nil of a stage on package cpu
	inputs []stages.Source
}

// compileStages compiles a verified program in stages if it calls functions of Go, or need not move all of
// its arguments; nil if it does neither.
func (c *Client) compileStages(ctx context.Context, m *stablehlo.Module) (backend.Executable, error) {
	calls := false
	for op := range m.Walk() {
		calls = calls || op.Attr(stablehlo.HostTarget) != nil
	}
	f, ok := m.Func("main")
	if !calls && !(ok && !f.IsDeclaration() && c.transfersAutomatically() && hasUnused(f)) {
		return nil, nil
	}
	if !ok || f.IsDeclaration() {
		return nil, c.fail("translating", fmt.Errorf("the module has no function @main with a body"))
	}
	m = m.Clone()
	f, _ = m.Func("main")
	if err := simplify.Inline(m, f); err != nil {
		return nil, c.fail("translating", err)
	}
	if s, err := shardingFor(m, f, len(c.Devices())); err != nil || s != nil {
		return nil, err // for a mesh, translate reports that Go functions cannot be called
	}
	annotate(m, f, nil)
	if err := simplify.Refine(f, nil); err != nil {
		return nil, c.fail("translating", err)
	}
	renamed := simplify.Renames{}
	hoist(f.Body(), renamed)
	renamed.Apply(f.Body())
	list, results, err := stages.Split(m, "main", func(op *stablehlo.Op) stages.Cut {
		if callsHost(op) {
			return stages.Both
		}
		return stages.None
	})
	if err != nil {
		return nil, c.fail("translating", err)
	}
	s := &staged{client: c, results: results, last: map[stages.Source]int{}}
	for i := range f.Args() {
		s.donated = append(s.donated, f.Donated(i))
	}
	for i, part := range list {
		for _, from := range part.Inputs {
			s.last[from] = i
		}
	}
	for _, from := range results {
		delete(s.last, from) // it is kept
	}
	for i, part := range list {
		if err := s.add(ctx, i, part); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

// add compiles a stage. A stage on the device donates the inputs that no later stage uses, if the program
// allows it.
func (s *staged) add(ctx context.Context, i int, part stages.Stage) (err error) {
	next := stage{inputs: part.Inputs}
	main, _ := part.Module.Func("main")
	host := false
	for _, op := range main.Body().Ops {
		host = host || callsHost(op)
	}
	if host {
		if next.on, err = s.client.compileControl(ctx, part.Module); err != nil {
			return err
		}
	}
	switch {
	case host && next.on == nil:
		next.Executable, err = cpu.Default().Compile(ctx, part.Module)
	case host:
		next.Executable = next.on
	default:
		donated := make([]bool, len(part.Inputs))
		for k, from := range part.Inputs {
			last, ok := s.last[from]
			donated[k] = ok && last == i && (from.Stage != stages.Argument || s.donated[from.Index])
		}
		main.SetDonated(donated)
		if next.Executable, err = s.client.compileVerified(ctx, part.Module); err == nil {
			next.on = next.Executable.(deviceExecutable)
		}
	}
	if err == nil {
		s.stages = append(s.stages, next)
	}
	return err
}

// Close frees all stages.
func (s *staged) Close() (err error) {
	for _, x := range s.stages {
		if failed := x.Close(); err == nil {
			err = failed
		}
	}
	return err
}

// Execute runs the stages, and returns when the last that runs on the processor has ended.
func (s *staged) Execute(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	on, _ := s.client.deviceOf(args)
	return s.executeOn(ctx, on, args, nil)
}

func (s *staged) executeOn(ctx context.Context, on *device, args []backend.Buffer,
	keep []bool) (results []backend.Buffer, err error) {
	kept := func(i int) bool { return keep != nil && keep[i] }
	r := &stagedRun{staged: s, args: args, made: map[stages.Source]backend.Buffer{},
		moved: map[int]backend.Buffer{}, on: on, kept: kept}
	collected := false // not where a function of the program panics, or ends its goroutine
	defer func() {
		r.release(!collected)
		for i, donated := range s.donated {
			if donated && i < len(args) && !kept(i) {
				args[i].Release()
			}
		}
	}()
	if len(args) != len(s.donated) {
		return nil, fmt.Errorf("xla: the program takes %d arguments, got %d", len(s.donated), len(args))
	}
	for i := range s.stages {
		if err := r.run(ctx, i); err != nil {
			return nil, err
		}
	}
	results, err = r.collect(ctx)
	collected = err == nil
	return results, err
}

// stagedRun is one run.
type stagedRun struct {
	*staged
	args  []backend.Buffer
	made  map[stages.Source]backend.Buffer // results of stages, on the device
	moved map[int]backend.Buffer           // copies of arguments of other clients
	on    *device
	kept  func(arg int) bool // donated arguments that are not, in this call
}

func (r *stagedRun) value(from stages.Source) backend.Buffer {
	if from.Stage == stages.Argument {
		return r.args[from.Index]
	}
	return r.made[from]
}

// onDevice is value, of an argument of another client a copy.
func (r *stagedRun) onDevice(ctx context.Context, from stages.Source) (backend.Buffer, error) {
	b := r.value(from)
	if from.Stage != stages.Argument || r.client.owns(b) || !r.client.transfersAutomatically() {
		return b, nil
	}
	if c := r.moved[from.Index]; c != nil {
		return c, nil
	}
	c, err := copyOf(ctx, b, r.client, r.on)
	if err == nil {
		r.moved[from.Index] = c
	}
	return c, err
}

// inputs returns the inputs of a stage.
func (r *stagedRun) inputs(ctx context.Context, x stage) (ins []backend.Buffer, err error) {
	ins = make([]backend.Buffer, len(x.inputs))
	for k, from := range x.inputs {
		if x.on == nil {
			ins[k] = r.value(from)
		} else if ins[k], err = r.onDevice(ctx, from); err != nil {
			return nil, err
		}
	}
	return ins, nil
}

// run runs a stage and frees its inputs that no later stage uses.
func (r *stagedRun) run(ctx context.Context, i int) error {
	x := r.stages[i]
	ins, err := r.inputs(ctx, x)
	if err != nil {
		return err
	}
	var outs []backend.Buffer
	if x.on == nil {
		outs, err = r.onHost(ctx, x, ins)
	} else {
		outs, err = x.on.executeOn(ctx, r.on, ins, r.notDonated(x))
	}
	if err != nil {
		return err
	}
	for k, b := range outs {
		r.made[stages.Source{Stage: i, Index: k}] = b
	}
	for _, from := range x.inputs {
		if last, ok := r.last[from]; ok && last == i {
			r.drop(from)
		}
	}
	return nil
}

// notDonated returns which inputs of a stage are arguments that are not donated in this call.
func (r *stagedRun) notDonated(x stage) []bool {
	keep := make([]bool, len(x.inputs))
	for k, from := range x.inputs {
		keep[k] = from.Stage == stages.Argument && r.kept(from.Index) && r.moved[from.Index] == nil
	}
	return keep
}

// drop frees a value that a stage made, or the copy of an argument.
func (r *stagedRun) drop(from stages.Source) {
	if from.Stage == stages.Argument {
		if b := r.moved[from.Index]; b != nil {
			b.Release()
			delete(r.moved, from.Index)
		}
		return
	}
	if b := r.made[from]; b != nil {
		b.Release()
		delete(r.made, from)
	}
}

// onHost executes a stage on the processor, with copies of its inputs, and copies its results to the
// device.
func (r *stagedRun) onHost(ctx context.Context, x stage, ins []backend.Buffer) (results []backend.Buffer, err error) {
	host := cpu.Default()
	var copies []backend.Buffer
	defer func() { releaseAll(copies) }()
	for _, b := range ins {
		c, err := copyOf(ctx, b, host, nil)
		if err != nil {
			return nil, err
		}
		copies = append(copies, c)
	}
	outs, err := x.Execute(ctx, copies)
	if err != nil {
		return nil, err
	}
	defer releaseAll(outs)
	for _, b := range outs {
		c, err := copyOf(ctx, b, r.client, r.on)
		if err != nil {
			releaseAll(results)
			return nil, err
		}
		results = append(results, c)
	}
	for _, b := range outs { // a function without results has run, too
		if err := b.Await(ctx); err != nil {
			releaseAll(results)
			return nil, err
		}
	}
	return results, nil
}

// copyOf copies a buffer to another client, through the program.
func copyOf(ctx context.Context, b backend.Buffer, to backend.Client, on backend.Device) (backend.Buffer, error) {
	data := make([]byte, b.Type().SizeBytes())
	if err := b.Read(ctx, data); err != nil {
		return nil, err
	}
	return to.Put(ctx, b.Type(), data, on)
}

// collect returns the results. An argument, or a value that is two results, is copied: each result has its own
// memory.
func (r *stagedRun) collect(ctx context.Context) ([]backend.Buffer, error) {
	list := make([]backend.Buffer, len(r.results))
	for i, from := range r.results {
		b := r.value(from)
		if from.Stage != stages.Argument && !contains(r.results[:i], from) {
			list[i] = b
			continue
		}
		c, err := copyOf(ctx, b, r.client, r.on)
		if err != nil {
			releaseCopies(list[:i], r.made)
			return nil, err
		}
		list[i] = c
	}
	return list, nil
}

func contains(list []stages.Source, from stages.Source) bool {
	for _, s := range list {
		if s == from {
			return true
		}
	}
	return false
}

// releaseCopies frees those of a list that no stage made.
func releaseCopies(list []backend.Buffer, made map[stages.Source]backend.Buffer) {
	own := map[backend.Buffer]bool{}
	for _, b := range made {
		own[b] = true
	}
	for _, b := range list {
		if !own[b] {
			b.Release()
		}
	}
}

// release frees copies of arguments, and the results of stages: all of them after an error, else only those
// that are not results of the program.
func (r *stagedRun) release(failed bool) {
	for _, b := range r.moved {
		b.Release()
	}
	for from, b := range r.made {
		if failed || !contains(r.results, from) {
			b.Release()
		}
	}
}

func releaseAll(list []backend.Buffer) {
	for _, b := range list {
		b.Release()
	}
}
