package simplify

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// sharedAttr marks the calls that stay.
const sharedAttr = "nx.shared"

// IsShared reports whether an op calls one of the functions that [FindShared] found.
func IsShared(op *stablehlo.Op) bool {
	return op.Code == stablehlo.OpCall && len(op.Attrs) > 0 && op.Attr(sharedAttr) != nil
}

// SharedFuncs returns the functions that the shared calls of a function name, without duplicates.
func SharedFuncs(m *stablehlo.Module, f stablehlo.Func) []stablehlo.Func {
	var out []stablehlo.Func
	for work := []stablehlo.Func{f}; len(work) > 0; work = work[1:] {
		for _, op := range work[0].Body().Ops {
			if !IsShared(op) {
				continue
			}
			g, ok := m.Func(op.Str("callee"))
			if ok && !slices.ContainsFunc(out, func(h stablehlo.Func) bool { return h.Op == g.Op }) {
				out, work = append(out, g), append(work, g)
			}
		}
	}
	return out
}

// Shared holds the functions of a module that are rewritten and planned once for several calls.
type Shared struct {
	Funcs []stablehlo.Func // in topological order, callees first
	by    map[string]*callee
}

// callee is a function that calls reach from the entry.
type callee struct {
	f        stablehlo.Func
	calls    []*stablehlo.Op // that are expanded or stay with the body
	work     int64           // the multiplications of contractions
	isPlain  bool            // it computes tensors, without control flow
	numCalls int64           // the number of calls
	keepable int64           // the number of calls that may stay
	shared   bool
}

// FindShared finds the functions that f calls more than once, directly or indirectly, and whose
// calls may stay: calls outside of regions, of functions without effects or control flow that have
// many multiplications.
func FindShared(m *stablehlo.Module, f stablehlo.Func, checkCancel ...CheckCancel) *Shared {
	s := &sharedFinder{funcs: map[string]stablehlo.Func{}, checkCancel: checkCancelOf(checkCancel),
		Shared: &Shared{by: map[string]*callee{}}}
	calls := false
	for g := range m.Funcs() {
		s.funcs[g.Name()] = g
		calls = calls || g.Name() != f.Name()
	}
	if !calls {
		return s.Shared
	}
	main := s.visit(f)
	main.numCalls = 1
	for _, c := range slices.Backward(s.order) { // callers first
		c.shared = c != main && c.isPlain && c.keepable > 1
		bodies := c.numCalls
		if c.shared {
			bodies -= c.keepable - 1
		}
		for _, op := range c.calls {
			if to := s.by[op.Callee()]; to != nil {
				to.numCalls = min(to.numCalls+bodies, maxInlined)
				if s.mayStay(op) {
					to.keepable = min(to.keepable+bodies, maxInlined)
				}
			}
		}
	}
	for _, c := range s.order {
		if c.shared {
			s.Funcs = append(s.Funcs, c.f)
		}
	}
	return s.Shared
}

// Keeps reports whether a call stays, and marks it if so.
func (s *Shared) Keeps(op *stablehlo.Op, inRegion bool) bool {
	if len(s.Funcs) == 0 || inRegion || op.Code != stablehlo.OpCall {
		return false
	}
	c := s.by[op.Str("callee")]
	if c == nil || !c.shared || !s.mayStay(op) {
		return false
	}
	op.SetAttr(sharedAttr, stablehlo.UnitAttr{})
	return true
}

// mayStay reports whether a call of a plain function may stay: constants would be folded into the
// ops of the body, and the size of operands and results must be small relative to the work of the
// body.
func (s *Shared) mayStay(op *stablehlo.Op) bool {
	c := s.by[op.Callee()]
	if op.Code != stablehlo.OpCall || c == nil || !c.isPlain {
		return false
	}
	border := int64(0)
	for _, v := range op.Operands {
		if isConstant(v, maxConstantDepth) {
			return false
		}
		if v.Op() != nil {
			border += elemsOf(v)
		}
	}
	for _, v := range op.Results {
		border += elemsOf(v)
	}
	return c.work/minSharedWork >= border
}

