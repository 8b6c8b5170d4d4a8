package exec

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/library"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/sched"
)

// scalar runs scalar code: consecutive kernels of a few points, or a full loop over such kernels, whose state is in the
// code's register file while it runs.
type scalar struct {
	code  codegen.ScalarCode
	file  int   // index among the files of an instance
	entry moves // of the states of a loop that are not in the file
}

func (s *scalar) run(in *instance) error {
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

func (x *Executable) scalar(c codegen.ScalarCompiler) (*scalar, error) {
	code, err := c.Done()
	if err != nil {
		return nil, err
	}
	x.numScalarFiles++
	return &scalar{code: code, file: x.numScalarFiles - 1}, nil
}

// scalarRun returns the code of the kernels from node i on that are faster as scalar code, and the node after them; nil
// if there are none.
func (x *Executable) scalarRun(b *program.Block, i int) (runner, int, error) {
	var kernels []*program.Kernel
	for ; i < len(b.Nodes); i++ {
		s, ok := b.Nodes[i].(*program.Kernel)
		if !ok {
			break
		}
		if _, better := x.gen.IsScalar(s.Kernel); !better || s.Slices != nil {
			break
		}
		kernels = append(kernels, s)
	}
	if kernels == nil {
		return nil, i, nil
	}
	c := x.gen.NewScalarCompiler()
	x.fillSeveral(c, kernels)
	for _, s := range kernels {
		if err := c.Kernel(codegen.AsBits(s.Kernel), x.roots(s.Params())); err != nil {
			return nil, 0, err
		}
		x.spillSeveral(c, s)
	}
	code, err := x.scalar(c)
	return code, i, err
}

// fillSeveral reserves the small buffers of several elements that kernels use, and fills those whose old contents they
// need.
func (x *Executable) fillSeveral(c codegen.ScalarCompiler, kernels []*program.Kernel) {
	use := func(buf int, isNeeded bool) {
		m := x.rootMove(buf)
		if elem := x.prog.Buffers[m.From].Type.DType().Size(); c.IsReserved(m.From) || m.Bytes > maxFillBytes ||
			m.Bytes <= int64(elem) {
			return
		}
		if c.Reserve(m.From, m.Bytes); isNeeded {
			c.Fill(m)
		}
	}
	for _, s := range kernels {
		for _, buf := range s.Reads() {
			use(buf, true)
		}
		for _, buf := range s.Writes() { // elements that a kernel does not write stay
			elem := int64(x.prog.Buffers[buf].Type.DType().Size())
			use(buf, s.Kernel.NumElems()*elem < x.rootMove(buf).Bytes)
		}
	}
}

// spillSeveral copies the reserved buffers that a kernel has written back to memory, at once: the memory of a buffer
// without further uses may be reused by the next kernel.
func (x *Executable) spillSeveral(c codegen.ScalarCompiler, s *program.Kernel) {
	for _, buf := range s.Writes() {
		if m := x.rootMove(buf); c.IsReserved(m.From) {
			c.Spill(m)
		}
	}
}

// rootMove returns the copy of a buffer's root to itself.
func (x *Executable) rootMove(buf int) codegen.Move {
	root := x.layout.Root[buf]
	return codegen.Move{From: root, To: root, Bytes: x.prog.Buffers[root].SizeBytes()}
}

// isInFile reports whether a buffer is in the file of a scalar loop.
func (x *Executable) isInFile(buf int) bool { return x.isRootInFile(x.layout.Root[buf]) }

func (x *Executable) isRootInFile(root int) bool {
	return x.prog.Buffers[root].SizeBytes() <= maxScalarBuffer
}

// isScalarLoop reports whether scalar code can run a loop or a branch completely.
func (x *Executable) isScalarLoop(n program.Node) bool {
	is, known := x.scalarLoops[n]
	if !known {
		is = x.isAllScalar(n)
		x.scalarLoops[n] = is
	}
	return is
}

// isAllScalar is isScalarLoop without the cache.
func (x *Executable) isAllScalar(n program.Node) bool {
	switch n := n.(type) {
	case *program.Loop:
		if !x.canMove(x.layout.Moves(x.prog, n.Body.Results, n.Outs)) || !x.isInFile(n.Cond.Results[0]) {
			return false
		}
	case *program.Branch:
		for i := range n.Arms {
			if !x.canMove(x.layout.Leave(x.prog, n, i)) {
				return false
			}
		}
		if !x.isInFile(n.Index()) {
			return false
		}
	}
	for _, b := range n.Blocks() {
		if slices.ContainsFunc(b.Nodes, func(inner program.Node) bool { return !x.isScalar(inner) }) {
			return false
		}
	}
	return true
}

// isScalar reports whether scalar code can run a node of a loop.
func (x *Executable) isScalar(n program.Node) bool {
	switch n := n.(type) {
	case *program.Kernel:
		if n.Slices != nil {
			return x.planOf(n.Kernel).NumChunks() == 1 && x.canMove(x.layout.Updated(x.prog, n)) &&
				!slices.ContainsFunc(n.Ins[n.NumIns():], func(b int) bool {
					return x.prog.Buffers[b].Type.Rank() == 0 && !x.isInFile(b)
				})
		}
		can, _ := x.gen.IsScalar(n.Kernel)
		return can || x.planOf(n.Kernel).NumChunks() == 1
	case *program.Loop:
		return x.canMove(x.layout.Entry(x.prog, n)) && x.isScalarLoop(n)
	case *program.Branch:
		return x.isScalarLoop(n)
	case *program.Contraction:
		c, ok := x.scalarContract(n)
		return ok && x.gen.IsScalarContract(&c)
	case *program.Call:
		w, ok := library.Window(n)
		return ok && (!w.Store || x.canMove(x.layout.Updated(x.prog, n))) &&
			!slices.ContainsFunc(w.Indices, func(i codegen.WindowIndex) bool { return !x.isInFile(n.Ins[i.Buf]) })
	}
	return false
}

// canMove reports whether scalar code can perform simultaneous copies: those within the file, and one after another the
// others, if they are short and none overwrites the source of another.
func (x *Executable) canMove(moves []sched.Move) bool {
	inMemory, bytes := x.inMemory(moves), int64(0)
	for _, m := range inMemory {
		bytes += m.Bytes
		for _, o := range moves {
			if o != m && (o.From == m.To || o.To == m.From) {
				return false
			}
		}
	}
	return bytes <= maxScalarMove
}

// inMemory returns the copies that are not within the file.
func (x *Executable) inMemory(moves []sched.Move) (out []sched.Move) {
	for _, m := range moves {
		if !x.isRootInFile(m.From) || !x.isRootInFile(m.To) {
			out = append(out, m)
		}
	}
	return out
}

// scalarLoop compiles a loop to scalar code. The file has the small buffers of the state, of the nodes in the loop, and
// of inputs.
func (x *Executable) scalarLoop(s *program.Loop) (runner, error) {
	l := &scalarLoop{x, x.gen.NewScalarCompiler()}
	l.reserveWrites(s)
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
	out, err := x.scalar(l.c)
	if err != nil {
		return nil, err
	}
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

// reserveWrites reserves the buffers that a node and its inner nodes write.
func (l *scalarLoop) reserveWrites(n program.Node) {
	for _, o := range n.Writes() {
		if l.x.isInFile(o) {
			l.reserve(o)
		}
	}
	for _, b := range n.Blocks() {
		for _, inner := range b.Nodes {
			l.reserveWrites(inner)
		}
	}
}

// fillUsed reserves and copies the small buffers that the blocks of a node use.
func (l *scalarLoop) fillUsed(n program.Node) {
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
	for _, b := range n.Blocks() {
		for _, inner := range b.Nodes {
			use(inner.Reads())
			l.fillUsed(inner)
		}
		use(b.Results)
	}
}

func (l *scalarLoop) copy(moves []sched.Move) {
	inMemory := l.x.inMemory(moves)
	for _, m := range inMemory {
		l.c.Window(codegen.Window{Array: m.From, Part: m.To, Bytes: int(m.Bytes), Elem: 1})
	}
	var list []codegen.Move
	for _, m := range moves {
		if !slices.Contains(inMemory, m) {
			list = append(list, codegen.Move(m))
		}
	}
	l.c.Copy(list...)
}

func (l *scalarLoop) loop(s *program.Loop) error {
	cond, body := s.Cond, s.Body
	return l.c.Loop(l.x.layout.Root[cond.Results[0]], func() error { return l.block(cond) }, func() error {
		if err := l.block(body); err != nil {
			return err
		}
		l.copy(l.x.layout.Moves(l.x.prog, body.Results, s.Outs))
		return nil
	})
}

func (l *scalarLoop) block(b *program.Block) error {
	uses := l.usesOf(b)
	for i := 0; i < len(b.Nodes); i++ {
		if e := l.slicedKernel(b, uses, i); e != nil {
			if err := l.tiles(e.kernel, e.windows); err != nil {
				return err
			}
			i += e.nodes - 1
			continue
		}
		if err := l.node(b.Nodes[i]); err != nil {
			return err
		}
	}
	return nil
}

func (l *scalarLoop) node(n program.Node) error {
	switch n := n.(type) {
	case *program.Kernel:
		return l.kernel(n)
	case *program.Contraction:
		c, _ := l.x.scalarContract(n)
		l.c.Contract(c)
		return nil
	case *program.Call:
		l.window(n)
		return nil
	case *program.Loop:
		l.copy(l.x.layout.Entry(l.x.prog, n))
		return l.loop(n)
	case *program.Branch:
		return l.branch(n)
	}
	return fmt.Errorf("internal error: exec: %s in scalar code is not supported", n.Name())
}

func (l *scalarLoop) branch(n *program.Branch) error {
	var arms []func() error
	for i, b := range n.Arms {
		arms = append(arms, func() error {
			if err := l.block(b); err != nil {
				return err
			}
			l.copy(l.x.layout.Leave(l.x.prog, n, i))
			return nil
		})
	}
	return l.c.Branch(l.x.layout.Root[n.Index()], n.IsBool(l.x.prog), arms)
}

func (l *scalarLoop) kernel(s *program.Kernel) error {
	if can, _ := l.x.gen.IsScalar(s.Kernel); can && s.Slices == nil {
		return l.c.Kernel(codegen.AsBits(s.Kernel), l.x.roots(s.Params()))
	}
	return l.tiles(s, l.x.windowsOf(s))
}

// tiles adds a kernel in tiles; windows are its parameters that are parts of arrays.
func (l *scalarLoop) tiles(s *program.Kernel, windows map[int]codegen.Window) error {
	p := l.x.planOf(s.Kernel)
	code, err := l.x.code(s, p)
	if err == nil {
		l.copy(l.x.layout.Updated(l.x.prog, s))
		l.x.plans[s], l.x.codes[s] = p, code
		l.c.Tiles(code, l.x.gen.NewScratch, l.x.roots(s.Params()), windows)
	}
	return err
}

// window adds a slice or an update, which replaces its operand or its copy in the file.
func (l *scalarLoop) window(s *program.Call) {
	w, _ := l.windowOf(s)
	if w.Store {
		l.copy(l.x.layout.Updated(l.x.prog, s))
	}
	l.c.Window(w)
}

// windowOf returns the window of a call, with the roots of buffers.
func (l *scalarLoop) windowOf(s *program.Call) (codegen.Window, bool) {
	w, ok := library.Window(s)
	if !ok {
		return w, false
	}
	out := l.x.layout.Root[s.Outs[0]]
	if w.Part == library.ResultPart {
		w.Array, w.Part = l.x.layout.Root[s.Ins[w.Array]], out
	} else {
		w.Array, w.Part = out, l.x.layout.Root[s.Ins[w.Part]]
	}
	for i := range w.Indices {
		w.Indices[i].Buf = l.x.layout.Root[s.Ins[w.Indices[i].Buf]]
	}
	return w, true
}
