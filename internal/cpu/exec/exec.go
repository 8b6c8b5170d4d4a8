// Package exec runs a program: it binds buffers to memory and runs the nodes in order. A code generator has compiled
// their kernels.
package exec

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/library"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/stablehlo"
)

// Executable is a compiled program. It is safe for concurrent use: every run has its own instance.
type Executable struct {
	prog           *program.Program
	layout         *sched.Layout
	main           block
	binds          []bind       // roots with the same memory in every run of an instance
	argSizes       []int64      // in bytes, of each argument
	results        []resultSlot // of each result
	params         int          // maximum of all nodes
	partialBytes   int          // maximum of all nodes
	numScalarFiles int          // of scalar code
	groups         int
	rowLoops       int
	numPrepacked   int
	width          int     // maximum chunks of a node, 1 if waking workers takes longer
	scratches      bool    // workers need scratch memory: not if all is scalar code or calls
	scalarOnly     *scalar // the program, if it is one piece of scalar code without an arena

	prepackable  map[*program.Contraction]bool // while compiling: contractions of loops with invariant right operands
	scalarLoops  map[program.Node]bool         // while compiling: loops and branches that are all scalar code
	plans        map[*program.Kernel]*plan.Plan
	rowLoopPlans map[*program.RowLoop]string
	codes        map[*program.Kernel]codegen.Code
	codeByKey    map[string]codegen.Code // while compiling: by the key of the kernel and its plan
	planned      map[*kernel.Kernel]planned
	key          []byte
	gen          codegen.Generator
	env          *rt.Env
	checkCancel  func() // while compiling: panics on cancellation

	spare atomic.Pointer[instance] // an idle one, without a lock
	mu    sync.Mutex
	idle  []*instance // the others
}

// block is a compiled list of nodes.
type block struct {
	nodes   []runner
	first   []program.Node // the first node that each runs
	reads   [][]int        // the arguments of the program that each reads
	results []int          // roots
}

// runner is the code of one node, or of several consecutive ones.
type runner interface {
	run(in *instance) error
}

// instance is the memory of a run.
type instance struct {
	x        *Executable
	env      rt.Env
	arena    []byte
	bufs     []unsafe.Pointer // of each root
	params   []unsafe.Pointer
	ins      [][]byte
	outs     [][]byte
	scratch  rt.PerWorker[codegen.Scratch]
	partial  []byte
	staging  []byte // of copies within the program
	files    []codegen.File
	running  []boundKernel // by the workers
	groups   []*groupRun
	rowLoops []*rowLoopRun
	// prepacked are the contractions of running loops, nil before their first trip.
	prepacked []library.Prepacked
	timing    *timing        // usually nil
	sources   map[int]Source // by argument; usually nil
}

// Compile compiles a program, with kernels as code of the generator, which relies on this verification.
func Compile(prog *program.Program, env *rt.Env, gen codegen.Generator, pause ...func()) (*Executable, error) {
	if err := prog.Verify(); err != nil {
		return nil, fmt.Errorf("internal error: program: %w", err)
	}
	x := &Executable{prog: prog, layout: sched.Assign(prog, pause...), env: env, gen: gen,
		plans:        map[*program.Kernel]*plan.Plan{},
		rowLoopPlans: map[*program.RowLoop]string{},
		codes:        map[*program.Kernel]codegen.Code{},
		codeByKey:    map[string]codegen.Code{},
		planned:      map[*kernel.Kernel]planned{},
		prepackable:  map[*program.Contraction]bool{},
		scalarLoops:  map[program.Node]bool{}, checkCancel: func() {}}
	if len(pause) > 0 {
		x.checkCancel = pause[0]
	}
	session, err := gen.NewSession()
	if err != nil {
		return nil, err
	}
	x.gen = session
	b, err := x.block(prog.Main)
	if err != nil {
		return nil, err
	}
	if err := session.Seal(); err != nil {
		return nil, err
	}
	x.main, x.scalarLoops, x.prepackable, x.codeByKey, x.planned, x.key = b, nil, nil, nil, nil, nil
	x.width = x.parallelWidth()
	x.scratches = len(x.codes) > 0
	x.planMemory()
	x.scalarOnly = x.scalarProgram()
	x.checkCancel = nil // only for compiling
	return x, nil
}

// Program returns the compiled program, which must not change.
func (x *Executable) Program() *program.Program { return x.prog }

// Layout returns the memory layout of the program.
func (x *Executable) Layout() *sched.Layout { return x.layout }

