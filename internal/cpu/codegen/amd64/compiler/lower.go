// Package compiler translates kernels to vector machine code. It expands elementary functions ([Lower]), chooses how
// code addresses operands (access.go), selects instructions on virtual registers ([Selector]), and emits them block by
// block, with the loops around them ([Emitter], [RowEmitter]). The result is a [Function], with all that its caller has
// to do.
package compiler

import (
	"encoding/binary"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Lowered is a kernel whose elementary functions are expanded to simple operations.
type Lowered struct {
	Instrs   []kernel.Instr
	Access   []int // for each load and index its access in the plan, -1 for others and for loads from tables
	tables   [][]byte
	Stores   []kernel.Store
	reduced  []kernel.Value // the first value of each reduction: arg-reductions compute their indices at the end
	bodies   []ReduceBody   // of each reduction
	BailOuts []kernel.Value // of expansions: true if the result is undefined
	// uniform: the value is the same at all points of a call.
	uniform []bool
	Used    []bool
	reads   []reads          // for each value
	lookups [][]CallerLookup // for each access in the plan, the lookups of the caller
	guarded []*Guarded       // for each access in the plan, how the caller copies a guarded load
	hoisted []bool           // uniform values that the loop reads
	// bf16NaNs has the result of hasBF16NaN for each value, nil if there are no values of BF16.
	bf16NaNs []bool
	// rotations has, for each value, the rotation that computes it, if any.
	rotations []rotation
	// rowUniform: the value is the same for all elements of a short row; then uniform values are the same in all rows.
	// It is nil unless calls take short rows.
	rowUniform []bool
}

// reads counts the uses of a value.
type reads struct {
	count   int
	not     kernel.Value // the instruction that negates it, if it is a comparison of floats; 0 for none
	negates bool         // a comparison whose only use is a negation; it is not computed
}

// Lower expands the functions of a kernel, except integer division in scalar code.
func Lower(k *kernel.Kernel, p *plan.Plan, scalar bool) *Lowered {
	l := &Lowered{Stores: append([]kernel.Store(nil), k.Stores...)}
	l.reserve(len(k.Body.Instrs))
	value := make([]kernel.Value, len(k.Body.Instrs)) // index in the instructions of l
	accesses := AccessesOf(k)
	l.lookups, l.guarded = make([][]CallerLookup, len(p.Accesses)), GuardedLoads(k, p)
	var in kernel.Instr // one variable, since its address escapes
	for i := range k.Body.Instrs {
		in = k.Body.Instrs[i]
		args := in.Args[:in.Op.NumArgs()]
		for j, a := range args {
			args[j] = value[a]
		}
		at := accesses[i]
		if in.At != nil {
			moved := *in.At
			moved.Lookups = append([]kernel.Lookup(nil), moved.Lookups...)
			if l.lookups[at] = callerLookups(k, p, accesses, &in, at); l.lookups[at] != nil {
				moved.Lookups = nil
			}
			for j := range moved.Lookups {
				moved.Lookups[j].Index = value[moved.Lookups[j].Index]
			}
			switch {
			case l.guarded[at] != nil:
				moved.Guards = nil
			case len(moved.Guards) > 0:
				moved.Fill = value[moved.Fill]
			}
			in.At = &moved
		}
		if e := l.expansionOf(&in, scalar); e != nil {
			value[i] = l.inline(e, args)
			continue
		}
		if in.Op == kernel.Index && in.Type.IsComplex() {
			value[i] = l.complexIndex(in, at)
			continue
		}
		value[i] = l.add(in, at)
	}
	for i := range l.Stores {
		l.Stores[i].Value = value[l.Stores[i].Value]
	}
	for i := range k.Reduces {
		l.reduced = append(l.reduced, value[k.Reduces[i].Values[0]])
		l.bodies = append(l.bodies, l.reduceBody(&k.Reduces[i], i, value, p))
	}
	l.classify(p)
	l.findBF16NaNs()
	return l
}

// expansionOf returns the expansion of an instruction, nil if it is emitted directly.
func (l *Lowered) expansionOf(in *kernel.Instr, scalar bool) *functions.Expansion {
	switch {
	case functions.IsIntegerDivision(in):
		if _, shifts := l.powerOfTwo(in.Type, in.Args[1]); shifts || scalar {
			return nil
		}
	case isNarrow(in.Type) && !functions.HasElementExpansion(in.Op):
		return nil
	}
	return functions.ExpansionOf(in)
}

// isNarrow reports whether elements of a type live in a wider register.
func isNarrow(t dtype.Type) bool { return kernel.NeedsRound(t) }

// reserve reserves capacity for n more instructions.
func (l *Lowered) reserve(n int) {
	l.Instrs, l.Access = slices.Grow(l.Instrs, n), slices.Grow(l.Access, n)
}

func (l *Lowered) add(in kernel.Instr, access int) kernel.Value {
	l.Instrs = append(l.Instrs, in)
	l.Access = append(l.Access, access)
	return kernel.Value(len(l.Instrs) - 1)
}

// complexIndex appends an index of complex numbers: that of their real parts.
func (l *Lowered) complexIndex(in kernel.Instr, access int) kernel.Value {
	complexType := in.Type
	in.Type = complexType.Real()
	re := l.add(in, access)
	im := l.add(kernel.Instr{Op: kernel.Const, Type: in.Type}, -1)
	return l.add(kernel.Instr{Op: kernel.Complex, Type: complexType, From: in.Type, Args: [3]kernel.Value{re, im}}, -1)
}

// inline appends the instructions of an expansion.
func (l *Lowered) inline(e *functions.Expansion, args []kernel.Value) kernel.Value {
	first := len(l.tables)
	for _, words := range e.Tables {
		var data []byte
		for _, w := range words {
			data = binary.LittleEndian.AppendUint64(data, w)
		}
		l.tables = append(l.tables, data)
	}
	l.reserve(len(e.Body.Instrs))
	value := make([]kernel.Value, len(e.Body.Instrs))
	for i, in := range e.Body.Instrs {
		if in.Op == kernel.Arg {
			value[i] = args[in.Arg]
			continue
		}
		for j := range in.Op.NumArgs() {
			in.Args[j] = value[in.Args[j]]
		}
		if in.At != nil {
			at := *in.At
			at.Param += first
			at.Lookups = []kernel.Lookup{at.Lookups[0]}
			at.Lookups[0].Index = value[at.Lookups[0].Index]
			in.At = &at
		}
		value[i] = l.add(in, -1)
	}
	if e.BailOut != kernel.None {
		l.BailOuts = append(l.BailOuts, value[e.BailOut])
	}
	return value[e.Result]
}

// classify finds uniform and unused values.
func (l *Lowered) classify(p *plan.Plan) {
	n := len(l.Instrs)
	flags := make([]bool, 3*n)
	l.uniform, l.Used, l.hoisted = flags[:n], flags[n:2*n], flags[2*n:]
	l.reads = make([]reads, n)
	l.findUniform(l.uniform, func(at int) bool {
		return p.Accesses[at].Kind == plan.Broadcast && IsUniform(p, l.lookups[at]) && l.guarded[at] == nil
	})
	use := func(v kernel.Value) {
		l.Used[v] = true
		l.reads[v].count++
	}
	for i := range l.Stores {
		use(l.Stores[i].Value)
	}
	for _, v := range slices.Concat(l.BailOuts, l.reduced) {
		use(v)
	}
	for i := range l.bodies {
		for _, v := range slices.Concat(l.bodies[i].elems, l.bodies[i].Results) {
			use(v)
		}
	}
	copy(l.hoisted, l.Used)
	for i := len(l.Instrs) - 1; i >= 0; i-- {
		if !l.Used[i] {
			continue
		}
		factor, isNegated := l.negatedFactor(i)
		for j, a := range l.Instrs[i].Operands() {
			if j == 0 && isNegated {
				a = factor
			}
			use(a)
			l.hoisted[a] = l.hoisted[a] || !l.uniform[i]
		}
		if l.Instrs[i].Op == kernel.Not && comparesFloats(&l.Instrs[l.Instrs[i].Args[0]]) {
			l.reads[l.Instrs[i].Args[0]].not = kernel.Value(i)
		}
		if r := &l.reads[i]; r.not != 0 && r.count == 1 {
			l.Used[i], l.reads[r.not].negates = false, true
		}
	}
	l.findRotations()
	for i := range l.bodies {
		b := &l.bodies[i]
		b.used = slices.Clone(l.Used[b.first:b.end])
	}
}

// negatedFactor returns the value whose negative is the first factor of a fused multiply-add, which is then computed
// from that value.
func (l *Lowered) negatedFactor(i int) (x kernel.Value, ok bool) {
	in := &l.Instrs[i]
	if in.Op != kernel.FMA || l.Instrs[in.Args[0]].Op != kernel.Neg {
		return kernel.None, false
	}
	return l.Instrs[in.Args[0]].Args[0], true
}

// findUniform finds the values that only depend on accesses for which isOne returns true.
func (l *Lowered) findUniform(uniform []bool, isOne func(access int) bool) {
	for i := range l.Instrs {
		if at := l.Access[i]; at < 0 {
			uniform[i] = l.Instrs[i].Op != kernel.Arg // an accumulator
		} else {
			uniform[i] = isOne(at)
		}
		for _, a := range l.Instrs[i].Operands() {
			uniform[i] = uniform[i] && uniform[a]
		}
	}
}

// comparesFloats reports whether an instruction compares floats by a predicate.
func comparesFloats(in *kernel.Instr) bool {
	_, ok := predicate(in.Op)
	return ok && kernel.Register(in.From).IsFloat()
}
