package eval

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
)

// Program evaluates a program node by node, with separate memory for each buffer. A fused row loop and a parallel group
// are evaluated as the sequence of their nodes. Calls are not supported. The arguments are only read.
func Program(p *program.Program, args [][]byte, o Options) ([][]byte, error) {
	if err := p.Verify(); err != nil {
		return nil, err
	}
	m := &machine{p: p, o: o, mem: make([][]byte, len(p.Buffers))}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		switch {
		case b.Data != nil:
			m.mem[i] = b.Data
		case b.Alias >= 0:
			m.mem[i] = m.mem[b.Alias]
		default:
			m.mem[i] = make([]byte, b.SizeBytes())
		}
	}
	if len(args) != len(p.Main.Args) {
		return nil, fmt.Errorf("eval: %d arguments, want %d", len(args), len(p.Main.Args))
	}
	for i, a := range p.Main.Args {
		copy(m.mem[a], args[i])
	}
	if err := m.block(p.Main); err != nil {
		return nil, err
	}
	return m.copies(p.Main.Results), nil
}

// machine is the memory of a program.
type machine struct {
	p   *program.Program
	o   Options
	mem [][]byte // of each buffer
}

// copies returns the contents of buffers.
func (m *machine) copies(bufs []int) [][]byte {
	var out [][]byte
	for _, b := range bufs {
		out = append(out, append([]byte(nil), m.mem[b]...))
	}
	return out
}

// assign copies buffers to others; the copies happen at the same time.
func (m *machine) assign(to, from []int) {
	for i, data := range m.copies(from) {
		copy(m.mem[to[i]], data)
	}
}

func (m *machine) block(b *program.Block) error {
	for _, n := range b.Nodes {
		if err := m.node(n); err != nil {
			return err
		}
	}
	return nil
}

func (m *machine) node(n program.Node) error {
	switch n := n.(type) {
	case *program.Kernel:
		return Run(n.Kernel, plan.Of(n.Kernel), m.params(n), m.o)
	case *program.RowLoop, *program.ParallelGroup:
		return m.block(&program.Block{Nodes: program.Parts(n)})
	case *program.Contraction:
		return m.contract(n)
	case *program.Loop:
		m.assign(n.Outs, n.Ins)
		for {
			if err := m.block(n.Cond); err != nil {
				return err
			}
			if m.mem[n.Cond.Results[0]][0] == 0 {
				return nil
			}
			if err := m.block(n.Body); err != nil {
				return err
			}
			m.assign(n.Outs, n.Body.Results)
		}
	case *program.Branch:
		arm := len(n.Arms) - 1
		index := m.mem[n.Index()]
		if n.IsBool(m.p) {
			if index[0] != 0 {
				arm = 0
			}
		} else if i := dtype.S32.LoadInt(index, 0); i >= 0 && i < int64(arm) {
			arm = int(i)
		}
		if err := m.block(n.Arms[arm]); err != nil {
			return err
		}
		m.assign(n.Outs, n.Arms[arm].Results)
		return nil
	}
	return fmt.Errorf("eval: %s is not supported", n.Name())
}

// params returns the memory of the parameters of a kernel. Partially written results start as the array that they
// update.
func (m *machine) params(n *program.Kernel) (out [][]byte) {
	for _, b := range n.Params() {
		out = append(out, m.mem[b])
	}
	for _, s := range n.Slices {
		if s.Array >= 0 {
			copy(out[s.Param], m.mem[n.Ins[s.Array]])
		}
		first := int64(0)
		for _, at := range s.Starts {
			index := n.Ins[at.Index]
			i := m.p.Buffers[index].Type.DType().LoadInt(m.mem[index], 0)
			first += min(max(i, 0), at.Limit) * at.Stride
		}
		p := n.Kernel.Params[s.Param]
		size := int64(p.Type.Size())
		out[s.Param] = out[s.Param][first*size:][:p.Elems*size]
	}
	return out
}

// sumBlock is the number of terms that are summed in order from 0 before their sum is added to the total.
const sumBlock = 256

