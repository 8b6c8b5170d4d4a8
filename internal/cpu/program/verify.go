package program

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// Verify reports a program that breaks a rule: kernels are valid and their parameters match their
// buffers; a node reads only buffers that were written, and writes no argument or constant; the
// blocks of loops and branches have the right results; steps of a row loop share values only in
// their rows. It shares no code with the passes that make programs.
func (p *Program) Verify() error {
	for i := range p.Buffers {
		if err := p.verifyBuffer(i); err != nil {
			return fmt.Errorf("b%d: %w", i, err)
		}
	}
	if p.Main == nil {
		return errors.New("the program has no nodes")
	}
	v := &verifier{p: p, written: make([]bool, len(p.Buffers)), readOnly: make([]bool, len(p.Buffers)),
		locals: map[int]*RowLoop{}, kernels: map[*kernel.Kernel]bool{}}
	for i := range p.Buffers {
		if p.Buffers[i].Data != nil {
			v.written[i], v.readOnly[i] = true, true
		}
	}
	if err := v.checkExist(p.Main.Args); err != nil {
		return err
	}
	for _, a := range p.Main.Args {
		if p.Buffers[a].Alias >= 0 || v.written[a] {
			return fmt.Errorf("argument b%d must not be a view, a constant or another argument", a)
		}
		v.written[a], v.readOnly[a] = true, true
	}
	for i := range p.Buffers {
		if p.Buffers[i].Donated && !slices.Contains(p.Main.Args, i) {
			return fmt.Errorf("b%d is donated, but is not an argument", i)
		}
	}
	return v.block(p.Main)
}

func (p *Program) verifyBuffer(i int) error {
	b := &p.Buffers[i]
	if b.Type == nil || !b.Type.IsStatic() {
		return fmt.Errorf("its type must be static, got %v", b.Type)
	}
	if b.Data != nil && int64(len(b.Data)) != b.SizeBytes() {
		return fmt.Errorf("a constant must have the size of its type %s, %d bytes, got %d",
			b.Type, b.SizeBytes(), len(b.Data))
	}
	if b.Alias < -1 || b.Alias >= i {
		return fmt.Errorf("a view must follow its buffer, got b%d", b.Alias)
	}
	if b.Alias >= 0 &&
		(b.Data != nil || p.Buffers[b.Alias].Alias >= 0 || p.Buffers[b.Alias].SizeBytes() != b.SizeBytes()) {
		return fmt.Errorf("a view of b%d must have its size, %d bytes, got %d", b.Alias, p.Buffers[b.Alias].SizeBytes(),
			b.SizeBytes())
	}
	return nil
}

// verifier walks a program in execution order.
type verifier struct {
	p        *Program
	written  []bool   // of each buffer that is not a view, whether an earlier node has written it
	defined  []int    // those that nodes of the enclosing blocks have written
	readOnly []bool   // those that no node may write
	loop     *RowLoop // whose steps are being checked
	inGroup  bool
	kernels  map[*kernel.Kernel]bool // that have been checked
	locals   map[int]*RowLoop        // of each local buffer, the row loop that has written it
}

// checkExist checks that numbers are those of buffers.
func (v *verifier) checkExist(bufs []int) error {
	for _, b := range bufs {
		if b < 0 || b >= len(v.p.Buffers) {
			return fmt.Errorf("b%d is not a buffer", b)
		}
	}
	return nil
}

// read checks that buffers have been written.
func (v *verifier) read(bufs []int) error {
	if err := v.checkExist(bufs); err != nil {
		return err
	}
	for _, b := range bufs {
		o := v.p.Origin(b)
		if !v.written[o] {
			return fmt.Errorf("reads b%d before it is written", b)
		}
		if v.p.Buffers[o].Local && (o != b || v.locals[o] != v.loop) {
			return fmt.Errorf("reads b%d, which is local to another row loop", b)
		}
	}
	return nil
}

