package onnx

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// controlRows are the ops with graphs in them.
func controlRows() []row {
	return []row{
		{op: "If", frame: takenBranch, run: ifTraced, strings: true},
		{op: "Loop", run: loop, host: hostLoop},
		{op: "Scan", since: 9, run: scan},
		{op: "Scan", since: 8, run: scanBatches},
		{op: "SequenceMap", run: sequenceMap},
	}
}

// takenBranch is the branch of If that a known condition takes.
func takenBranch(m *machine, n *node) *frame {
	v := n.value(0)
	if !v.known() {
		return nil
	}
	c := core.Data[bool](v.t)
	if len(c) != 1 {
		n.fail("the condition must have one element, got %d", len(c))
	}
	name := "else_branch"
	if c[0] {
		name = "then_branch"
	}
	b := n.graph(name)
	return &frame{body: b, scope: m.p.newScope(b, n.scope, m.depth), caller: n.Node, into: n.scope}
}

// ifTraced is If on a condition that is computed when the program runs. Where one program cannot have both branches,
// which have other types or a shape that depends on values, the condition is read.
func ifTraced(n *node) (out []Value) {
	done := false
	defer func() {
		if done {
			return
		}
		r := recover()
		switch r.(type) {
		case needed, bodyError, nodeError, error:
			why := ""
			if e, ok := r.(bodyError); ok {
				why = ": " + e.err.Error()
			} else if e, ok := r.(error); ok {
				why = ": " + e.Error()
			}
			panic(needed{name: n.Inputs[0], value: n.ins[0], scope: n.scope,
				why: fmt.Sprintf("%s needs the value of %q, since its branches are not of one type%s", n.label(),
					n.Inputs[0], why)})
		}
		panic(r)
	}()
	branch := func(name string) func() []core.Tensor {
		b := n.graph(name)
		return func() []core.Tensor { return n.subTensors(b, nil) }
	}
	cond := core.Reshape(n.in(0))
	out = tensors(core.Cond(cond, branch("then_branch"), branch("else_branch"))...)
	done = true
	return out
}

// subTensors is [node.sub] of a graph whose results are tensors.
func (n *node) subTensors(b *body, args []Value) []core.Tensor {
	list := n.sub(b, args)
	out := make([]core.Tensor, len(list))
	for i, v := range list {
		if v.kind != tensorKind {
			n.fail("the result %q of the graph %s is not a tensor", b.outputs[i], b.name)
		}
		out[i] = n.use(v)
	}
	return out
}

// loopParts are the operands of Loop.
type loopParts struct {
	body    *body
	carried []Value
	always  bool // the body passes its condition on
}

// maxUnrolled bounds the iterations of a loop whose state changes its type, as a part of a program.
const maxUnrolled = 64

func loopOf(n *node) loopParts {
	l := loopParts{body: n.graph("body")}
	if len(n.ins) < 2 || len(l.body.inputs) != len(n.ins) || len(l.body.outputs) < len(n.ins)-1 {
		n.fail("the body has %d inputs and %d results, the loop %d operands", len(l.body.inputs), len(l.body.outputs),
			len(n.ins))
	}
	l.carried = n.ins[2:]
	for i := range l.carried {
		if n.Inputs[i+2] == "" {
			n.fail("operand %d is missing", i+2)
		}
	}
	l.always = l.body.passes(0, 1)
	return l
}

// passes reports whether a result of a body is an input, or true.
func (b *body) passes(result, input int) bool {
	name := b.outputs[result]
	for range len(b.nodes) + 1 {
		if name == b.inputs[input] {
			return true
		}
		next := ""
		for _, n := range b.nodes {
			if len(n.Outputs) != 1 || n.Outputs[0] != name {
				continue
			}
			switch {
			case isOp(n, "Identity") && len(n.Inputs) == 1:
				next = n.Inputs[0]
			case isOp(n, "Constant"):
				a := n.Attr("value")
				if a == nil || a.Tensor == nil {
					return false
				}
				data, err := a.Tensor.Elements()
				return err == nil && len(data) == 1 && data[0] != 0
			}
		}
		if next == "" {
			t := b.inits[name]
			if t == nil {
				return false
			}
			data, err := t.Elements()
			return err == nil && len(data) == 1 && data[0] != 0
		}
		name = next
	}
	return false
}

