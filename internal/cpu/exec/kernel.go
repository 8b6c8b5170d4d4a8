package exec

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// compiledKernel runs a kernel.
type compiledKernel struct {
	code     codegen.Code
	chunks   int
	finishes int
	params   []int // roots
	slices   []slice
	updated  moves
}

func (k *compiledKernel) run(in *instance) error {
	params := in.params[:len(k.params)]
	if err := k.bind(in, params); err != nil {
		return err
	}
	if k.chunks == 1 {
		k.code.RunChunk(0, params, nil, in.partials(), in.scratchOf(rt.Caller))
	} else {
		in.running = append(in.running[:0], boundKernel{k.code, params})
		in.env.Run(k.chunks, in)
	}
	if k.finishes > 0 {
		in.running = append(in.running[:0], boundKernel{k.code, params})
		in.env.Run(k.finishes, (*finishing)(in))
	}
	return nil
}

// kernel compiles a kernel, a node or a part of one, with the given plan.
func (x *Executable) kernel(node program.Node, s *program.Kernel, p *plan.Plan) (*compiledKernel, error) {
	x.checkCancel()
	p = p.Streaming(x.streamedParams(node, s, p))
	code, err := x.code(s, p)
	if err != nil {
		return nil, err
	}
	x.plans[s], x.codes[s] = p, code
	k := &compiledKernel{code: code, chunks: p.NumChunks(), finishes: p.Finishes(), params: x.roots(s.Params()),
		slices: x.slicesOf(s), updated: newMoves(x.layout.Updated(x.prog, s), nil)}
	x.params = max(x.params, len(k.params))
	x.partialBytes = max(x.partialBytes, code.PartialBytes())
	return k, nil
}

// code returns the code of a kernel, which equal kernels share: the layers of a model have equal kernels.
func (x *Executable) code(s *program.Kernel, p *plan.Plan) (codegen.Code, error) {
	cached := x.planned[s.Kernel]
	if cached.key == nil {
		cached.key = s.Kernel.AppendKey(nil)
		x.planned[s.Kernel] = cached
	}
	x.key = p.AppendKey(append(x.key[:0], cached.key...)) // the rest of a plan follows from the kernel
	if c := x.codeByKey[string(x.key)]; c != nil {
		return c, nil
	}
	c, err := codegen.Compile(x.gen, s.Kernel, p)
	if err == nil {
		x.codeByKey[string(x.key)] = c
	}
	return c, err
}

// planned is the plan and the key of a kernel, cached while compiling: nodes of several calls share kernels.
type planned struct {
	plan *plan.Plan
	key  []byte
}

// planOf returns the plan of a kernel, cached.
func (x *Executable) planOf(k *kernel.Kernel) *plan.Plan {
	cached := x.planned[k]
	if cached.plan == nil {
		cached.plan = plan.Of(k)
		x.planned[k] = cached
	}
	return cached.plan
}

// sequence runs nodes one after another.
type sequence []runner

func (list sequence) run(in *instance) error {
	for _, k := range list {
		if in.env.Cancelled() {
			return nil
		}
		if err := k.run(in); err != nil {
			return err
		}
	}
	return nil
}

// boundKernel is a kernel with its buffers bound to memory.
type boundKernel struct {
	code   codegen.Code
	params []unsafe.Pointer
}

// Do runs one chunk of the current kernels: an instance is their task.
func (in *instance) Do(worker rt.Worker, chunk int) {
	for i := range in.running {
		p := &in.running[i]
		p.code.RunChunk(chunk, p.params, nil, in.partials(), in.scratchOf(worker))
	}
}

// scratchOf returns the scratch memory of a worker.
func (in *instance) scratchOf(worker rt.Worker) codegen.Scratch { return *in.scratch.Of(worker) }

// finishing is an instance as the task that reduces the partial results of its kernel.
type finishing instance

// Do reduces one piece.
func (f *finishing) Do(worker rt.Worker, piece int) {
	in := (*instance)(f)
	p := &in.running[0]
	p.code.Finish(piece, p.params, in.partials(), in.scratchOf(worker))
}

// partials returns the memory of partial results.
func (in *instance) partials() unsafe.Pointer { return in.partialsFrom(0) }

// partialsFrom returns the memory of partial results from an offset on.
func (in *instance) partialsFrom(offset int) unsafe.Pointer {
	if offset >= len(in.partial) {
		return nil
	}
	return unsafe.Pointer(&in.partial[offset])
}