func (v *verifier) write(bufs []int) error {
	if err := v.checkExist(bufs); err != nil {
		return err
	}
	for i, b := range bufs {
		if v.p.Buffers[b].Alias >= 0 || v.readOnly[b] {
			return fmt.Errorf("writes b%d, which is a view, an argument or a constant", b)
		}
		if v.p.Buffers[b].Local && v.loop == nil {
			return fmt.Errorf("writes b%d, which is local, outside of its row loop", b)
		}
		if slices.Contains(bufs[:i], b) {
			return fmt.Errorf("writes b%d twice", b)
		}
		if !v.written[b] {
			v.written[b] = true
			v.defined = append(v.defined, b)
		}
	}
	return nil
}

func (v *verifier) block(b *Block) error {
	for i, n := range b.Nodes {
		if err := v.node(n); err != nil {
			return fmt.Errorf("node %d, %s: %w", i, n.Name(), err)
		}
	}
	if err := v.read(b.Results); err != nil {
		return fmt.Errorf("the end of a block: %w", err)
	}
	return nil
}

func (v *verifier) node(n Node) error {
	if err := errors.Join(v.read(n.Reads()), v.checkExist(n.Writes())); err != nil {
		return err
	}
	switch n := n.(type) {
	case *Kernel:
		if err := v.kernel(n); err != nil {
			return fmt.Errorf("%w\n%s", err, n.Kernel)
		}
	case *RowLoop:
		return v.rowLoop(n)
	case *ParallelGroup:
		return v.parallelGroup(n)
	case *Loop:
		return v.whileLoop(n)
	case *Branch:
		return v.branch(n)
	case *Contraction:
		if err := n.verify(v.p); err != nil {
			return err
		}
	case *Call:
		if err := n.verify(v.p); err != nil {
			return err
		}
	default:
		return fmt.Errorf("a node of type %T is not supported", n)
	}
	return v.write(n.Writes())
}

// kernel checks a kernel and that its parameters are the buffers.
func (v *verifier) kernel(n *Kernel) error {
	k := n.Kernel
	if !v.kernels[k] {
		if err := k.Verify(); err != nil {
			return err
		}
		v.kernels[k] = true
	}
	if num := n.NumIns(); num < 0 || num > len(n.Ins) || n.Slices == nil && num < len(n.Ins) {
		return fmt.Errorf("kernel %s must have %d buffers, got %d", k.Name, len(k.Params), len(n.Ins)+len(n.Outs))
	}
	bufs := n.Params()
	if err := v.checkExist(bufs); err != nil {
		return err
	}
	if err := v.slices(n); err != nil {
		return err
	}
	for i, b := range bufs {
		t := v.p.Buffers[b].Type
		elems, _ := t.NumElems()
		if n.Slice(i) == nil && k.Params[i].Elems != elems || k.Params[i].Type != t.DType() {
			return fmt.Errorf("kernel %s: p%d must fit b%d, which has %d elements of %s",
				k.Name, i, b, elems, t.DType())
		}
	}
	return nil
}

// rowLoop checks that the steps have the rows and share values row by row.
func (v *verifier) rowLoop(n *RowLoop) error {
	rows, written := n.NumRows(), map[int]bool{}
	v.loop = n
	defer func() { v.loop = nil }()
	for _, s := range n.Steps {
		for _, b := range s.Writes() {
			if err := v.checkExist([]int{b}); err != nil {
				return err
			}
			if v.p.Buffers[b].Local && v.locals[b] == nil {
				v.locals[b] = n
			}
		}
		if err := v.node(s); err != nil {
			return fmt.Errorf("%s: %w", s.Name(), err)
		}
		switch s := s.(type) {
		case *Kernel:
			if _, ok := RowDims(s.Kernel, rows); !ok {
				return fmt.Errorf("%s: %v must be over the rows %v", s.Name(), s.Kernel.Dims, n.Rows)
			}
		case *Contraction:
			if !IsRowContraction(v.p, s, rows) {
				return fmt.Errorf("the contraction must be over the rows %v: %s", n.Rows, s)
			}
		default:
			return fmt.Errorf("%s is not supported in a row loop", s.Name())
		}
		for _, o := range s.Writes() {
			written[v.p.Origin(o)] = true
		}
	}
	for _, s := range n.Steps {
		for i, b := range slices.Concat(s.Reads(), s.Writes()) {
			if IsUpdated(s, i) {
				if !v.p.isOnlyUser(n, s, b) {
					return fmt.Errorf("%s: b%d is changed in part and used by other steps", s.Name(), b)
				}
				continue
			}
			if written[v.p.Origin(b)] && !v.p.RowLocal(s, i, rows) {
				return fmt.Errorf("%s: b%d is written in the row loop and used beyond its rows", s.Name(), b)
			}
		}
	}
	return nil
}