func elemsOf(v *stablehlo.Value) int64 {
	n, _ := v.Tensor().NumElems()
	return n
}

// isConstant reports whether a value is computed from constants only, by a few ops.
func isConstant(v *stablehlo.Value, depth int) bool {
	op := v.Op()
	if op == nil || depth == 0 {
		return false
	}
	return !slices.ContainsFunc(op.Operands, func(o *stablehlo.Value) bool { return !isConstant(o, depth-1) })
}

// sharedFinder finds the callees of a function.
type sharedFinder struct {
	*Shared
	funcs       map[string]stablehlo.Func
	order       []*callee // in topological order, callees first
	checkCancel CheckCancel
}

// visit returns the entry of a function, nil for one that is being visited, or has no body.
func (s *sharedFinder) visit(f stablehlo.Func) *callee {
	if f.Op == nil || f.IsDeclaration() {
		return nil
	}
	name := f.Name()
	if c, ok := s.by[name]; ok {
		return c
	}
	s.by[name] = nil
	c := &callee{f: f, isPlain: isPlainFunc(f)}
	effects := f.Effects()
	for _, op := range f.Body().Ops {
		s.checkCancel()
		if called := op.Callee(); called != "" {
			to := s.visit(s.funcs[called])
			c.calls = append(c.calls, op)
			c.isPlain = c.isPlain && to != nil && to.isPlain
			if to != nil {
				c.work = min(c.work+to.work, maxWork)
			}
			continue
		}
		c.isPlain = c.isPlain && !effects.HasOwn(op) && isPlainStep(op)
		c.work = min(c.work+multiplications(op), maxWork)
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				s.visitRegion(b, c)
			}
		}
	}
	s.by[name] = c
	s.order = append(s.order, c)
	return c
}

// visitRegion visits the calls in a region, which count as frequent: such calls do not stay.
func (s *sharedFinder) visitRegion(b *stablehlo.Block, c *callee) {
	for _, op := range b.Ops {
		s.checkCancel()
		if called := op.Callee(); called != "" {
			s.visit(s.funcs[called])
			c.isPlain = false
		}
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				s.visitRegion(inner, c)
			}
		}
	}
}

// maxWork bounds counts of multiplications.
const maxWork = int64(1) << 60

// isPlainFunc reports whether the arguments and results of a function are tensors of numbers with
// static shapes.
func isPlainFunc(f stablehlo.Func) bool {
	t := f.Type()
	return !slices.ContainsFunc(slices.Concat(t.Ins, t.Outs), func(t stablehlo.Type) bool {
		tensor, ok := t.(*stablehlo.TensorType)
		if !ok || !tensor.IsStatic() {
			return true
		}
		_, ok = tensor.Elem.(stablehlo.Scalar)
		return !ok
	})
}

// isPlainStep reports whether an op computes tensors from tensors, with regions on scalars only.
func isPlainStep(op *stablehlo.Op) bool {
	if isTerminator(op) {
		return true
	}
	if !IsPlain(op) {
		return false
	}
	switch op.Code {
	case stablehlo.OpReduce, stablehlo.OpReduceWindow, stablehlo.OpSort, stablehlo.OpScatter,
		stablehlo.OpSelectAndScatter, stablehlo.OpMap:
		return true
	}
	return len(op.Regions) == 0
}

// multiplications returns the number of multiplications of a contraction, 0 for other ops.
func multiplications(op *stablehlo.Op) int64 {
	if len(op.Operands) != 2 || len(op.Results) != 1 || !IsPlain(op) {
		return 0
	}
	n := elemsOf(op.Result())
	switch op.Code {
	case stablehlo.OpDotGeneral:
		d, ok := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
		if !ok {
			return 0
		}
		for _, i := range d.LHSContracting {
			n *= op.Operands[0].Tensor().Dims[i]
		}
	case stablehlo.OpConvolution:
		d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
		if !ok {
			return 0
		}
		kernel := op.Operands[1].Tensor()
		n *= elemsOf(op.Operands[1]) / max(kernel.Dims[d.KernelOutputFeature], 1)
	default:
		return 0
	}
	return n
}
