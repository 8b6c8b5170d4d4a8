package program

import (
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// negate returns the kernel of a negation over dims.
func negate(dims ...int64) *kernel.Kernel {
	strides := make([]int64, len(dims))
	n := int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		strides[d], n = n, n*dims[d]
	}
	k := &kernel.Kernel{Name: "negate", Dims: dims}
	v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: &kernel.Access{Strides: strides}})
	v = k.Body.Add(kernel.Instr{Op: kernel.Neg, Type: dtype.F32, Args: [3]kernel.Value{v}})
	k.Stores = []kernel.Store{{Value: v, Type: dtype.F32, At: kernel.Access{Param: 1, Strides: strides}}}
	return k
}

// sample returns b0 → b1 → b2, all f32[4,8], with b3 a view of b1, b4 a bool, b5 a constant
// and b6 to b8 f32[4,8] that are never written.
func sample() *Program {
	f := stablehlo.Tensor(dtype.F32, 4, 8)
	p := &Program{Main: &Block{Args: []int{0, 4}, Results: []int{2}}}
	for i := range 9 {
		p.Buffers = append(p.Buffers, Buffer{Type: f, Alias: -1})
		switch i {
		case 3:
			p.Buffers[i].Alias = 1
			p.Buffers[i].Type = stablehlo.Tensor(dtype.F32, 32)
		case 4:
			p.Buffers[i].Type = stablehlo.Tensor(dtype.Bool)
		case 5:
			p.Buffers[i].Data = make([]byte, 4*32)
		}
	}
	p.Main.Nodes = []Node{p.NewKernel(negate(4, 8), []int{0}, []int{1}), p.NewKernel(negate(4, 8), []int{1}, []int{2})}
	return p
}

