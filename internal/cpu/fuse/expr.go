package fuse

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// exprs builds the instructions of one kernel.
type exprs struct {
	iterSpace
	p        *planner
	body     *kernel.Body
	cluster  *cluster
	memo     map[*stablehlo.Value][]memo
	accesses []pendingAccess // the accesses whose strides may still change with the space
	ins      []int           // buffers loaded, in order of first use
	param    map[int]int
	scalarOf map[*stablehlo.Value]kernel.Value // values of a region being expanded
	need     *stablehlo.Value                  // a value that must be in memory for this kernel to be built
}

type memo struct {
	at view
	v  kernel.Value
}

// pendingAccess is an access under construction: its linear form in elements, and those of its
// guards.
type pendingAccess struct {
	at     *kernel.Access
	lin    *form
	guards []*form
	kept   bool // only over the kept dimensions
}

// value returns the instruction that computes the element of v in the view; ok is false when a
// value must be in memory first (e.need).
func (e *exprs) value(v *stablehlo.Value, at view) (kernel.Value, bool) {
	if x, ok := e.scalarOf[v]; ok {
		return x, true
	}
	for _, m := range e.memo[v] {
		if m.at.equal(at) {
			return m.v, true
		}
	}
	x, ok := e.compute(v, at)
	if ok {
		e.memo[v] = append(e.memo[v], memo{at, x})
	}
	return x, ok
}

func (e *exprs) compute(v *stablehlo.Value, at view) (kernel.Value, bool) {
	op := v.Op()
	if op == nil || !e.p.inlined(op, e.cluster) {
		return e.load(v, at), true
	}
	switch op.Code {
	case stablehlo.OpConstant:
		return e.constant(op.Attr("value").(*stablehlo.ElementsAttr)), true
	case stablehlo.OpIota:
		return e.index(v.Tensor().DType(), at[op.Int("iota_dimension", 0)]), true
	case stablehlo.OpBroadcastInDim, stablehlo.OpBroadcast, stablehlo.OpTranspose, stablehlo.OpSlice,
		stablehlo.OpReverse:
		return e.value(op.Operands[0], e.viewOf(op, at))
	case stablehlo.OpReshape:
		from, ok := e.reshapeView(at, v.Tensor().Dims, op.Operands[0].Tensor().Dims)
		if !ok {
			e.need = v
			return kernel.None, false
		}
		return e.value(op.Operands[0], from)
	case stablehlo.OpOptimizationBarrier:
		return e.value(op.Operands[v.Index()], at)
	case stablehlo.OpPad:
		return e.loadPadded(op, at)
	case stablehlo.OpDynamicSlice, stablehlo.OpGather:
		return e.loadLookup(op, at)
	}
	args := make([]kernel.Value, len(op.Operands))
	for i, o := range op.Operands {
		view := at
		if o.Tensor().Rank() == 0 { // the scalar operands of clamp and select
			view = nil
		}
		x, ok := e.value(o, view)
		if !ok {
			return kernel.None, false
		}
		args[i] = x
	}
	return e.apply(op, args), true
}

// load returns the load of a value in memory.
func (e *exprs) load(v *stablehlo.Value, at view) kernel.Value {
	buf := e.p.buffer(v)
	t := v.Tensor().DType()
	acc := e.access(e.paramOf(buf), v.Tensor().Dims, at)
	return e.body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: acc})
}

// loadPadded returns the load of the element of a padded value with its fill: there is a guard per
// dimension that grows.
func (e *exprs) loadPadded(op *stablehlo.Op, at view) (kernel.Value, bool) {
	low, high := op.Ints("edge_padding_low"), op.Ints("edge_padding_high")
	dims := op.Operands[0].Tensor().Dims
	from := make(view, len(at))
	for d, n := range low {
		from[d] = e.scaled(at[d], 1, -n)
	}
	var guards []kernel.Guard
	var forms []*form
	for d, f := range from {
		if low[d] > 0 || high[d] > 0 {
			guards, forms = append(guards, kernel.Guard{Size: dims[d]}), append(forms, f)
		}
	}
	fill := kernel.Value(0)
	if len(guards) > 0 {
		var ok bool
		if fill, ok = e.value(op.Operands[1], nil); !ok {
			return kernel.None, false
		}
	}
	v := e.load(op.Operands[0], from)
	load := &e.accesses[len(e.accesses)-1]
	load.at.Guards, load.at.Fill, load.guards = guards, fill, forms
	return v, true
}

func (e *exprs) paramOf(buf int) int {
	if p, ok := e.param[buf]; ok {
		return p
	}
	e.param[buf] = len(e.ins)
	e.ins = append(e.ins, buf)
	return e.param[buf]
}

