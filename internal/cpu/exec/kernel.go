package exec

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// kernelStep runs a kernel.
type kernelStep struct {
	code   codegen.Code
	chunks int
	params []int // roots
}

func (k *kernelStep) run(in *instance) error {
	params := in.params[:len(k.params)]
	for i, r := range k.params {
		params[i] = in.bufs[r]
	}
	if k.chunks == 1 {
		k.code.RunChunk(0, params, in.partials(), in.scratch[0])
	} else {
		in.parts = append(in.parts[:0], part{k.code, params})
		in.env.Run(k.chunks, in)
	}
	k.code.Finish(params, in.partials(), in.scratch[0])
	return nil
}

// rowStep runs the kernels of a group together: some rows through all of them, then
// the next.
type rowStep struct {
	kernels []*kernelStep
	chunks  int
}

// kernelStep compiles a kernel to run as planned.
func (x *Executable) kernelStep(s *fuse.Step, p *plan.Plan) (*kernelStep, error) {
	x.pause()
	code, err := codegen.Compile(x.gen, s.Kernel, p)
	if err != nil {
		return nil, err
	}
	x.plans[s] = p
	k := &kernelStep{code: code, chunks: p.NumChunks(), params: x.roots(s.Params())}
	x.params = max(x.params, len(k.params))
	x.partials = max(x.partials, code.PartialBytes())
	return k, nil
}

// group returns the steps of a group: one, where all its kernels can be split by rows.
func (x *Executable) group(b *fuse.Block, g *fuse.Group) ([]step, error) {
	list := b.Steps[g.From:g.To]
	plans, together := plansByRows(list, g.Rows)
	r := &rowStep{}
	var steps []step
	total := 0
	for i := range list {
		k, err := x.kernelStep(&list[i], plans[i])
		if err != nil {
			return nil, err
		}
		steps = append(steps, k)
		r.kernels, r.chunks = append(r.kernels, k), k.chunks
		total += len(k.params)
	}
	if !together {
		return steps, nil
	}
	x.params = max(x.params, total)
	return []step{r}, nil
}

// plansByRows plans the kernels of a group, with the same rows in each chunk if all can be
// split by rows.
func plansByRows(steps []fuse.Step, dims []int64) (plans []*plan.Plan, together bool) {
	rows := int64(1)
	for _, d := range dims {
		rows *= d
	}
	n, together := rows, true
	for i := range steps {
		p := plan.Of(steps[i].Kernel)
		natural, ok := p.RowsAChunk(rows)
		n, together = min(n, max(natural, 1)), together && ok
		plans = append(plans, p)
	}
	if together {
		for i, p := range plans {
			plans[i] = p.ByRows(rows, n)
		}
	}
	return plans, together
}

func (r *rowStep) run(in *instance) error {
	in.parts = in.parts[:0]
	params := in.params
	for _, k := range r.kernels {
		for i, root := range k.params {
			params[i] = in.bufs[root]
		}
		in.parts = append(in.parts, part{k.code, params[:len(k.params)]})
		params = params[len(k.params):]
	}
	in.env.Run(r.chunks, in)
	return nil
}

// part is a kernel bound to its buffers.
type part struct {
	code   codegen.Code
	params []unsafe.Pointer
}

// Do runs one chunk of the current kernels: an instance is the task of its kernels.
func (in *instance) Do(worker, chunk int) {
	for i := range in.parts {
		p := &in.parts[i]
		p.code.RunChunk(chunk, p.params, in.partials(), in.scratch[worker])
	}
}

// partials returns the memory of partial results.
func (in *instance) partials() unsafe.Pointer {
	if len(in.partial) == 0 {
		return nil
	}
	return unsafe.Pointer(&in.partial[0])
}