// loop is Loop as a part of a program.
func loop(n *node) []Value {
	l := loopOf(n)
	scans := len(l.body.outputs) - 1 - len(l.carried)
	steps, known := -1, true
	if n.has(0) {
		if known = n.ins[0].known(); known {
			steps = n.int(0)
		}
	}
	start, condKnown := true, true
	if n.has(1) {
		if condKnown = n.ins[1].known(); condKnown {
			start = core.Data[bool](n.ins[1].t)[0]
		}
	}
	if condKnown && !start {
		steps, known = 0, true
	}
	counted := known && steps >= 0 && (l.always || steps == 0) && condKnown
	sequences := false
	for _, v := range l.carried {
		sequences = sequences || v.kind != tensorKind
	}
	switch {
	case counted && !sequences:
		out, err := n.attempt(func() []Value { return countedLoop(n, l, steps) })
		if err == nil {
			return out
		}
		if steps <= maxUnrolled {
			return unrolledLoop(n, l, steps)
		}
		panic(needed{host: true, scope: n.scope, why: err.Error()})
	case counted && steps <= maxUnrolled:
		return unrolledLoop(n, l, steps)
	case sequences || scans > 0:
		panic(needed{host: true, scope: n.scope, why: "the number of iterations decides the shapes of results"})
	}
	out, err := n.attempt(func() []Value { return whileLoop(n, l) })
	if err != nil {
		panic(needed{host: true, scope: n.scope, why: err.Error()})
	}
	return out
}

// attempt returns what f returns, or the error that it panics with; other panics go on.
func (n *node) attempt(f func() []Value) (out []Value, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case needed:
			panic(r)
		case bodyError:
			err = r.err
		case nodeError:
			err = fmt.Errorf("%s", r.text)
		case error:
			err = r
		default:
			panic(r)
		}
	}()
	return f(), nil
}

func scalarInt(i int) core.Tensor { return core.Full(core.Shape{}, int64(i), dtype.S64) }

func scalarBool(b bool) core.Tensor { return core.Full(core.Shape{}, b, dtype.Bool) }

// countedLoop is a loop with a known number of iterations.
func countedLoop(n *node, l loopParts, steps int) []Value {
	carry := len(l.carried)
	init := []core.Tensor{scalarInt(0)}
	for _, v := range l.carried {
		init = append(init, n.use(v))
	}
	last, ys := core.Scan(init, struct{}{}, func(state []core.Tensor, _ struct{}) (next, ys []core.Tensor) {
		args := append(tensors(state[0], scalarBool(true)), tensors(state[1:]...)...)
		out := n.subTensors(l.body, args)
		return append([]core.Tensor{core.Add(state[0], 1)}, out[1:1+carry]...), out[1+carry:]
	}, core.Length(steps))
	return tensors(append(last[1:], ys...)...)
}

// unrolledLoop is a loop with a known number of iterations one after another.
func unrolledLoop(n *node, l loopParts, steps int) []Value {
	carry := len(l.carried)
	state := l.carried
	scans := make([][]core.Tensor, len(l.body.outputs)-1-carry)
	for i := range steps {
		args := append([]Value{{t: knownInt(i)}, {t: knownBool(true)}}, state...)
		out := n.sub(l.body, args)
		state = out[1 : 1+carry]
		for k, v := range out[1+carry:] {
			scans[k] = append(scans[k], n.use(v))
		}
	}
	if steps == 0 && len(scans) > 0 { // the shapes are those of an iteration
		for k, v := range n.sub(l.body, append([]Value{{t: knownInt(0)}, {t: knownBool(true)}}, state...))[1+carry:] {
			scans[k] = append(scans[k], n.use(v))
		}
	}
	return append(slices.Clone(state), stacked(scans, steps > 0)...)
}

// stacked are the results that a loop stacks; none of the rows that there are if it had no iterations.
func stacked(scans [][]core.Tensor, some bool) []Value {
	out := make([]Value, len(scans))
	for i, s := range scans {
		if out[i].t = core.Stack(s); !some {
			out[i].t = core.Zeros(append(core.Shape{0}, dims(s[0])...), s[0].DType())
		}
	}
	return out
}

// knownInt is data with an integer.
func knownInt(i int) core.Tensor { return core.FromSlice([]int64{int64(i)}, core.Shape{}) }

// knownBool is data with a boolean.
func knownBool(b bool) core.Tensor { return core.FromSlice([]bool{b}, core.Shape{}) }

