package exec

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/library"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/stablehlo"
)

// scalarStep runs scalar code: kernels of a few points that follow each other, or a whole
// loop over such kernels, whose state is in the file of the code while it runs.
type scalarStep struct {
	code  codegen.ScalarCode
	file  int   // its number among the files of an instance
	entry moves // of the states of a loop that are not in the file
}

func (s *scalarStep) run(in *instance) error {
	if err := s.entry.run(in, nil); err != nil {
		return err
	}
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
	return &scalarStep{code: c.Done(), file: x.files - 1}
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

// maxScalarBuffer is the bytes up to which a buffer that a scalar loop uses is in its
// file; larger ones stay in memory, where slices and tiles change them in place.
const maxScalarBuffer = 256

// isInFile reports whether a buffer is in the file of a scalar loop.
func (x *Executable) isInFile(buf int) bool { return x.isRootInFile(x.layout.Root[buf]) }

func (x *Executable) isRootInFile(root int) bool {
	return x.prog.Buffers[root].SizeBytes() <= maxScalarBuffer
}

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
	isLoop := s.Op.Code == stablehlo.OpWhile
	for i, b := range s.Blocks {
		if len(b.Groups) > 0 || (!isLoop || i == 1) && !x.inFile(x.layout.Moves(x.prog, b.Results, s.Outs)) {
			return false
		}
		for i := range b.Steps {
			if !x.isScalar(&b.Steps[i]) {
				return false
			}
		}
	}
	if isLoop {
		return x.isInFile(s.Blocks[0].Results[0])
	}
	return x.isInFile(s.Ins[0])
}

// isScalar reports whether scalar code can do a step of a loop.
func (x *Executable) isScalar(s *fuse.Step) bool {
	switch {
	case s.Kernel != nil:
		can, _ := x.gen.IsScalar(s.Kernel)
		return can || plan.Of(s.Kernel).NumChunks() == 1
	case len(s.Blocks) > 0:
		return (s.Op.Code != stablehlo.OpWhile || x.inFile(x.layout.Entry(x.prog, s))) && x.isScalarLoop(s)
	}
	w, ok := library.Window(s.Op)
	return ok && (!w.Store || x.inFile(x.layout.Moves(x.prog, s.Ins[:1], s.Outs))) &&
		!slices.ContainsFunc(w.Indices, func(i codegen.WindowIndex) bool { return !x.isInFile(s.Ins[i.Buf]) })
}

// inFile reports whether all that is copied is in the file, before and after.
func (x *Executable) inFile(moves []sched.Move) bool {
	return !slices.ContainsFunc(moves, func(m sched.Move) bool { return !x.isRootInFile(m.From) || !x.isRootInFile(m.To) })
}

// scalarLoop compiles a loop to scalar code: what is small of the state, of all that the
// loop makes, and of the buffers from outside is in its file.
func (x *Executable) scalarLoop(s *fuse.Step) (step, error) {
	l := &scalarLoop{x, x.gen.NewScalarCompiler()}
	l.reserveMade(s)
	l.fillUsed(s)
	state := x.spans(s.Outs)
	var entry []sched.Move
	for i, init := range x.roots(s.Ins) {
		to := state[i]
		switch {
		case x.isRootInFile(to.root):
			l.c.Fill(codegen.Move{From: init, To: to.root, Bytes: to.size})
		case init != to.root && to.size > 0:
			entry = append(entry, sched.Move{From: init, To: to.root, Bytes: to.size})
		}
	}
	if err := l.loop(s); err != nil {
		return nil, err
	}
	for _, st := range state {
		if x.isRootInFile(st.root) {
			l.c.Spill(codegen.Move{From: st.root, To: st.root, Bytes: st.size})
		}
	}
	out := x.scalarStep(l.c)
	out.entry = newMoves(entry, nil)
	return out, nil
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
		if l.x.isInFile(o) {
			l.reserve(o)
		}
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
			if !l.x.isInFile(b) {
				continue
			}
			if root, isNew := l.reserve(b); isNew {
				l.c.Fill(codegen.Move{From: root, To: root, Bytes: l.x.prog.Buffers[root].SizeBytes()})
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
		return l.kernel(s)
	case len(s.Blocks) == 0:
		l.window(s)
		return nil
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

func (l *scalarLoop) kernel(s *fuse.Step) error {
	params := l.x.roots(s.Params())
	if can, _ := l.x.gen.IsScalar(s.Kernel); can {
		return l.c.Kernel(s.Kernel, params)
	}
	p := plan.Of(s.Kernel)
	code, err := codegen.Compile(l.x.gen, s.Kernel, p)
	if err == nil {
		l.x.plans[s] = p
		l.c.Tiles(code, params)
	}
	return err
}

// window adds a slice or an update, which replaces its operand or a copy in the file.
func (l *scalarLoop) window(s *fuse.Step) {
	w, _ := library.Window(s.Op)
	out := l.x.layout.Root[s.Outs[0]]
	if w.Part == library.ResultPart {
		w.Array, w.Part = l.x.layout.Root[s.Ins[w.Array]], out
	} else {
		l.copy(l.x.layout.Moves(l.x.prog, s.Ins[:1], s.Outs))
		w.Array, w.Part = out, l.x.layout.Root[s.Ins[w.Part]]
	}
	for i := range w.Indices {
		w.Indices[i].Buf = l.x.layout.Root[s.Ins[w.Indices[i].Buf]]
	}
	l.c.Window(w)
}