// access returns the access to a dense array of the given sizes.
func (e *exprs) access(param int, dims []int64, at view) *kernel.Access {
	lin := e.newForm(0)
	stride := int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		lin.c += at[d].c * stride
		for i, k := range at[d].k {
			lin.k[i] += k * stride
		}
		stride *= dims[d]
	}
	a := &kernel.Access{Param: param}
	e.accesses = append(e.accesses, pendingAccess{at: a, lin: lin})
	return a
}

// represents reports whether a type represents an integer in 0…2^53 exactly.
func represents(t dtype.Type, n int64) bool {
	x := float64(n)
	switch {
	case n < 0 || n > 1<<53:
		return false
	case t.IsInteger():
		return uint64(n) <= t.MaxInt()
	}
	return t.IsFloat() && t.Float64(t.FromFloat64(x)) == x
}

func (e *exprs) index(t dtype.Type, f *form) kernel.Value {
	if !slices.ContainsFunc(f.k, func(k int64) bool { return k != 0 }) && represents(t, f.c) {
		return e.number(t, float64(f.c))
	}
	a := &kernel.Access{Param: -1}
	e.accesses = append(e.accesses, pendingAccess{at: a, lin: f})
	r := kernel.Register(t)
	if r == dtype.Bool {
		r = dtype.U8
	}
	v := e.body.Add(kernel.Instr{Op: kernel.Index, Type: r, At: a})
	return e.round(t, v)
}

// constant returns a splat.
func (e *exprs) constant(a *stablehlo.ElementsAttr) kernel.Value {
	return e.constBits(a.Type.DType(), a.Data)
}

// constBits returns the constant with the given memory representation.
func (e *exprs) constBits(t dtype.Type, data []byte) kernel.Value {
	in := kernel.Instr{Op: kernel.Const, Type: kernel.Register(t)}
	switch {
	case in.Type == dtype.F32 && t != dtype.F32:
		in.Bits[0] = uint64(math.Float32bits(float32(t.LoadFloat(data, 0))))
	default:
		var b [16]byte
		copy(b[:], data[:t.Size()])
		in.Bits = [2]uint64{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:])}
	}
	return e.body.Add(in)
}

// number returns the constant v of type t.
func (e *exprs) number(t dtype.Type, v float64) kernel.Value {
	b := make([]byte, 16)
	switch {
	case t.IsComplex():
		t.StoreComplex(b, 0, complex(v, 0))
	case t.IsFloat():
		t.StoreFloat(b, 0, v)
	default:
		t.StoreInt(b, 0, int64(v))
	}
	return e.constBits(t, b)
}

// round rounds a value in a wider register to type t.
func (e *exprs) round(t dtype.Type, v kernel.Value) kernel.Value {
	if !kernel.NeedsRound(t) {
		return v
	}
	return e.body.Add(kernel.Instr{Op: kernel.Round, Type: t, Args: [3]kernel.Value{v}})
}

// finish fills in the strides of the accesses.
func (e *exprs) finish() {
	for _, p := range e.accesses {
		p.at.Offset = p.lin.c
		p.at.Strides = p.lin.k
		for i, g := range p.guards {
			p.at.Guards[i].Offset, p.at.Guards[i].Strides = g.c, g.k
		}
		if p.kept {
			p.at.Strides = p.lin.k[:len(e.dims)-e.reduced]
		}
	}
}

// scalars expands the ops of a region on scalars; it returns the operands of its terminator.
func (e *exprs) scalars(b *stablehlo.Block, args []kernel.Value) ([]kernel.Value, error) {
	saved := e.scalarOf
	e.scalarOf = map[*stablehlo.Value]kernel.Value{}
	defer func() { e.scalarOf = saved }()
	for i, a := range b.Args {
		e.scalarOf[a] = args[i]
	}
	for _, op := range b.Ops {
		if op.Code == stablehlo.OpReturn {
			return e.scalarOperands(op)
		}
		if err := e.scalar(op); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the region must have a terminator")
}

// scalarOperands returns the operands of an op of a region.
func (e *exprs) scalarOperands(op *stablehlo.Op) ([]kernel.Value, error) {
	out := make([]kernel.Value, len(op.Operands))
	for i, v := range op.Operands {
		x, ok := e.scalarOf[v]
		if !ok {
			return nil, fmt.Errorf("%s in a region must not use a value from outside", op.Name())
		}
		out[i] = x
	}
	return out, nil
}

// scalar expands an op of a region on scalars.
func (e *exprs) scalar(op *stablehlo.Op) error {
	in, err := e.scalarOperands(op)
	switch {
	case err != nil:
		return err
	case op.Code == stablehlo.OpConstant:
		e.scalarOf[op.Result()] = e.constant(op.Attr("value").(*stablehlo.ElementsAttr))
	case isView(op):
		for i, r := range op.Results {
			e.scalarOf[r] = in[i]
		}
	default:
		e.scalarOf[op.Result()] = e.apply(op, in)
	}
	return nil
}