// whileLoop is a loop whose condition is computed when the program runs.
func whileLoop(n *node, l loopParts) []Value {
	type state struct {
		I, More core.Tensor
		Carried []core.Tensor
	}
	init := state{I: scalarInt(0), More: scalarBool(true)}
	if n.has(1) {
		init.More = core.Reshape(n.in(1))
	}
	var limit core.Tensor
	if n.has(0) {
		limit = core.Reshape(n.in(0))
	}
	for _, v := range l.carried {
		init.Carried = append(init.Carried, n.use(v))
	}
	last := core.While(init, func(s state) core.Tensor {
		if limit.IsZero() {
			return s.More
		}
		return core.LogicalAnd(s.More, core.Less(s.I, limit))
	}, func(s state) state {
		out := n.subTensors(l.body, append(tensors(s.I, s.More), tensors(s.Carried...)...))
		return state{core.Add(s.I, 1), core.Reshape(out[0]), out[1:]}
	})
	return tensors(last.Carried...)
}

// maxStacked bounds the bytes of the results that a loop stacks: 1 TiB.
const maxStacked = 1 << 40

// hostLoop runs the iterations of a loop one after another, each as a program of its own.
func hostLoop(d *driver, n *node) ([]Value, error) {
	l := loopOf(n)
	carry := len(l.carried)
	steps, more := -1, true
	if n.has(0) {
		steps = n.int(0)
	}
	if n.has(1) {
		more = core.Data[bool](n.data(1))[0]
	}
	state := l.carried
	scans := make([][]core.Tensor, len(l.body.outputs)-1-carry)
	for i := 0; more && (steps < 0 || i < steps); i++ {
		args := append([]Value{{t: knownInt(i)}, {t: knownBool(true)}}, state...)
		out, err := d.call(n, l.body, args)
		if err != nil {
			return nil, err
		}
		more = core.Data[bool](out[0].t)[0]
		state = out[1 : 1+carry]
		for k, v := range out[1+carry:] {
			scans[k] = append(scans[k], v.t)
			// Only a condition may end it before the results are too large.
			if size := bytesOf(v.t); i == 0 && l.always && size > 0 && steps > maxStacked/size {
				n.fail("%d iterations have results of %d bytes each, which do not fit in memory", steps, size)
			}
		}
	}
	none := len(scans) > 0 && len(scans[0]) == 0
	if none { // the shapes are those of an iteration
		out, err := d.call(n, l.body, append([]Value{{t: knownInt(0)}, {t: knownBool(true)}}, state...))
		if err != nil {
			return nil, fmt.Errorf("%s: it has no iterations, and the shapes of one are not known: %w", n.label(), err)
		}
		for k, v := range out[1+carry:] {
			scans[k] = append(scans[k], v.t)
		}
	}
	return append(slices.Clone(state), stacked(scans, !none)...), nil
}

// restart is the error of a program that has to begin again with inputs known.
type restart uint64

func (restart) Error() string { return "inputs must be known" }

// call runs a graph of a node on data.
func (d *driver) call(n *node, b *body, args []Value) ([]Value, error) {
	s := d.p.newScope(b, n.scope, 0)
	for i, v := range args {
		s.values[b.inputs[i]] = v.each(func(v Value) Value { v.opaque, v.from = true, origin{other: true}; return v })
	}
	frames := live([]*frame{{body: b, scope: s}}, &cut{})
	out, more, err := d.walk(frames)
	if err == nil && more != 0 {
		err = restart(more)
	}
	return out, err
}

// scan is Scan: states, and sequences that are walked along axes.
func scan(n *node) []Value { return tensors(scanOf(n, n.allIn())...) }

