package exec

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/fuse"
)

// kernelStep runs a kernel.
type kernelStep struct {
	code   *portable.Code
	chunks int
	params []int // roots
}

func (k *kernelStep) run(in *instance) error {
	params := in.params[:len(k.params)]
	for i, r := range k.params {
		params[i] = in.bufs[r]
	}
	if k.chunks == 1 {
		k.code.RunChunk(0, params, in.partials(), &in.scratch[0])
	} else {
		in.parts = append(in.parts[:0], part{k.code, params})
		in.env.Run(k.chunks, in)
	}
	k.code.Finish(params, in.partials(), &in.scratch[0])
	return nil
}

// rowStep runs the kernels of a group together: some rows through all of them, then
// the next.
type rowStep struct {
	kernels []*kernelStep
	chunks  int
}

// group returns the steps of a group: one, where all its kernels can be split by rows.
func (x *Executable) group(b *fuse.Block, g *fuse.Group) ([]step, error) {
	var steps []step
	for i := g.From; i < g.To; i++ {
		s, err := x.step(&b.Steps[i])
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	r, ok := newRowStep(steps, g.Rows)
	if !ok {
		return steps, nil
	}
	total := 0
	for _, k := range r.kernels {
		total += len(k.params)
	}
	x.params = max(x.params, total)
	return []step{r}, nil
}

func newRowStep(steps []step, dims []int64) (*rowStep, bool) {
	rows := int64(1)
	for _, d := range dims {
		rows *= d
	}
	r := &rowStep{}
	n := rows
	for _, s := range steps {
		k := s.(*kernelStep)
		natural, ok := k.code.RowsAChunk(rows)
		if !ok {
			return nil, false
		}
		n = min(n, natural)
		r.kernels = append(r.kernels, k)
	}
	for _, k := range r.kernels {
		k.code.SplitRows(rows, n)
		k.chunks = k.code.NumChunks()
		r.chunks = k.chunks
	}
	return r, true
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
	code   *portable.Code
	params []unsafe.Pointer
}

// Do runs one chunk of the current kernels: an instance is the task of its kernels.
func (in *instance) Do(worker, chunk int) {
	for i := range in.parts {
		p := &in.parts[i]
		p.code.RunChunk(chunk, p.params, in.partials(), &in.scratch[worker])
	}
}

// partials returns the memory of partial results.
func (in *instance) partials() unsafe.Pointer {
	if len(in.partial) == 0 {
		return nil
	}
	return unsafe.Pointer(&in.partial[0])
}