// PlanText returns the program as text with the plan of each kernel below its node.
func (x *Executable) PlanText() string {
	return x.prog.Text(func(n program.Node) string {
		k, ok := n.(*program.Kernel)
		switch p := x.plans[k]; {
		case p != nil:
			return p.String()
		case ok:
			return "scalar code\n"
		}
		if n, ok := n.(*program.RowLoop); ok {
			return x.rowLoopPlans[n]
		}
		return ""
	})
}

// CodeText returns the program as text with the code of each kernel below its node: its tier, why it is not the
// requested one, and the machine code. The GEMM code, which all contractions of a type share, is below the first of
// them.
func (x *Executable) CodeText() string {
	total, left := 0, 0
	listed := map[int]bool{}
	text := x.prog.Text(func(n program.Node) string {
		if c, ok := n.(*program.Contraction); ok {
			bits := c.Acc.Real().Bits()
			tier, listing := x.gen.Gemm().Listing(bits)
			switch {
			case tier == "" || !c.Acc.IsFloat() && !c.Acc.IsComplex():
				return "gemm in plain Go\n"
			case listed[bits]:
				return fmt.Sprintf("%s, gemm of %d bits\n", tier, bits)
			}
			listed[bits] = true
			return fmt.Sprintf("%s, gemm of %d bits\n%s", tier, bits, listing)
		}
		k, ok := n.(*program.Kernel)
		code := x.codes[k]
		switch {
		case !ok:
			return ""
		case code == nil:
			return "scalar code\n"
		}
		total++
		d := code.Describe()
		if d.Why != "" {
			left++
			return fmt.Sprintf("%s (%s)\n", d.Tier, d.Why)
		}
		return d.Tier + "\n" + d.Listing
	})
	return fmt.Sprintf("%s%d kernels, %d of them not of the requested tier\n", text, total, left)
}

// bind is a root in the arena or among the constants.
type bind struct {
	root   int
	offset int64 // in the arena
	data   []byte
}

// resultSlot is a result of the program: its root, its size, and whether it is computed in the caller's memory.
type resultSlot struct {
	root int
	size int64
	own  bool
}

// planMemory lists the bindings of every run.
func (x *Executable) planMemory() {
	l := x.layout
	for b, root := range l.Root {
		switch {
		case b != root:
		case l.Storage[b] == sched.Constant:
			x.binds = append(x.binds, bind{root: b, data: x.prog.Buffers[b].Data})
		case l.Storage[b] == sched.Temp && l.Lives[b].From >= 0:
			x.binds = append(x.binds, bind{root: b, offset: l.Offset[b]})
		}
	}
	for _, a := range x.prog.Main.Args {
		x.argSizes = append(x.argSizes, x.prog.Buffers[a].SizeBytes())
	}
	seen := map[int]bool{}
	for i, r := range x.main.results {
		s := resultSlot{root: r, size: x.prog.Buffers[x.prog.Main.Results[i]].SizeBytes()}
		s.own = l.Storage[r] == sched.Result && !seen[r]
		seen[r] = true
		x.results = append(x.results, s)
	}
}

func (x *Executable) block(b *program.Block) (block, error) {
	var out block
	for i := 0; i < len(b.Nodes); {
		r, next, err := x.scalarRun(b, i)
		if err == nil && r == nil {
			r, err = x.node(b.Nodes[i])
			next++
		}
		if err != nil {
			return block{}, err
		}
		out.nodes, out.first = append(out.nodes, r), append(out.first, b.Nodes[i])
		out.reads = append(out.reads, x.argumentsOf(b.Nodes[i:next]))
		i = next
	}
	out.results = x.roots(b.Results)
	return out, nil
}

func (x *Executable) roots(bufs []int) []int {
	out := make([]int, len(bufs))
	for i, b := range bufs {
		out[i] = x.layout.Root[b]
	}
	return out
}

func (x *Executable) node(n program.Node) (runner, error) {
	x.checkCancel()
	switch n := n.(type) {
	case *program.Kernel:
		return x.kernel(n, n, x.planOf(n.Kernel))
	case *program.RowLoop:
		return x.rowLoop(n)
	case *program.ParallelGroup:
		return x.parallelGroup(n)
	case *program.Loop:
		if x.isScalarLoop(n) {
			return x.scalarLoop(n)
		}
		return x.loop(n)
	case *program.Branch:
		return x.branch(n)
	case *program.Contraction:
		return x.contract(n)
	case *program.Call:
		return x.call(n)
	}
	return nil, fmt.Errorf("internal error: exec: node type %T is not supported", n)
}

func (x *Executable) call(n *program.Call) (runner, error) {
	var bodies []*codegen.Body
	for _, b := range n.Bodies {
		code, err := codegen.CompileBody(x.gen, b.Kernel, b.Args, b.Results)
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, code)
	}
	f, err := library.Compile(n, bodies)
	if err != nil {
		return nil, err
	}
	return &call{f: f, op: n.Op, ins: x.spans(n.Ins), outs: x.spans(n.Outs)}, nil
}

