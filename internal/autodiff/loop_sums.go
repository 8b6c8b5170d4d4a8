package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// A reverse loop adds the cotangent of a captured value, such as the weights of a recurrent network, up over its steps.
// Where a step adds a contraction, the sum over the steps is one contraction after the loop, over the operands of all
// steps, which are saved: it adds up more terms at a time, and the sum is not read and written in every step. Where
// each step adds to a row of its own, as to the cotangent of the sequence that a scan reads, the rows are saved values
// too, which the contractions share. No program wrote the order of these sums.

// minSumRatio is the minimum ratio of the bytes of a sum to those of the operands that are saved for it in each step.
const minSumRatio = 2

// stepSum is a term that each step adds to a cotangent, the k-th.
type stepSum struct {
	k        int
	add      *stablehlo.Op   // an addition, or a subtraction of the term; the update of a row
	term     *stablehlo.Op   // a contraction, or a sum over dimensions; nil for a row
	in       []value         // the operands of the term, without the initial value of a sum
	arranged []*stablehlo.Op // transposes and reshapes of the term, the last first
}

// stepSums finds the sums of a step, in the order in which they are added. inits is the state before the loop.
func (s *backStep) stepSums(inits []value, trips int64) []stepSum {
	if !slices.ContainsFunc(s.block.Ops, addsTerms) {
		return nil // no walk of the loops in it
	}
	users := map[value][]*stablehlo.Op{}
	for _, op := range s.block.Ops {
		for x := range op.Walk() {
			for _, v := range x.Operands {
				v = s.renames.Of(v)
				users[v] = append(users[v], x)
			}
		}
	}
	isOnly := func(v value) bool { return len(users[v]) == 1 }
	var sums []stepSum
	ret := s.block.Terminator()
	first := len(s.body.Args)
	for k := range ret.Operands {
		var found []stepSum
		v := s.block.Args[first+k]
		for {
			if sum, ok := s.rowSum(v, users[v], inits, trips); ok {
				sum.k, v = k, sum.add.Result()
				found = append(found, sum)
				continue
			}
			if !isOnly(v) || users[v][0].Block() != s.block || users[v][0] == ret {
				break
			}
			op := users[v][0]
			var term value
			switch x := s.renames.Of(op.Operands[0]); {
			case (op.Code == stablehlo.OpAdd || op.Code == stablehlo.OpSubtract) && x == v:
				term = s.renames.Of(op.Operands[1])
			case op.Code == stablehlo.OpAdd:
				term = x
			}
			if term == nil {
				break
			}
			if sum, ok := s.sumOf(term, isOnly); ok {
				sum.k, sum.add = k, op
				found = append(found, sum)
			}
			v = op.Result()
		}
		if isOnly(v) && users[v][0] == ret && s.renames.Of(ret.Operands[k]) == v {
			sums = append(sums, found...)
		}
	}
	return sums
}

// addsTerms reports whether an op may be the term of a sum, or its update.
func addsTerms(op *stablehlo.Op) bool {
	return op.Code == stablehlo.OpDotGeneral || op.Code == stablehlo.OpReduce ||
		op.Code == stablehlo.OpDynamicUpdateSlice
}

// rowSum returns the update of v that adds to the row of the step, each step to one of its own: the ops of users are
// that and the slice that reads the row.
func (s *backStep) rowSum(v value, users []*stablehlo.Op, inits []value, trips int64) (sum stepSum, ok bool) {
	if len(users) != 2 {
		return sum, false
	}
	read, write := users[0], users[1]
	if read.Code != stablehlo.OpDynamicSlice || write.Code != stablehlo.OpDynamicUpdateSlice ||
		read.Block() != s.block || write.Block() != s.block || s.renames.Of(write.Operands[0]) != v ||
		len(v.Tensor().Dims) == 0 || v.Tensor().Dims[0] != trips {
		return sum, false
	}
	for i, x := range write.Operands[2:] {
		x = s.renames.Of(x)
		if s.renames.Of(read.Operands[1+i]) != x || i > 0 && !isZeros(x) {
			return sum, false
		}
		if i == 0 && (x.Op() != nil || x.Block() != s.block || x.Index() >= len(inits) || s.counters[x.Index()] != 1 ||
			!isZeros(inits[x.Index()])) {
			return sum, false
		}
	}
	add := s.renames.Of(write.Operands[1]).Op()
	if add == nil || add.Code != stablehlo.OpAdd || add.Block() != s.block ||
		!slices.Equal(add.Result().Tensor().Dims, append([]int64{1}, v.Tensor().Dims[1:]...)) {
		return sum, false
	}
	row, old := s.renames.Of(add.Operands[0]), s.renames.Of(add.Operands[1])
	if row == read.Result() {
		row, old = old, row
	}
	if old != read.Result() || row == old {
		return sum, false
	}
	if op := row.Op(); op != nil && op.Code == stablehlo.OpReshape && op.Block() == s.block {
		row = s.renames.Of(op.Operands[0])
	}
	return stepSum{add: write, in: []value{row}}, true
}