// contract evaluates a contraction of F32 or F64: over the taps of its windows, and the features of each tap.
func (m *machine) contract(n *program.Contraction) error {
	for i, b := range append(n.Outs, n.Ins...) {
		isComputed := n.Prologue != nil && i > 1
		if n.Acc != dtype.F32 && n.Acc != dtype.F64 || !isComputed && m.p.Buffers[b].Type.DType() != n.Acc {
			return fmt.Errorf("eval: the operands of %s must have its accumulator type, f32 or f64", n)
		}
	}
	right, of, err := m.right(n)
	if err != nil {
		return err
	}
	left, out := m.mem[n.Ins[0]], m.mem[n.Outs[0]]
	var positions, taps []int64
	for _, w := range n.Windows {
		positions, taps = append(positions, w.Positions), append(taps, w.Taps)
	}
	features := program.Size(n.Left.Cols)
	for b := range program.Size(n.Out.Batch) {
		for i := range program.Size(n.Out.Rows) {
			for j := range program.Size(n.Out.Cols) {
				err := each(positions, func(at []int64) error {
					s := blockSum{m: m, t: n.Acc}
					to := element(&n.Out, b, i, j)
					for d, w := range n.Windows {
						to += at[d] * w.Out
					}
					err := each(taps, func(tap []int64) error {
						x, y, inBounds := windowIndices(n.Windows, at, tap)
						for k := range features {
							factor := 0.0
							if inBounds {
								factor = n.Acc.LoadFloat(left, int(x+element(&n.Left, b, i, k)))
							}
							s.add(factor, n.Acc.LoadFloat(right, int(y+element(of, b, k, j))))
						}
						return nil
					})
					n.Acc.StoreFloat(out, int(to), s.result())
					return err
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// windowIndices returns the offsets of the operands for a tap at a position, and whether the left one is in bounds.
func windowIndices(windows []program.Window, at, tap []int64) (left, right int64, inBounds bool) {
	inBounds = true
	for d, w := range windows {
		q := at[d]*w.Step + tap[d]*w.Dilation - w.Low
		inBounds = inBounds && q >= 0 && q%w.BaseDilation == 0 && q/w.BaseDilation < w.In
		left += q / w.BaseDilation * w.Left
		if w.Reversed {
			right += (w.Taps - 1 - tap[d]) * w.Right
		} else {
			right += tap[d] * w.Right
		}
	}
	return left, right, inBounds
}

// right returns the right operand and its matrix; with a prologue it is computed.
func (m *machine) right(n *program.Contraction) ([]byte, *program.Matrix, error) {
	if n.Prologue == nil {
		return m.mem[n.Ins[1]], &n.Right, nil
	}
	batch, rows, cols := program.Size(n.Right.Batch), program.Size(n.Right.Rows), program.Size(n.Right.Cols)
	of := &program.Matrix{Batch: []program.Dim{{Size: batch, Stride: rows * cols}},
		Rows: []program.Dim{{Size: rows, Stride: cols}}, Cols: []program.Dim{{Size: cols, Stride: 1}}}
	k := *n.Prologue.Kernel
	k.Dims, k.Params = []int64{batch * rows * cols}, slices.Clone(k.Params)
	var params [][]byte
	for i := range k.Params {
		k.Params[i].Elems = k.Dims[0]
		params = append(params, make([]byte, k.Dims[0]*int64(k.Params[i].Type.Size())))
	}
	for i, from := range append([]program.Matrix{n.Right}, n.PrologueIns...) {
		size := int64(k.Params[i].Type.Size())
		for at := range k.Dims[0] {
			b, row, col := at/(rows*cols), at/cols%rows, at%cols
			copy(params[i][at*size:][:size], m.mem[n.Ins[1+i]][element(&from, b, row, col)*size:])
		}
	}
	err := Run(&k, plan.Of(&k), params, m.o)
	return params[len(params)-1], of, err
}

// blockSum is a blocked sum of products: sumBlock of them in order from 0, and then the sums of these.
type blockSum struct {
	m          *machine
	t          dtype.Type
	count      int
	total, sum float64
}

func (s *blockSum) add(x, y float64) {
	if s.count > 0 && s.count%sumBlock == 0 {
		s.total, s.sum = s.result(), 0
	}
	s.sum = s.m.multiplyAdd(s.t, s.sum, x, y)
	s.count++
}

func (s *blockSum) result() float64 {
	if s.count <= sumBlock {
		return s.sum
	}
	return rounded(s.t, s.total+s.sum)
}

// multiplyAdd returns sum + x·y.
func (m *machine) multiplyAdd(t dtype.Type, sum, x, y float64) float64 {
	switch {
	case m.o.Fused && t == dtype.F32:
		return float64(fma32(x, y, sum))
	case m.o.Fused:
		return math.FMA(x, y, sum)
	}
	return rounded(t, sum+rounded(t, x*y))
}

// rounded rounds x to type t. A sum or product of two F32, rounded to F64 and then to F32, is correctly rounded.
func rounded(t dtype.Type, x float64) float64 {
	if t == dtype.F32 {
		return float64(float32(x))
	}
	return x
}

// element returns the offset of an element of a matrix.
func element(m *program.Matrix, batch, row, col int64) int64 {
	return m.Offset + dimOffset(m.Batch, batch) + dimOffset(m.Rows, row) + dimOffset(m.Cols, col)
}

// dimOffset returns the offset of point i of dimensions, the last of which varies fastest.
func dimOffset(dims []program.Dim, i int64) int64 {
	off := int64(0)
	for d := len(dims) - 1; d >= 0; d-- {
		off += i % dims[d].Size * dims[d].Stride
		i /= dims[d].Size
	}
	return off
}