// parallelGroup checks that no node uses another's results.
func (v *verifier) parallelGroup(n *ParallelGroup) error {
	v.inGroup = true
	defer func() { v.inGroup = false }()
	written := map[int]int{} // by which node
	for i, m := range n.Nodes {
		for _, b := range m.Writes() {
			if _, twice := written[b]; twice {
				return fmt.Errorf("two nodes write b%d", b)
			}
			written[b] = i
		}
	}
	for i, m := range n.Nodes {
		switch m.(type) {
		case *Kernel, *Contraction:
		default:
			return fmt.Errorf("%s is not supported in a parallel group", m.Name())
		}
		if err := v.checkExist(m.Reads()); err != nil {
			return err
		}
		for _, b := range m.Reads() {
			if by, ok := written[v.p.Origin(b)]; ok && by != i {
				return fmt.Errorf("%s reads b%d, which %s writes in parallel", m.Name(), b, n.Nodes[by].Name())
			}
		}
		if err := v.node(m); err != nil {
			return fmt.Errorf("%s: %w", m.Name(), err)
		}
	}
	return nil
}

// sameTypes checks that values have the types of other buffers.
func (v *verifier) sameTypes(what string, from, to []int) error {
	if len(from) != len(to) {
		return fmt.Errorf("%s must have %d values, got %d", what, len(to), len(from))
	}
	for i, b := range from {
		t, u := v.p.Buffers[b].Type, v.p.Buffers[to[i]].Type
		if t.DType() != u.DType() || !slices.Equal(t.Dims, u.Dims) {
			return fmt.Errorf("%s: b%d of type %s must have the type of b%d, %s", what, b, t, to[i], u)
		}
	}
	return nil
}

func (v *verifier) whileLoop(n *Loop) error {
	if n.Cond == nil || n.Body == nil || !slices.Equal(n.Cond.Args, n.Outs) || !slices.Equal(n.Body.Args, n.Outs) {
		return errors.New("its blocks must have the state as arguments")
	}
	if err := v.write(n.Outs); err != nil {
		return err
	}
	if err := v.sameTypes("the initial state", n.Ins, n.Outs); err != nil {
		return err
	}
	if err := v.inside("condition", n.Cond); err != nil {
		return err
	}
	if len(n.Cond.Results) != 1 || !v.isScalar(n.Cond.Results[0], dtype.Bool) {
		return errors.New("its condition must be a bool")
	}
	if err := v.inside("body", n.Body); err != nil {
		return err
	}
	return v.sameTypes("the next state", n.Body.Results, n.Outs)
}

func (v *verifier) isScalar(b int, types ...dtype.Type) bool {
	t := v.p.Buffers[b].Type
	return t.Rank() == 0 && slices.Contains(types, t.DType())
}

func (v *verifier) branch(n *Branch) error {
	switch {
	case len(n.Ins) != 1 || !v.isScalar(n.Index(), dtype.Bool, dtype.S32):
		return errors.New("its index must be a bool or s32 scalar")
	case len(n.Arms) == 0 || v.isScalar(n.Index(), dtype.Bool) && len(n.Arms) != 2:
		return fmt.Errorf("it must have a block per index, got %d", len(n.Arms))
	}
	for i, b := range n.Arms {
		if b == nil || len(b.Args) > 0 {
			return fmt.Errorf("block %d must not have arguments", i)
		}
		if err := v.inside(fmt.Sprintf("block %d", i), b); err != nil {
			return err
		}
		if err := v.checkExist(n.Outs); err != nil {
			return err
		}
		if err := v.sameTypes(fmt.Sprintf("block %d", i), b.Results, n.Outs); err != nil {
			return err
		}
	}
	return v.write(n.Outs)
}