// sumOf returns the contraction, or the sum over dimensions, of which v is an arrangement.
func (s *backStep) sumOf(v value, isOnly func(v value) bool) (sum stepSum, ok bool) {
	for isOnly(v) {
		op := v.Op()
		if op == nil || op.Block() != s.block {
			break
		}
		switch op.Code {
		case stablehlo.OpTranspose, stablehlo.OpReshape:
			sum.arranged = append(sum.arranged, op)
			v = s.renames.Of(op.Operands[0])
			continue
		case stablehlo.OpDotGeneral:
			_, ok = op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
		case stablehlo.OpReduce:
			body := op.Regions[0].Block()
			ok = len(op.Operands) == 2 && isZeros(op.Operands[1]) && len(body.Ops) == 2 &&
				body.Ops[0].Code == stablehlo.OpAdd
		}
		sum.term, sum.in = op, slices.Clone(op.Operands)
		if sum.isReduce() {
			sum.in = sum.in[:1]
		}
		for i, x := range sum.in {
			sum.in[i] = s.renames.Of(x)
		}
		return sum, ok
	}
	return sum, false
}

// lateSums are the sums of a step that are computed after the loop.
type lateSums struct {
	sums    []stepSum
	stacked []value         // the operands that the reverse loop saves in each step
	stacks  map[value]value // the operands of all steps, at first those that the forward loop saved
	passed  map[int]bool    // cotangents to which the loop adds nothing else
}

// deferSums removes from the step the sums that are better computed after the loop. stacks holds the saved values that
// are arguments of its block. A step saves at most free bytes.
func (s *backStep) deferSums(inits []value, trips int64, stacks map[value]value, free int64) *lateSums {
	l := &lateSums{stacks: stacks, passed: map[int]bool{}}
	sums := s.stepSums(inits, trips)
	slices.SortStableFunc(sums, func(a, b stepSum) int { return a.rank() - b.rank() })
	for _, m := range sums {
		var more []value
		inStep := true
		for _, v := range m.in {
			switch {
			case v.Op() != nil && v.Op().Block() != s.block, v.Op() == nil && v.Block() != s.block,
				v.Op() == nil && v.Index() < len(s.body.Args) && stacks[v] == nil: // not saved: a counter
				inStep = false
			case stacks[v] == nil && !slices.Contains(l.stacked, v) && !slices.Contains(more, v):
				more = append(more, v)
			}
		}
		if !inStep {
			continue
		}
		if cost := bytesOf(more); m.term != nil { // saved rows replace others
			if cost > free || minSumRatio*cost > bytesOf(m.add.Results) {
				continue
			}
			free -= cost
		}
		l.stacked = append(l.stacked, more...)
		l.sums = append(l.sums, m)
		rest := 0
		if m.term != nil && s.renames.Of(m.add.Operands[0]) == m.value() {
			rest = 1
		}
		s.renames[m.add.Result()] = m.add.Operands[rest]
	}
	for _, m := range l.sums {
		l.passed[m.k] = s.renames.Of(s.block.Terminator().Operands[m.k]) == s.block.Args[len(s.body.Args)+m.k]
	}
	return l
}

func (m *stepSum) isReduce() bool { return m.term != nil && m.term.Code == stablehlo.OpReduce }

// rank orders sums: later ones share the values saved for earlier ones.
func (m *stepSum) rank() int {
	switch {
	case m.term == nil:
		return 0
	case m.isReduce(): // no reason to save a value
		return 2
	}
	return 1
}

// value returns the value that is added.
func (m *stepSum) value() value {
	if len(m.arranged) > 0 {
		return m.arranged[0].Result()
	}
	return m.term.Result()
}

// emit adds the sums over all steps to the cotangents.
func (l *lateSums) emit(e emitter, cts []value) {
	for _, m := range l.sums {
		var in []value
		for _, v := range m.in {
			in = append(in, l.stacks[v])
		}
		var out value
		switch {
		case m.term == nil:
			out = e.Reshape(in[0], emit.Sizes(cts[m.k])...)
		case m.isReduce():
			dims := []int64{0}
			for _, d := range m.term.Ints("dimensions") {
				dims = append(dims, d+1)
			}
			out = e.SumOver(in[0], dims...)
		default:
			out = e.dotOverSteps(m.term, in)
		}
		for _, op := range slices.Backward(m.arranged) {
			out = e.CloneWith(op, out)[0]
		}
		switch ct := cts[m.k]; {
		case m.add.Code == stablehlo.OpSubtract:
			cts[m.k] = e.Sub(ct, out)
		case isZeros(ct):
			cts[m.k] = out
		default:
			cts[m.k] = e.Add(ct, out)
		}
	}
}

// dotOverSteps returns the sum of a contraction over steps, which are the first dimension of its operands.
func (e emitter) dotOverSteps(op *stablehlo.Op, in []value) value {
	d := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	shifted := func(dims []int64, before ...int64) []int64 {
		for _, x := range dims {
			before = append(before, x+1)
		}
		return before
	}
	var parts []stablehlo.OpPart
	for _, a := range op.Attrs {
		if a.Name != "dot_dimension_numbers" {
			parts = append(parts, a)
		}
	}
	return e.dot(in[0], in[1], &stablehlo.DotDims{
		LHSBatching: shifted(d.LHSBatching), RHSBatching: shifted(d.RHSBatching),
		LHSContracting: shifted(d.LHSContracting, 0), RHSContracting: shifted(d.RHSContracting, 0),
	}, append(parts, stablehlo.Results{op.Result().Type()})...)
}