func scanOf(n *node, ins []core.Tensor) []core.Tensor {
	b := n.graph("body")
	walked := n.attrInt("num_scan_inputs", 0)
	states := len(ins) - walked
	if states < 0 || walked < 1 || len(b.inputs) != len(ins) || len(b.outputs) < states {
		n.fail("the body has %d inputs and %d results, the op %d operands, %d of them walked", len(b.inputs),
			len(b.outputs), len(ins), walked)
	}
	axes, directions := n.attrInts("scan_input_axes"), n.attrInts("scan_input_directions")
	if directions == nil {
		directions = n.attrInts("directions") // version 8
	}
	xs := make([]core.Tensor, walked)
	for i := range xs {
		x := ins[states+i]
		if i < len(axes) {
			x = moveAxis(x, n.axis(axes[i], x.Rank()), 0)
		}
		if i < len(directions) && directions[i] != 0 {
			x = core.Reverse(x, core.Axis(0))
		}
		xs[i] = x
	}
	last, ys := core.Scan(ins[:states:states], xs, func(state, row []core.Tensor) (next, ys []core.Tensor) {
		out := n.subTensors(b, append(tensors(state...), tensors(row...)...))
		return out[:states], out[states:]
	})
	outAxes, outDirections := n.attrInts("scan_output_axes"), n.attrInts("scan_output_directions")
	for i := range ys {
		if i < len(outDirections) && outDirections[i] != 0 {
			ys[i] = core.Reverse(ys[i], core.Axis(0))
		}
		if i < len(outAxes) {
			ys[i] = moveAxis(ys[i], 0, n.axis(outAxes[i], ys[i].Rank()))
		}
	}
	return append(last, ys...)
}

// scanBatches is Scan of version 8: for each row of a batch. Operand 0 has the numbers of elements of the rows that are
// walked, all if it is missing; the results that are stacked are filled up with zeros.
func scanBatches(n *node) []Value {
	ins := make([]core.Tensor, len(n.ins)-1)
	for i := range ins {
		ins[i] = n.in(i + 1)
	}
	walked := n.attrInt("num_scan_inputs", 0)
	if walked < 1 || walked > len(ins) || slices.ContainsFunc(ins, func(x core.Tensor) bool { return x.Rank() == 0 }) {
		n.fail("there are %d operands, %d of them walked; each needs an axis of the batch", len(ins), walked)
	}
	batch, states := dims(ins[0])[0], len(ins)-walked
	var lengths []int
	if n.has(0) {
		if lengths = n.ints(0); len(lengths) != batch {
			n.fail("there are %d lengths for a batch of %d", len(lengths), batch)
		}
	}
	if batch == 0 {
		n.fail("the batch is empty")
	}
	var rows [][]core.Tensor
	for i := range batch {
		row := make([]core.Tensor, len(ins))
		most := 0
		for k, x := range ins {
			row[k] = x.At(i)
			if k < states {
				continue
			}
			if row[k].Rank() == 0 {
				n.fail("operand %d has no axis to walk along", k+1)
			}
			most = dims(row[k])[0]
			if lengths == nil {
				continue
			}
			if lengths[i] < 0 || lengths[i] > most {
				n.fail("a row of %d elements has the length %d", most, lengths[i])
			}
			row[k] = part(row[k], 0, 0, lengths[i])
		}
		outs := scanOf(n, row)
		for k := states; k < len(outs) && lengths != nil; k++ {
			lohi := make([][2]int, outs[k].Rank())
			lohi[0][1] = most - lengths[i]
			outs[k] = core.Pad(outs[k], zeroOf(outs[k]), lohi...)
		}
		rows = append(rows, outs)
	}
	out := make([]core.Tensor, len(rows[0]))
	for k := range out {
		list := make([]core.Tensor, len(rows))
		for i := range rows {
			list[i] = rows[i][k]
		}
		out[k] = core.Stack(list)
	}
	return tensors(out...)
}

// moveAxis moves an axis of a tensor to another place.
func moveAxis(t core.Tensor, from, to int) core.Tensor {
	if from == to {
		return t
	}
	order := make([]int, 0, t.Rank())
	for i := range t.Rank() {
		if i != from {
			order = append(order, i)
		}
	}
	order = append(order[:to], append([]int{from}, order[to:]...)...)
	return core.Transpose(t, core.Axis(order...))
}

// sequenceMap calls a graph for each element of sequences.
func sequenceMap(n *node) []Value {
	b := n.graph("body")
	first, ok := n.value(0).List()
	if !ok {
		n.fail("operand 0 must be a sequence")
	}
	out := make([]Value, len(b.outputs))
	for i := range out {
		out[i].kind = sequenceKind
	}
	for i := range first {
		args := make([]Value, len(n.ins))
		for k, v := range n.ins {
			args[k] = v
			if v.kind == sequenceKind {
				if len(v.list) != len(first) {
					n.fail("sequences of %d and %d elements", len(first), len(v.list))
				}
				args[k] = v.list[i]
			}
		}
		for k, v := range n.sub(b, args) {
			out[k].list = append(out[k].list, v)
		}
	}
	return out
}
