package interp

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/go-nx/nx/stablehlo"
)

// process is one of the programs of interpreter.run_parallel; a plain Call is
// the only process of a grid of one.
type process struct {
	grid               *grid
	replica, partition int
	parallel           bool   // one of the programs of interpreter.run_parallel
	draws              uint64 // rng ops it has run
	depth, deepest     int    // blocks running inside one another, and how many may
	ticks              int    // steps since its context was looked at
}

// grid is a set of processes that run at once, replicas × partitions. A
// process waits only inside await, so that the grid knows when all of them do.
type grid struct {
	replicas, partitions int
	cancel               context.CancelCauseFunc // ends the other processes

	mu      sync.Mutex
	live    int // processes that have not ended
	waiting int // of which wait
	stuck   bool
	rounds  map[string]*round
	mail    map[string][]message
	readers map[string][]*reader
	infeed  []string // functions whose results are the data to be read
}

// round is a meeting of all processes of a group.
type round struct {
	operands [][]*Tensor // by place in the group
	missing  int
	waiting  int
	done     chan struct{} // closed when all have come
}

// message is what a send leaves until it is received.
type message []*Tensor

// reader is a process that waits for a message.
type reader struct {
	got  message
	done chan struct{}
}

// maxProcesses limits the programs that interpreter.run_parallel starts.
const maxProcesses = 10_000

func newGrid(replicas, partitions int, cancel context.CancelCauseFunc) *grid {
	return &grid{replicas: replicas, partitions: partitions, cancel: cancel, live: replicas * partitions,
		rounds: map[string]*round{}, mail: map[string][]message{}, readers: map[string][]*reader{}}
}

// errDeadlock ends processes that would wait forever.
var errDeadlock = faultf(Deadlock, "every process that still runs waits for another")

// ended counts a process out. When all others wait, they wait forever.
func (g *grid) ended() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.live--
	g.checkStuck()
}

func (g *grid) checkStuck() {
	if g.live > 0 && g.waiting == g.live && !g.stuck {
		g.stuck = true
		g.cancel(errDeadlock)
	}
}

// await waits, with g.mu held, until done is closed; who closes it has counted
// the waiting process out.
func (g *grid) await(f *frame, done chan struct{}) error {
	g.waiting++
	g.checkStuck()
	g.mu.Unlock()
	defer g.mu.Lock()
	select {
	case <-done:
		return nil
	case <-f.ctx.Done():
		return canceled(f.ctx)
	}
}

// canceled returns the fault of a context that ended.
func canceled(ctx context.Context) *Fault {
	cause := context.Cause(ctx)
	if f, ok := cause.(*Fault); ok {
		if f == errDeadlock {
			return &Fault{Kind: Deadlock, Detail: f.Detail}
		}
		return &Fault{Kind: OtherProcess, Err: f}
	}
	return &Fault{Kind: Canceled, Err: cause}
}

// meet gives the operands of each member of the group, once all are there.
func (g *grid) meet(f *frame, op *stablehlo.Op, group []*process, channel int64,
	operands []*Tensor) ([][]*Tensor, error) {
	if len(group) == 1 {
		return [][]*Tensor{operands}, nil
	}
	me := f.place(group)
	name := strconv.AppendInt([]byte(op.Name()), channel, 10)
	for _, p := range group {
		name = strconv.AppendInt(append(name, ' '), int64(p.replica), 10)
		name = strconv.AppendInt(append(name, ','), int64(p.partition), 10)
	}
	key := string(name)
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.rounds[key]
	if r == nil {
		r = &round{operands: make([][]*Tensor, len(group)), missing: len(group), done: make(chan struct{})}
		g.rounds[key] = r
	}
	r.operands[me] = operands
	if r.missing--; r.missing > 0 {
		r.waiting++
		return r.operands, g.await(f, r.done)
	}
	delete(g.rounds, key)
	g.waiting -= r.waiting
	close(r.done)
	return r.operands, nil
}

// send leaves a message, or gives it to the process that waits for it.
func (g *grid) send(key string, m message) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if waiting := g.readers[key]; len(waiting) > 0 {
		g.readers[key] = waiting[1:]
		waiting[0].got = m
		g.waiting--
		close(waiting[0].done)
		return
	}
	g.mail[key] = append(g.mail[key], m)
}

// receive takes the oldest message, or waits for one.
func (g *grid) receive(f *frame, key string) (message, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if box := g.mail[key]; len(box) > 0 {
		g.mail[key] = box[1:]
		return box[0], nil
	}
	r := &reader{done: make(chan struct{})}
	g.readers[key] = append(g.readers[key], r)
	err := g.await(f, r.done)
	return r.got, err
}

// nextInfeed takes the next function of the infeed.
func (g *grid) nextInfeed() (string, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.infeed) == 0 {
		return "", false
	}
	name := g.infeed[0]
	g.infeed = g.infeed[1:]
	return name, true
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
		return nil, faultf(NoParallel, "this is one of the programs of an interpreter.run_parallel already")
	case n > maxProcesses:
		return nil, faultf(TooLarge, "%d programs at once, of at most %d", n, maxProcesses)
	}
	ctx, cancel := context.WithCancelCause(f.ctx)
	defer cancel(nil)
	g := newGrid(len(programs), len(programs[0]), cancel)
	g.infeed = symbols(s.op.Attr("infeed"))
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
	var all sync.WaitGroup
	for i, r := range runs {
		all.Go(func() {
			proc := &process{grid: g, replica: i / g.partitions, partition: i % g.partitions,
				parallel: true, deepest: max(maxDepth/n, minDepth)}
			r.results, r.err = f.inProcess(ctx, proc, r.plan, r.args)
			if r.err != nil {
				cancel(asFault(r.err))
			}
			g.ended()
		})
	}
	all.Wait()
	var results []Value
	for _, r := range runs {
		if r.err != nil {
			return nil, firstFault(runs, func(r *run) error { return r.err })
		}
		results = append(results, r.results...)
	}
	return results, nil
}

// firstFault returns the error of the first process that did not merely end
// because another one failed.
func firstFault[R any](runs []R, errOf func(R) error) error {
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

func asFault(err error) *Fault {
	if f, ok := err.(*Fault); ok {
		return f
	}
	return &Fault{Kind: Internal, Err: err}
}

// inProcess runs a function as a process of its own.
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
		for _, name := range symbols(row) {
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
		return nil, faultf(NoParallel, "there are no programs")
	}
	return out, nil
}

// symbols returns the names in a list of symbols.
func symbols(a stablehlo.Attr) []string {
	list, _ := a.(stablehlo.ArrayAttr)
	var out []string
	for _, e := range list {
		if s, ok := e.(stablehlo.SymbolAttr); ok {
			out = append(out, s.Name)
		}
	}
	return out
}