// span is a buffer as library functions get it.
type span struct {
	root int
	size int64
}

func (x *Executable) spans(bufs []int) []span {
	out := make([]span, len(bufs))
	for i, b := range bufs {
		out[i] = span{x.layout.Root[b], x.prog.Buffers[b].SizeBytes()}
	}
	return out
}

// Run executes the program on its arguments and returns its results in fresh memory. It does not change the arguments:
// donated ones whose memory changes are copied.
func (x *Executable) Run(ctx context.Context, args [][]byte) ([][]byte, error) {
	out := make([][]byte, len(x.results))
	args = slices.Clone(args)
	takes, changed := x.Takes()
	for i, changed := range changed {
		if changed && i < len(args) {
			a := aligned(int64(len(args[i])))
			copy(a, args[i])
			args[i] = a
		}
	}
	for i, r := range x.results {
		if a := takes[i]; a >= 0 && a < len(args) {
			out[i] = args[a]
		} else {
			out[i] = aligned(r.size)
		}
	}
	if err := x.RunInto(ctx, args, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Takes returns, for each result, the donated argument whose memory it is in, or -1; and for each argument, whether a
// run changes its memory.
func (x *Executable) Takes() (results []int, changed []bool) {
	return x.layout.Takes, x.layout.Changed(x.prog)
}

// RunInto is [Executable.Run] with the results in memory of the caller, which must not overlap the arguments. A result
// that takes the memory of a donated argument is there. After an error the contents are undefined.
func (x *Executable) RunInto(ctx context.Context, args, out [][]byte) error {
	if err := x.checkSizes(args, out); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	in, err := x.instance()
	if err != nil {
		return err
	}
	defer x.release(in)
	in.env.Cancel = nil
	if ctx.Done() != nil {
		cancel := &atomic.Bool{} // of this run only: it may be set after the end
		in.env.Cancel = cancel
		stop := context.AfterFunc(ctx, func() { cancel.Store(true) })
		defer stop()
	}
	in.env.Session = rt.Session{Context: ctx, Output: x.env.Session.Output}
	in.timing = timingOf(ctx)
	in.setSources(ctx)
	in.bind(args, out)
	in.env.WakeWorkers(x.width)
	err = in.runAll()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		in.collect(out)
	}
	return err
}

// runAll runs the program until its end, until an op is cancelled, or until memory for code runs out.
func (in *instance) runAll() (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil, rt.Stopped:
		case *rt.CodeMemoryError:
			err = v
		default:
			panic(v)
		}
	}()
	return in.run(&in.x.main)
}

// checkSizes checks the sizes of arguments and results against their types.
func (x *Executable) checkSizes(args, out [][]byte) error {
	if len(args) != len(x.prog.Main.Args) || len(out) != len(x.results) {
		return fmt.Errorf("cpu: the program must be called with %d arguments and %d results, got %d and %d", len(x.prog.Main.Args),
			len(x.results), len(args), len(out))
	}
	for i, a := range args {
		if want := x.argSizes[i]; int64(len(a)) != want {
			return fmt.Errorf("cpu: argument %d has %d bytes, its type %s needs %d", i, len(a),
				x.prog.Buffers[x.prog.Main.Args[i]].Type, want)
		}
	}
	for i, r := range out {
		if want := x.results[i].size; int64(len(r)) != want {
			return fmt.Errorf("cpu: result %d has %d bytes, its type needs %d", i, len(r), want)
		}
	}
	return nil
}

// instance returns an idle instance or a new one, with an arena.
func (x *Executable) instance() (*instance, error) {
	in := x.takeIdle()
	if in == nil {
		in = &instance{
			x: x, bufs: make([]unsafe.Pointer, len(x.prog.Buffers)),
			params:  make([]unsafe.Pointer, x.params),
			partial: aligned(int64(x.partialBytes)),
			files:   make([]codegen.File, x.numScalarFiles), groups: make([]*groupRun, x.groups),
			rowLoops: make([]*rowLoopRun, x.rowLoops), prepacked: make([]library.Prepacked, x.numPrepacked),
		}
		in.env = rt.Env{Pool: x.env.Pool, Buffers: x.env.Buffers, Gemm: x.gen.Gemm(),
			Scans: x.gen.Scans(), Fourier: x.gen.Fourier(), Combines: x.gen.Combines(),
			Sorts: x.gen.Sorts()}
		if x.scratches {
			in.scratch.Resize(&in.env)
			for i := range in.scratch.All() {
				in.scratch.All()[i] = x.gen.NewScratch()
			}
		}
	}
	if in.arena != nil {
		return in, nil
	}
	var err error
	if n := x.layout.ArenaSize; n > maxIdleArena {
		in.arena, err = x.env.Buffers.Get(int(n))
	} else {
		in.arena = aligned(n)
	}
	return in, err
}

