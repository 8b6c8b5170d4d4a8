package exec

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/stablehlo"
)

// scalarStep runs scalar code: kernels of a few points that follow each other, or a whole
// loop over such kernels, whose state is in the file of the code while it runs.
type scalarStep struct {
	code codegen.ScalarCode
	file int // its number among the files of an instance
}

func (s *scalarStep) run(in *instance) error {
	f := in.files[s.file]
	if f == nil {
		f = s.code.NewFile(in.bufs)
		in.files[s.file] = f
	}
	f.Run(in.env.Cancel)
	return nil
}

func (x *Executable) scalarStep(c codegen.ScalarCompiler) *scalarStep {
	x.files++
	return &scalarStep{c.Done(), x.files - 1}
}

// scalarRun returns the step of the kernels from step i on that are better scalar code,
// and the step after them; nil when there are none.
func (x *Executable) scalarRun(b *fuse.Block, i int) (step, int, error) {
	var c codegen.ScalarCompiler
	for ; i < len(b.Steps) && b.Steps[i].Kernel != nil && b.Group(i) == nil; i++ {
		s := &b.Steps[i]
		if _, better := x.gen.IsScalar(s.Kernel); !better {
			break
		}
		if c == nil {
			c = x.gen.NewScalarCompiler()
		}
		if err := c.Kernel(s.Kernel, x.roots(s.Params())); err != nil {
			return nil, 0, err
		}
	}
	if c == nil {
		return nil, i, nil
	}
	return x.scalarStep(c), i, nil
}

// maxScalarBuffer is the bytes of a buffer that a scalar loop may change; smaller ones
// from outside are copied, so that reading them is no different.
const maxScalarBuffer = 256

// isScalarLoop reports whether a loop does nothing but what scalar code can do.
func (x *Executable) isScalarLoop(s *fuse.Step) bool {
	is, known := x.scalarLoops[s]
	if !known {
		is = x.isAllScalar(s)
		x.scalarLoops[s] = is
	}
	return is
}

// isAllScalar is isScalarLoop of a loop or a branch seen for the first time.
func (x *Executable) isAllScalar(s *fuse.Step) bool {
	for _, b := range s.Blocks {
		for i := range b.Steps {
			st := &b.Steps[i]
			switch {
			case slices.ContainsFunc(st.Outs, func(o int) bool { return x.prog.Buffers[o].SizeBytes() > maxScalarBuffer }):
				return false
			case st.Kernel != nil:
				if can, _ := x.gen.IsScalar(st.Kernel); !can {
					return false
				}
			case len(st.Blocks) == 0 || !x.isScalarLoop(st):
				return false
			}
		}
	}
	return !slices.ContainsFunc(s.Outs, func(o int) bool { return x.prog.Buffers[o].SizeBytes() > maxScalarBuffer })
}

// scalarLoop compiles a loop to scalar code: the state, all that the loop makes, and the
// small buffers from outside are in its file.
func (x *Executable) scalarLoop(s *fuse.Step) (step, error) {
	l := &scalarLoop{x, x.gen.NewScalarCompiler()}
	l.reserveMade(s)
	l.fillUsed(s)
	state := x.spans(s.Outs)
	for i, init := range x.roots(s.Ins) {
		l.c.Fill(codegen.Move{From: init, To: state[i].root, Bytes: state[i].size})
	}
	if err := l.loop(s); err != nil {
		return nil, err
	}
	for _, st := range state {
		l.c.Spill(codegen.Move{From: st.root, To: st.root, Bytes: st.size})
	}
	return x.scalarStep(l.c), nil
}

type scalarLoop struct {
	x *Executable
	c codegen.ScalarCompiler
}

func (l *scalarLoop) reserve(buf int) (root int, isNew bool) {
	root = l.x.layout.Root[buf]
	if isNew = !l.c.IsReserved(root); isNew {
		l.c.Reserve(root, l.x.prog.Buffers[root].SizeBytes())
	}
	return root, isNew
}

// reserveMade reserves what a step and those inside make.
func (l *scalarLoop) reserveMade(s *fuse.Step) {
	for _, o := range s.Outs {
		l.reserve(o)
	}
	for _, b := range s.Blocks {
		for i := range b.Steps {
			l.reserveMade(&b.Steps[i])
		}
	}
}

// fillUsed reserves and copies the small buffers that the blocks of a step use.
func (l *scalarLoop) fillUsed(s *fuse.Step) {
	use := func(bufs []int) {
		for _, b := range bufs {
			if n := l.x.prog.Buffers[b].SizeBytes(); n <= maxScalarBuffer {
				if root, isNew := l.reserve(b); isNew {
					l.c.Fill(codegen.Move{From: root, To: root, Bytes: n})
				}
			}
		}
	}
	for _, b := range s.Blocks {
		for i := range b.Steps {
			use(b.Steps[i].Ins)
			l.fillUsed(&b.Steps[i])
		}
		use(b.Results)
	}
}

func (l *scalarLoop) copy(moves []sched.Move) {
	var list []codegen.Move
	for _, m := range moves {
		list = append(list, codegen.Move(m))
	}
	l.c.Copy(list...)
}

func (l *scalarLoop) loop(s *fuse.Step) error {
	cond, body := s.Blocks[0], s.Blocks[1]
	return l.c.Loop(l.x.layout.Root[cond.Results[0]], func() error { return l.block(cond) }, func() error {
		if err := l.block(body); err != nil {
			return err
		}
		l.copy(l.x.layout.Moves(l.x.prog, body.Results, s.Outs))
		return nil
	})
}

func (l *scalarLoop) block(b *fuse.Block) error {
	for i := range b.Steps {
		if err := l.step(&b.Steps[i]); err != nil {
			return err
		}
	}
	return nil
}

func (l *scalarLoop) step(s *fuse.Step) error {
	switch {
	case s.Kernel != nil:
		return l.c.Kernel(s.Kernel, l.x.roots(s.Params()))
	case s.Op.Code == stablehlo.OpWhile:
		l.copy(l.x.layout.Moves(l.x.prog, s.Ins, s.Outs))
		return l.loop(s)
	}
	var blocks []func() error
	for _, b := range s.Blocks {
		blocks = append(blocks, func() error {
			if err := l.block(b); err != nil {
				return err
			}
			l.copy(l.x.layout.Moves(l.x.prog, b.Results, s.Outs))
			return nil
		})
	}
	return l.c.Branch(l.x.layout.Root[s.Ins[0]], s.Op.Code == stablehlo.OpIf, blocks)
}
