package exec

import (
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/library"
	"github.com/go-nx/nx/internal/cpu/program"
)

func (x *Executable) contract(n *program.Contraction) (runner, error) {
	c := call{op: n.Op, ins: x.spans(n.Ins), outs: x.spans(n.Outs)}
	if x.prepackable[n] {
		if begin := library.PrepackedContract(n, x.prog); begin != nil {
			x.numPrepacked++
			return &prepackedContract{c, x.numPrepacked - 1, begin}, nil
		}
	}
	var prologue *codegen.Body
	var err error
	if b := n.Prologue; b != nil {
		if prologue, err = codegen.CompileBody(x.gen, b.Kernel, b.Args, b.Results); err != nil {
			return nil, err
		}
	}
	if c.f, err = library.Contract(n, x.prog, x.gen.Gemm(), prologue); err != nil {
		return nil, err
	}
	return &c, nil
}

// prepackedContract is a contraction in the body of a loop with an invariant right operand, which is packed in the
// first trip for all trips.
type prepackedContract struct {
	call
	number int // index in an instance
	create func() library.Prepacked
}

func (r *prepackedContract) run(in *instance) error {
	p := in.prepacked[r.number]
	if p == nil {
		p = r.create()
		in.prepacked[r.number] = p
	}
	in.take(r.ins, r.outs)
	if err := p.Run(&in.env, in.ins, in.outs); err != nil {
		return &OpError{r.op, err}
	}
	return nil
}

// prepackableContracts returns the contractions of a loop's body with invariant right operands.
func prepackableContracts(p *program.Program, loop *program.Loop) []*program.Contraction {
	changed := map[int]bool{}
	var look func(b *program.Block)
	look = func(b *program.Block) {
		for _, a := range b.Args {
			changed[origin(p, a)] = true
		}
		for _, n := range b.Nodes {
			for _, o := range n.Writes() {
				changed[origin(p, o)] = true
			}
			for _, inner := range n.Blocks() {
				look(inner)
			}
		}
	}
	look(loop.Cond)
	look(loop.Body)
	var out []*program.Contraction
	for _, n := range loop.Body.Nodes {
		if c, ok := n.(*program.Contraction); ok && c.Prologue == nil && !changed[origin(p, c.Ins[1])] {
			out = append(out, c)
		}
	}
	return out
}

// origin returns the buffer that a buffer is an alias of.
func origin(p *program.Program, b int) int {
	for p.Buffers[b].Alias >= 0 {
		b = p.Buffers[b].Alias
	}
	return b
}
