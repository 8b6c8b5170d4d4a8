package xla

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/internal/stages"
	"github.com/go-nx/nx/stablehlo"
)

// control is a loop or a conditional that calls Go functions inside: its regions are separate programs, and
// control decides which of them runs next by reading the condition from the device.
type control struct {
	client    *Client
	regions   []region // the condition and the body, or the branches
	loop      bool
	numArgs   int              // how many arguments there are
	constants []scalarConstant // operands that are constants
	// operands and results are indices into the list of values: arguments, constants, and loop-carried values.
	operands []int
	results  []int // by the results of the op
}

// region is a program of an op's region, and where its arguments are in the list of values.
type region struct {
	deviceExecutable
	inputs []int
}

// scalarConstant is a constant.
type scalarConstant struct {
	t    backend.Type
	data []byte
}

// hoist makes loops that call Go functions use invariant operands from outside, so that no step copies them.
func hoist(b *stablehlo.Block, renamed simplify.Renames) {
	ops := b.Ops
	b.SetOps(nil)
	for _, op := range ops {
		renamed.Operands(op)
		for _, r := range op.Regions {
			hoist(r.Block(), renamed)
		}
		if op.Code == stablehlo.OpWhile && callsHost(op) {
			op = simplify.HoistInvariants(op, renamed)
		}
		b.Append(op)
	}
}

// compileControl compiles a stage that is one op which calls functions of Go inside; nil where the op
// is not a loop or choice, as is one that adds up: that runs on package cpu.
func (c *Client) compileControl(ctx context.Context, m *stablehlo.Module) (deviceExecutable, error) {
	f, _ := m.Func("main")
	ops := f.Body().Ops
	op := ops[len(ops)-2] // those before it make constants
	switch op.Code {
	case stablehlo.OpWhile, stablehlo.OpIf, stablehlo.OpCase:
	default:
		return nil, nil
	}
	for _, v := range slices.Concat(op.Operands, op.Results) {
		if v.Tensor() == nil {
			return nil, nil
		}
	}
	x := &control{client: c, loop: op.Code == stablehlo.OpWhile, numArgs: len(f.Args())}
	at := map[*stablehlo.Value]int{}
	for i, v := range f.Args() {
		at[v] = i
	}
	if err := x.readConstants(ctx, m, op, at); err != nil {
		return nil, err
	}
	for _, v := range op.Operands {
		x.operands = append(x.operands, at[v])
	}
	for _, v := range f.Body().Terminator().Operands {
		x.results = append(x.results, v.Index())
	}
	for i, r := range op.Regions {
		if err := x.add(ctx, m, r.Block(), at, x.loop && i == 1); err != nil {
			x.Close()
			return nil, err
		}
	}
	return x, nil
}

// readConstants computes the operands that are constants.
func (x *control) readConstants(ctx context.Context, m *stablehlo.Module, op *stablehlo.Op,
	at map[*stablehlo.Value]int) error {
	var list []*stablehlo.Value
	for _, v := range op.Operands {
		if _, known := at[v]; !known {
			at[v] = x.numArgs + len(list)
			list = append(list, v)
		}
	}
	if list == nil {
		return nil
	}
	constants, _ := stages.Extract(m, nil, list)
	exe, err := cpu.Default().Compile(ctx, constants)
	if err != nil {
		return err
	}
	defer exe.Close()
	made, err := exe.Execute(ctx, nil)
	if err != nil {
		return err
	}
	defer releaseAll(made)
	for _, b := range made {
		n := scalarConstant{b.Type(), make([]byte, b.Type().SizeBytes())}
		if err := b.Read(ctx, n.data); err != nil {
			return err
		}
		x.constants = append(x.constants, n)
	}
	return nil
}

// add compiles a region. The body of a loop may overwrite the loop-carried values.
func (x *control) add(ctx context.Context, m *stablehlo.Module, b *stablehlo.Block, at map[*stablehlo.Value]int,
	body bool) error {
	for i, v := range b.Args {
		at[v] = x.numArgs + len(x.constants) + i
	}
	inside, inputs := stages.Extract(m, b.Ops[:len(b.Ops)-1], b.Terminator().Operands)
	var r region
	donated := make([]bool, len(inputs))
	for k, v := range inputs {
		r.inputs = append(r.inputs, at[v])
		donated[k] = body && slices.Contains(b.Args, v)
	}
	if f, ok := inside.Func("main"); ok {
		f.SetDonated(donated)
	}
	compiled, err := x.client.compileVerified(ctx, inside)
	if err != nil {
		return err
	}
	r.deviceExecutable = compiled.(deviceExecutable)
	x.regions = append(x.regions, r)
	return nil
}