// Each rule of programs is violated once.
func TestVerify(t *testing.T) {
	if err := sample().Verify(); err != nil {
		t.Fatal(err)
	}
	negation := func(p *Program, in, out int) *Kernel { return p.NewKernel(negate(4, 8), []int{in}, []int{out}) }
	call := func(in, out int) *Call {
		x := stablehlo.NewOp(stablehlo.OpIota, nil, []stablehlo.Type{stablehlo.Tensor(dtype.F32, 4, 8)}).Result()
		op := stablehlo.NewOp(stablehlo.OpNegate, []*stablehlo.Value{x}, []stablehlo.Type{x.Type()})
		return &Call{Operands: Operands{[]int{in}, []int{out}}, Op: op}
	}
	// The product of b0 and its transpose to b9, with one change.
	contract := func(edit func(n *Contraction)) func(p *Program) {
		return func(p *Program) {
			p.Buffers = append(p.Buffers, Buffer{Type: stablehlo.Tensor(dtype.F32, 4, 4), Alias: -1})
			n := &Contraction{Operands: Operands{[]int{0, 0}, []int{9}}, Acc: dtype.F32, Op: call(0, 0).Op,
				Left:  Matrix{Rows: []Dim{{4, 8}}, Cols: []Dim{{8, 1}}},
				Right: Matrix{Rows: []Dim{{2, 4}, {4, 1}}, Cols: []Dim{{4, 8}}},
				Out:   Matrix{Rows: []Dim{{4, 4}}, Cols: []Dim{{4, 1}}}}
			if edit != nil {
				edit(n)
			}
			p.Main.Nodes = append(p.Main.Nodes, n)
		}
	}
	p := sample()
	if contract(nil)(p); p.Verify() != nil {
		t.Fatal(p.Verify())
	}
	for _, c := range []struct {
		name string
		edit func(p *Program)
		want string
	}{
		{"a dynamic size", func(p *Program) { p.Buffers[8].Type = stablehlo.Tensor(dtype.F32, -1) }, "must be static"},
		{"a short constant", func(p *Program) { p.Buffers[5].Data = make([]byte, 4) }, "128 bytes, got 4"},
		{"a view of a later buffer", func(p *Program) { p.Buffers[3].Alias = 6 }, "must follow its buffer"},
		{"a view of a view", func(p *Program) { p.Buffers[6].Alias = 3 }, "view of b3"},
		{"a view of another size", func(p *Program) { p.Buffers[3].Type = stablehlo.Tensor(dtype.F32, 31) },
			"view of b1"},
		{"no buffer", func(p *Program) { p.Main.Results = []int{9} }, "b9 is not a buffer"},
		{"an argument that is a constant", func(p *Program) { p.Main.Args = []int{5} }, "argument b5"},
		{"read before it is written", func(p *Program) { p.Main.Nodes = p.Main.Nodes[1:] }, "reads b1"},
		{"a result that is never written", func(p *Program) { p.Main.Results = []int{6} }, "reads b6"},
		{"an argument written", func(p *Program) { p.Main.Nodes[1] = negation(p, 1, 0) }, "writes b0"},
		{"a constant written", func(p *Program) { p.Main.Nodes[1] = negation(p, 1, 5) }, "writes b5"},
		{"a parameter too many", func(p *Program) { p.Main.Nodes[1].(*Kernel).Ins = []int{1, 0} },
			"must have 2 buffers"},
		{"a parameter of another size", func(p *Program) { p.Main.Nodes[1] = negation(p, 1, 4) }, "p1"},
		{"a kernel for other buffers", func(p *Program) { p.Main.Nodes[1].(*Kernel).Outs = []int{4} },
			"p1 must fit b4"},
		{"a bad kernel", func(p *Program) { p.Main.Nodes[1].(*Kernel).Kernel.Dims[1] = 9 }, "elements 0 to"},
		{"rows that are not the kernel's", func(p *Program) {
			p.Main.Nodes = []Node{&RowLoop{[]int64{8}, []Node{negation(p, 0, 1), negation(p, 1, 2)}}}
		}, "must be over the rows"},
		{"other rows of a buffer that a row loop writes", func(p *Program) {
			k := negate(4, 8)
			k.Body.Instrs[0].At = &kernel.Access{Offset: 24, Strides: []int64{-8, 1}}
			p.Main.Nodes = []Node{&RowLoop{[]int64{4}, []Node{negation(p, 0, 1), p.NewKernel(k, []int{1}, []int{2})}}}
		}, "beyond its rows"},
		{"a call in a row loop", func(p *Program) {
			p.Main.Nodes = []Node{&RowLoop{[]int64{4}, []Node{negation(p, 0, 1), call(1, 2)}}}
		}, "in a row loop"},
		{"a local value used after its row loop", func(p *Program) {
			p.Buffers[1].Local = true
			p.Main.Nodes = []Node{&RowLoop{[]int64{4}, []Node{negation(p, 0, 1)}}, negation(p, 1, 2)}
		}, "local to another row loop"},
		{"a local value in two row loops", func(p *Program) {
			p.Buffers[1].Local = true
			p.Main.Nodes = []Node{&RowLoop{[]int64{4}, []Node{negation(p, 0, 1)}},
				&RowLoop{[]int64{4}, []Node{negation(p, 1, 2)}}}
		}, "local to another row loop"},
		{"a local value without a row loop", func(p *Program) {
			p.Buffers[1].Local = true
			p.Main.Nodes = []Node{negation(p, 0, 1)}
		}, "outside of its row loop"},
		{"a state of another type", func(p *Program) {
			b := &Block{Args: []int{2}, Results: []int{4}}
			p.Main.Nodes = []Node{&Loop{Operands{[]int{4}, []int{2}}, b, &Block{Args: []int{2}, Results: []int{2}}}}
		}, "initial state"},
		{"a condition that is not a bool", func(p *Program) {
			b := &Block{Args: []int{2}, Results: []int{2}}
			p.Main.Nodes = []Node{&Loop{Operands{[]int{0}, []int{2}}, b, b}}
		}, "must be a bool"},
		{"a body with another next state", func(p *Program) {
			p.Main.Nodes = []Node{&Loop{Operands{[]int{0}, []int{2}}, &Block{Args: []int{2}, Results: []int{4}},
				&Block{Args: []int{2}, Results: []int{4}}}}
		}, "next state"},
		{"blocks of a loop without its state", func(p *Program) {
			p.Main.Nodes = []Node{&Loop{Operands{[]int{0}, []int{2}}, &Block{Results: []int{4}},
				&Block{Args: []int{2}, Results: []int{2}}}}
		}, "state as arguments"},
		{"a value of a block used outside", func(p *Program) {
			arm := func() *Block { return &Block{Nodes: []Node{negation(p, 0, 6)}, Results: []int{6}} }
			p.Main.Nodes = []Node{&Branch{Operands{[]int{4}, []int{2}}, []*Block{arm(), arm()}}, negation(p, 6, 7)}
		}, "reads b6"},
		{"a bool index of three blocks", func(p *Program) {
			b := &Block{Results: []int{0}}
			p.Main.Nodes = []Node{&Branch{Operands{[]int{4}, []int{2}}, []*Block{b, b, b}}}
		}, "got 3"},
		{"a branch by a tensor", func(p *Program) {
			p.Main.Nodes = []Node{&Branch{Operands{[]int{0}, []int{2}}, []*Block{{Results: []int{0}}}}}
		}, "must be a bool or s32 scalar"},
		{"an arm with a result of another type", func(p *Program) {
			p.Main.Nodes = []Node{&Branch{Operands{[]int{4}, []int{2}},
				[]*Block{{Results: []int{0}}, {Results: []int{4}}}}}
		}, "block 1"},
		{"a call of another type", func(p *Program) { p.Main.Nodes[1] = call(4, 2) }, "b4 of type"},
		{"a call with too few operands", func(p *Program) { c := call(1, 2); c.Ins = nil; p.Main.Nodes[1] = c },
			"0 buffers to 1"},
		{"captured without a region", func(p *Program) { c := call(1, 2); c.Ins = []int{1, 0}; p.Main.Nodes[1] = c },
			"need a region"},
		{"a body with too few parameters", func(p *Program) {
			c := call(1, 2)
			c.Bodies = []*Body{{Kernel: p.NewKernel(negate(4), nil, []int{1, 2}).Kernel, Args: 2, Results: 1}}
			p.Main.Nodes[1] = c
		}, "2 parameters do not fit 2 arguments"},
		{"a body over two dimensions", func(p *Program) {
			c := call(1, 2)
			c.Bodies = []*Body{{Kernel: p.NewKernel(negate(4, 8), nil, []int{1, 2}).Kernel, Args: 1, Results: 1}}
			p.Main.Nodes[1] = c
		}, "must be a function of scalars"},
		{"a body that stores its result at an offset", func(p *Program) {
			k := negate(4)
			k.Stores[0].At.Offset = 1
			c := call(1, 2)
			c.Bodies = []*Body{{Kernel: p.NewKernel(k, nil, []int{1, 2}).Kernel, Args: 1, Results: 1}}
			p.Main.Nodes[1] = c
		}, "element by element"},
		{"a key of no body", func(p *Program) {
			c := call(1, 2)
			c.Keys = []SortKey{{Operand: -1}}
			p.Main.Nodes[1] = c
		},
			"key 0"},
		{"a parallel group of dependent nodes", func(p *Program) {
			p.Main.Nodes = []Node{&ParallelGroup{[]Node{negation(p, 0, 1), negation(p, 1, 2)}}}
		}, "reads b1 before it is written"},
		{"a parallel group that overwrites its operand", func(p *Program) {
			p.Main.Nodes = []Node{negation(p, 0, 1), &ParallelGroup{[]Node{negation(p, 1, 2), negation(p, 0, 1)}}}
		}, "writes in parallel"},
		{"a parallel group that writes a buffer twice", func(p *Program) {
			p.Main.Nodes = []Node{&ParallelGroup{[]Node{negation(p, 0, 2), negation(p, 0, 2)}}}
		}, "two nodes write b2"},
		{"a branch in a parallel group", func(p *Program) {
			p.Main.Nodes = []Node{
				&ParallelGroup{[]Node{&Branch{Operands{[]int{4}, []int{2}},
					[]*Block{{Results: []int{0}}, {Results: []int{0}}}}}}}
		}, "branch is not supported in a parallel group"},
		{"matrices that do not fit", contract(func(n *Contraction) { n.Left.Rows[0].Size = 3 }), "do not fit"},
		{"batches that do not fit", contract(func(n *Contraction) { n.Left.Batch = []Dim{{2, 0}} }), "do not fit"},
		{"an operand past its end", contract(func(n *Contraction) { n.Left.Offset = 1 }),
			"reaches elements 1 to 32 of b0"},
		{"an operand before its start", contract(func(n *Contraction) { n.Right.Cols[0].Stride = -8 }),
			"reaches elements -24"},
		{"a stride that overflows", contract(func(n *Contraction) { n.Left.Rows[0].Stride = 1 << 62 }), "leaves b0"},
		{"a result with gaps", contract(func(n *Contraction) { n.Out.Rows[0].Stride = 5 }), "each element once"},
		{"a result written twice", contract(func(n *Contraction) { n.Out.Rows[0].Stride = 0 }), "each element once"},
		{"a part of the result", contract(func(n *Contraction) { n.Outs[0] = 6 }), "must be all of b6"},
		{"no accumulation type", contract(func(n *Contraction) { n.Acc = dtype.Invalid }), "is missing"},
		{"a window without steps", contract(func(n *Contraction) {
			n.Windows = []Window{{In: 1, Taps: 1, Positions: 1}}
		}),
			"window is not valid"},
		{"taps past the end", contract(func(n *Contraction) {
			n.Windows = []Window{{In: 1, Taps: 9, Positions: 1, Right: 1, Step: 1, Dilation: 1, BaseDilation: 1}}
		}), "of b0"},
		{"an update of a missing operand", func(p *Program) {
			c := call(1, 2)
			c.Updates = []int{1}
			p.Main.Nodes[1] = c
		},
			"cannot update operand 1"},
	} {
		p := sample()
		c.edit(p)
		if err := p.Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.name, err, c.want)
		}
	}
}
