package interp

import (
	"context"
	"fmt"
	"sync"

	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/internal/userfunc"
	"github.com/go-nx/nx/stablehlo"
)

// process is one of the programs of interpreter.run_parallel; a plain Call is
// the only process of a grid of one.
type process struct {
	processes.Process
	infeed         *infeed
	parallel       bool   // one of several
	draws          uint64 // rng ops it has run
	depth, deepest int    // blocks running inside one another, and how many may
	ticks          int    // steps since its context was looked at

	within []Within // what runs, for reports
	silent int      // regions that compute on elements, whose steps are not reported
	device int      // of a mesh, plus 1; 0 outside
}

// infeed holds the functions whose results are the data to be read by processes.
type infeed struct {
	mu    sync.Mutex
	funcs []string
}

// next takes the next function of the infeed.
func (i *infeed) next() (string, bool) {
	if i == nil {
		return "", false
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.funcs) == 0 {
		return "", false
	}
	name := i.funcs[0]
	i.funcs = i.funcs[1:]
	return name, true
}

// canceled returns the fault of a context that ended.
func canceled(ctx context.Context) *Fault {
	cause := context.Cause(ctx)
	if cause == processes.ErrDeadlock {
		return faultf(Deadlock, "%v", cause)
	}
	if f, ok := cause.(*Fault); ok {
		return &Fault{Kind: OtherProcess, Err: f}
	}
	return &Fault{Kind: Canceled, Err: cause}
}

// noParallel returns the fault of a collective op that has no meaning here.
func noParallel(err error) error {
	if e, ok := err.(*processes.Error); ok {
		return faultf(NoParallel, "%v", e)
	}
	return err
}

// evalRunParallel runs a grid of functions, each in a goroutine. When one
// fails the others end too, and its fault is the op's.
func evalRunParallel(f *frame, s *step, args []Value) ([]Value, error) {
	programs, err := f.programs(s.op)
	if err != nil {
		return nil, err
	}
	n := len(programs) * len(programs[0])
	switch {
	case f.proc.parallel:
		return nil, faultf(NoParallel, "interpreter.run_parallel cannot be nested")
	case n > processes.Max:
		return nil, faultf(TooLarge, "the number of programs must be at most %[2]d, got %[1]d", n, processes.Max)
	}
	feed := &infeed{funcs: processes.Symbols(s.op.Attr("infeed"))}
	type run struct {
		plan    *plan
		args    []Value
		results []Value
		err     error
	}
	var runs []*run
	for _, row := range programs {
		for _, p := range row {
			n := len(p.typ.Ins)
			if n > len(args) {
				return nil, faultf(BadArgument, "too few operands for the programs")
			}
			runs = append(runs, &run{plan: p, args: args[:n]})
			args = args[n:]
		}
	}
	cause := processes.Run(f.ctx, len(programs), len(programs[0]),
		func(ctx context.Context, p *processes.Process, i int) error {
			r := runs[i]
			proc := &process{Process: *p, infeed: feed, parallel: true, deepest: max(maxDepth/n, minDepth)}
			r.results, r.err = f.inProcess(ctx, proc, r.plan, r.args)
			return faultOf(r.err)
		})
	if err := firstFault(cause, runs, func(r *run) error { return r.err }); err != nil {
		return nil, err
	}
	var results []Value
	for _, r := range runs {
		results = append(results, r.results...)
	}
	return results, nil
}

// firstFault returns the error of the first process that did not end only because another one failed, nil when
// all succeeded. Cause is the cause of their context: a process that ended its goroutine has no other error.
func firstFault[R any](cause error, runs []R, errOf func(R) error) error {
	if e, ok := cause.(*userfunc.GoexitError); ok {
		return &Fault{Kind: CallFailed, Err: e}
	}
	var first error
	for _, r := range runs {
		err := errOf(r)
		if err != nil && asFault(err).Kind != OtherProcess {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// faultOf is asFault of an error that may be nil.
func faultOf(err error) error {
	if err == nil {
		return nil
	}
	return asFault(err)
}

func asFault(err error) *Fault {
	if f, ok := err.(*Fault); ok {
		return f
	}
	return &Fault{Kind: Internal, Err: err}
}

// inProcess runs a function as a separate process.
func (f *frame) inProcess(ctx context.Context, proc *process, p *plan, args []Value) (results []Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Fault{Kind: Internal, Detail: fmt.Sprintf("in @%s: %v", p.name, r)}
		}
	}()
	child := &frame{it: f.it, ctx: ctx, proc: proc, session: f.session}
	return child.call(p, args)
}

// programs returns the grid of functions of run_parallel.
func (f *frame) programs(op *stablehlo.Op) ([][]*plan, error) {
	rows, _ := op.Attr("programs").(stablehlo.ArrayAttr)
	var out [][]*plan
	for _, row := range rows {
		var line []*plan
		for _, name := range processes.Symbols(row) {
			p := f.it.plans[name]
			if p == nil {
				return nil, faultf(NoFunction, "the module has no function @%s", name)
			}
			line = append(line, p)
		}
		out = append(out, line)
		if len(line) == 0 || len(line) != len(out[0]) {
			return nil, faultf(NoParallel, "the rows of programs must have the same number of functions, at least one")
		}
	}
	if len(out) == 0 {
		return nil, faultf(NoParallel, "programs must not be empty")
	}
	return out, nil
}