// Close frees the programs.
func (x *control) Close() (err error) {
	for _, r := range x.regions {
		if failed := r.Close(); err == nil {
			err = failed
		}
	}
	return err
}

func (x *control) Execute(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	on, _ := x.client.deviceOf(args)
	return x.executeOn(ctx, on, args, nil)
}

// executeOn keeps all arguments: a loop may only overwrite the results of its steps.
func (x *control) executeOn(ctx context.Context, on *device, args []backend.Buffer,
	_ []bool) (results []backend.Buffer, err error) {
	if len(args) != x.numArgs {
		return nil, fmt.Errorf("xla: the program takes %d arguments, got %d", x.numArgs, len(args))
	}
	values := slices.Clone(args)
	defer func() { releaseAll(values[x.numArgs:min(len(values), x.numArgs+len(x.constants))]) }()
	for _, n := range x.constants {
		b, err := on.put(n.t, n.data)
		if err != nil {
			return nil, err
		}
		values = append(values, b)
	}
	if x.loop {
		return x.runLoop(ctx, on, values)
	}
	which, err := readScalar(ctx, values[x.operands[0]])
	if err != nil {
		return nil, err
	}
	made, err := x.regions[x.branch(which, values[x.operands[0]].Type())].run(ctx, on, values, false)
	if err != nil {
		return nil, err
	}
	return x.collectResults(ctx, on, made, true)
}

// branch returns the branch for a predicate, the first for true, or for an index, the last for an index out of
// range.
func (x *control) branch(which int64, t backend.Type) int {
	switch {
	case t.DType == dtype.Bool:
		return 1 - int(which)
	case which < 0 || which >= int64(len(x.regions)):
		return len(x.regions) - 1
	}
	return int(which)
}

// runLoop runs a loop on values.
func (x *control) runLoop(ctx context.Context, on *device, values []backend.Buffer) ([]backend.Buffer, error) {
	carried := make([]backend.Buffer, len(x.operands))
	for i, k := range x.operands {
		carried[i] = values[k]
	}
	own := false // whether the carried values are results of a step
	values = slices.Clip(values)
	for {
		all := append(values, carried...)
		more, err := x.condition(ctx, on, all)
		if err == nil && !more {
			return x.collectResults(ctx, on, carried, own)
		}
		var next []backend.Buffer
		if err == nil {
			next, err = x.regions[1].run(ctx, on, all, !own)
		}
		if own {
			releaseAll(carried)
		}
		if err != nil {
			return nil, err
		}
		carried, own = next, true
	}
}

// condition reads the condition of a loop.
func (x *control) condition(ctx context.Context, on *device, values []backend.Buffer) (bool, error) {
	made, err := x.regions[0].run(ctx, on, values, true)
	if err != nil {
		return false, err
	}
	defer releaseAll(made)
	n, err := readScalar(ctx, made[0])
	return n != 0, err
}

// run runs the program of a region, which keeps the contents of all values or takes those that it may.
func (r *region) run(ctx context.Context, on *device, values []backend.Buffer, keep bool) ([]backend.Buffer, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	ins := make([]backend.Buffer, len(r.inputs))
	for k, i := range r.inputs {
		ins[k] = values[i]
	}
	var keepAll []bool
	if keep {
		keepAll = slices.Repeat([]bool{true}, len(ins))
	}
	return r.executeOn(ctx, on, ins, keepAll)
}

// collectResults returns those results that the stage has of all of an op, with copies of them where the
// memory is not its own, and frees the others.
func (x *control) collectResults(ctx context.Context, on *device, all []backend.Buffer,
	own bool) ([]backend.Buffer, error) {
	results := make([]backend.Buffer, len(x.results))
	taken := make([]bool, len(all))
	for k, i := range x.results {
		if own {
			results[k], taken[i] = all[i], true
			continue
		}
		c, err := copyOf(ctx, all[i], x.client, on)
		if err != nil {
			releaseAll(results[:k])
			return nil, err
		}
		results[k] = c
	}
	for i, b := range all {
		if own && !taken[i] {
			b.Release()
		}
	}
	return results, nil
}

// readScalar reads a predicate or an index of 32 bits.
func readScalar(ctx context.Context, b backend.Buffer) (int64, error) {
	data := make([]byte, b.Type().SizeBytes())
	if err := b.Read(ctx, data); err != nil {
		return 0, err
	}
	if len(data) == 1 {
		return int64(data[0] & 1), nil
	}
	return int64(int32(uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24)), nil
}