// WorkBytes returns the memory of a call without its arguments and results.
func (x *Executable) WorkBytes() int64 { return x.layout.ArenaSize }

// release makes an instance idle.
func (x *Executable) release(in *instance) {
	clear(in.bufs)
	clear(in.params)
	clear(in.ins[:cap(in.ins)])
	clear(in.outs[:cap(in.outs)])
	for _, s := range in.scratch.All() {
		s.Forget()
	}
	for _, w := range in.groups {
		if w != nil {
			w.forget()
		}
	}
	for _, n := range in.rowLoops {
		if n != nil {
			n.forget()
		}
	}
	if x.layout.ArenaSize > maxIdleArena {
		x.env.Buffers.Put(in.arena)
		in.arena = nil
	}
	x.putIdle(in)
}

// putIdle keeps an instance for another run.
func (x *Executable) putIdle(in *instance) {
	if x.spare.CompareAndSwap(nil, in) {
		return
	}
	x.mu.Lock()
	x.idle = append(x.idle, in)
	x.mu.Unlock()
}

// takeIdle returns an idle instance, or nil.
func (x *Executable) takeIdle() *instance {
	if in := x.spare.Swap(nil); in != nil {
		return in
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.idle) == 0 {
		return nil
	}
	last := len(x.idle) - 1
	in := x.idle[last]
	x.idle = x.idle[:last]
	return in
}

// aligned returns n bytes, aligned to 64 unless they are few.
func aligned(n int64) []byte {
	if n < 256 {
		return make([]byte, n)
	}
	b := make([]byte, n+63)
	off := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) & 63
	return b[off : off+uintptr(n) : off+uintptr(n)]
}

// bind sets the memory of every root.
func (in *instance) bind(args, out [][]byte) {
	x := in.x
	for i := range x.binds {
		b := &x.binds[i]
		switch {
		case b.data != nil:
			in.bufs[b.root] = unsafe.Pointer(unsafe.SliceData(b.data))
		case len(in.arena) > 0:
			in.bufs[b.root] = unsafe.Pointer(unsafe.SliceData(in.arena[b.offset:]))
		}
	}
	for i, a := range x.prog.Main.Args {
		in.bufs[a] = unsafe.Pointer(unsafe.SliceData(args[i]))
	}
	for i, r := range x.results {
		if r.own {
			in.bufs[r.root] = unsafe.Pointer(unsafe.SliceData(out[i]))
		}
	}
}

// collect copies results that were computed elsewhere.
func (in *instance) collect(out [][]byte) {
	for i, r := range in.x.results {
		if p := in.bufs[r.root]; r.size > 0 && p != unsafe.Pointer(unsafe.SliceData(out[i])) {
			copy(out[i], unsafe.Slice((*byte)(p), r.size))
		}
	}
}

func (in *instance) run(b *block) error {
	for i, n := range b.nodes {
		if in.env.Cancelled() {
			return nil
		}
		if in.sources != nil {
			if err := in.checkSources(b.reads[i]); err != nil {
				return err
			}
		}
		if in.timing != nil {
			if err := in.timed(b.first[i], n); err != nil {
				return err
			}
			continue
		}
		if err := n.run(in); err != nil {
			return err
		}
	}
	return nil
}

// take sets the operands and results of a call to the memory of buffers.
func (in *instance) take(ins, outs []span) {
	in.ins, in.outs = in.ins[:0], in.outs[:0]
	for _, s := range ins {
		in.ins = append(in.ins, unsafe.Slice((*byte)(in.bufs[s.root]), s.size))
	}
	for _, s := range outs {
		in.outs = append(in.outs, unsafe.Slice((*byte)(in.bufs[s.root]), s.size))
	}
}

// OpError is the error of an op that failed during a run.
type OpError struct {
	Op  *stablehlo.Op
	Err error
}

// Error names the op.
func (e *OpError) Error() string { return e.Op.Name() + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *OpError) Unwrap() error { return e.Err }

// call calls a library function.
type call struct {
	f         library.Func
	op        *stablehlo.Op
	ins, outs []span
}

func (l *call) run(in *instance) error {
	in.take(l.ins, l.outs)
	if err := l.f(&in.env, in.ins, in.outs); err != nil {
		return &OpError{l.op, err}
	}
	return nil
}