// inside checks a block of a node; its results are undefined afterwards.
func (v *verifier) inside(what string, b *Block) error {
	mark := len(v.defined)
	err := v.block(b)
	for _, x := range v.defined[mark:] {
		v.written[x] = false
	}
	v.defined = v.defined[:mark]
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// verify checks that the buffers are the operands and results of the op.
func (n *Call) verify(p *Program) error {
	if n.Op == nil {
		return errors.New("the op is missing")
	}
	operands, results := tensors(n.Op.Operands), tensors(n.Op.Results)
	if len(n.Ins) < len(operands) || len(n.Outs) != len(results) {
		return fmt.Errorf("%d buffers to %d do not fit %d operands to %d results", len(n.Ins), len(n.Outs),
			len(operands), len(results))
	}
	if len(n.Ins) > len(operands) && len(n.Op.Regions) == 0 {
		return fmt.Errorf("captured values need a region")
	}
	same := func(bufs []int, values []*stablehlo.Value) error {
		for i, v := range values {
			b := &p.Buffers[bufs[i]]
			if t := v.Tensor(); t.DType() != b.Type.DType() || !slices.Equal(t.Dims, b.Type.Dims) {
				return fmt.Errorf("b%d of type %s must fit the value %s of type %s", bufs[i], b.Type, v.Name(), t)
			}
		}
		return nil
	}
	if err := errors.Join(same(n.Ins, operands), same(n.Outs, results)); err != nil {
		return err
	}
	if n.Updates != nil && len(n.Updates) != len(n.Outs) {
		return fmt.Errorf("updates must be listed for %d results, got %d", len(n.Outs), len(n.Updates))
	}
	for i, in := range n.Updates {
		if in < -1 || in >= len(operands) ||
			in >= 0 && p.Buffers[n.Ins[in]].SizeBytes() != p.Buffers[n.Outs[i]].SizeBytes() {
			return fmt.Errorf("result %d cannot update operand %d", i, in)
		}
	}
	for i, b := range n.Bodies {
		if err := b.verify(len(n.Ins) - len(operands)); err != nil {
			return fmt.Errorf("body %d: %w\n%s", i, err, b.Kernel)
		}
	}
	for i, k := range n.Keys {
		if k.Operand < -1 || k.Operand >= len(operands) || k.Operand < 0 && (k.Body < 0 || k.Body >= len(n.Bodies)) {
			return fmt.Errorf("key %d is not valid: operand %d, body %d", i, k.Operand, k.Body)
		}
	}
	return nil
}

// verify checks a body of a call with captured values.
func (b *Body) verify(captured int) error {
	k := b.Kernel
	if err := k.Verify(); err != nil {
		return err
	}
	if b.Args < 0 || b.Results < 1 || len(k.Params) != b.Args+b.Results+captured {
		return fmt.Errorf("%d parameters do not fit %d arguments, %d results and %d captured values", len(k.Params),
			b.Args, b.Results, captured)
	}
	if len(k.Dims) != 1 || len(k.Reduces) > 0 || len(k.Stores) != b.Results {
		return errors.New("it must be a function of scalars")
	}
	for i, s := range k.Stores {
		if s.At.Param != b.Args+i || s.At.Offset != 0 || !slices.Equal(s.At.Strides, []int64{1}) || !s.At.IsAffine() {
			return fmt.Errorf("result %d must be stored element by element", i)
		}
	}
	return nil
}

// tensors returns the values that are tensors, not tokens.
func tensors(list []*stablehlo.Value) []*stablehlo.Value {
	return slices.DeleteFunc(slices.Clone(list), func(v *stablehlo.Value) bool { return v.Tensor() == nil })
}
