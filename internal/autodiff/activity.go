package autodiff

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// activity finds the values that need tangents: those that depend on a chosen argument and on which
// a differentiated result depends. Besides saving work this prevents infinite derivatives of
// irrelevant values, such as √x at 0 in the condition of a loop, from meeting zeros.
type activity struct {
	varied map[value]bool // depends on a source
	useful map[value]bool // a sink depends on it
	bits   map[value]bool // an integer with the bits of a varied float

	next  map[value][]value         // the values to which control flow passes a value
	from  map[value][]value         // the values that control flow passes to a value
	users map[value][]*stablehlo.Op // the ops whose results depend on a value
	owner map[value]*stablehlo.Op   // the op that has a value as such a result
}

// idleValues returns the values in b that need no tangents.
func idleValues(b *stablehlo.Block, sources, sinks []value) map[value]bool {
	n := len(b.Ops)
	a := activity{
		varied: make(map[value]bool, n), useful: make(map[value]bool, n), bits: map[value]bool{},
		next: map[value][]value{}, from: map[value][]value{}, users: make(map[value][]*stablehlo.Op, n),
		owner: make(map[value]*stablehlo.Op, n),
	}
	a.connect(b)
	a.forward(sources)
	a.trackBits(b)
	a.backward(sinks)
	idle := map[value]bool{}
	a.collect(b, idle)
	return idle
}

// collect adds the values of b that are not both varied and useful.
func (a activity) collect(b *stablehlo.Block, idle map[value]bool) {
	check := func(vs []value) {
		for _, v := range vs {
			if !a.varied[v] || !a.useful[v] {
				idle[v] = true
			}
		}
	}
	check(b.Args)
	for _, op := range b.Ops {
		check(op.Results)
		if op.Code == stablehlo.OpBitcastConvert && a.bits[op.Operands[0]] && a.useful[op.Result()] {
			emit.FailWith(
				&Error{Op: op,
					Err: fmt.Errorf(
						"no derivative of %s: its operand has the bits of a float that depends on the arguments of the derivative",
						op.Name())})
		}
		if isControl(op) {
			for _, r := range op.Regions {
				a.collect(r.Block(), idle)
			}
		}
	}
}

// StopAttr is the attribute of an op whose results are constants for differentiation: the form of
// nx.StopGradient in a module.
const StopAttr = "nx.stop_gradient"

// isControl reports whether regions of op are control flow of the program.
func isControl(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpWhile, stablehlo.OpCase, stablehlo.OpIf:
		return true
	}
	return false
}

// connect records the dependences between values of a block, so that varied and useful values are
// found in linear time, also through loops.
func (a activity) connect(b *stablehlo.Block) {
	for _, op := range b.Ops {
		switch {
		case isZero(op.Code) || op.Attr(StopAttr) != nil:
		case op.Code == stablehlo.OpWhile:
			body := op.Regions[1].Block()
			for i, arg := range body.Args {
				a.pass(op.Operands[i], arg)
				a.pass(body.Terminator().Operands[i], arg)
				a.pass(arg, op.Results[i])
				a.from[arg] = append(a.from[arg], op.Results[i]) // one is needed where the other is
			}
			a.connect(body)
		case isControl(op):
			for _, r := range op.Regions {
				for i, v := range r.Block().Terminator().Operands {
					a.pass(v, op.Results[i])
				}
				a.connect(r.Block())
			}
		default:
			for x := range op.Walk() {
				for _, v := range x.Operands {
					if users := a.users[v]; len(users) == 0 || users[len(users)-1] != op {
						a.users[v] = append(users, op)
					}
				}
			}
			for _, r := range op.Results {
				a.owner[r] = op
			}
		}
	}
}

func (a activity) pass(from, to value) {
	a.next[from] = append(a.next[from], to)
	a.from[to] = append(a.from[to], from)
}

// marking is a set of values with tangents that grows along dependences.
type marking struct {
	set  map[value]bool
	work []value // in the set, but not followed yet
	seen map[*stablehlo.Op]bool
}

func (m *marking) add(vs ...value) {
	for _, v := range vs {
		if !m.set[v] && differentiable(v.Type()) {
			m.set[v] = true
			m.work = append(m.work, v)
		}
	}
}

// follow calls visit for every value of the set.
func (m *marking) follow(visit func(v value)) {
	for len(m.work) > 0 {
		v := m.work[len(m.work)-1]
		m.work = m.work[:len(m.work)-1]
		visit(v)
	}
}

// first reports whether this is the first call with op.
func (m *marking) first(op *stablehlo.Op) bool {
	if m.seen[op] {
		return false
	}
	m.seen[op] = true
	return true
}

// forward marks varied values.
func (a activity) forward(sources []value) {
	m := &marking{set: a.varied, seen: map[*stablehlo.Op]bool{}}
	m.add(sources...)
	m.follow(func(v value) {
		m.add(a.next[v]...)
		for _, op := range a.users[v] {
			if m.first(op) {
				m.add(op.Results...)
			}
		}
	})
}

// backward marks useful values.
func (a activity) backward(sinks []value) {
	m := &marking{set: a.useful, seen: map[*stablehlo.Op]bool{}}
	m.add(sinks...)
	m.follow(func(v value) {
		m.add(a.from[v]...)
		if op := a.owner[v]; op != nil && m.first(op) {
			for x := range op.Walk() {
				m.add(x.Operands...)
			}
		}
	})
}

// trackBits tracks the bits of varied floats through integers. Converting them back to a float
// would silently lose the derivative; a bool of them is piecewise constant in any case.
func (a activity) trackBits(b *stablehlo.Block) {
	for _, op := range b.Ops {
		from := func(v value) bool { return a.bits[v] || op.Code == stablehlo.OpBitcastConvert && a.varied[v] }
		if slices.ContainsFunc(op.Operands, from) {
			for _, r := range op.Results {
				if stablehlo.DType(r.Type()).IsInteger() {
					a.bits[r] = true
				}
			}
		}
		if isControl(op) {
			for _, r := range op.Regions {
				a.trackBits(r.Block())
			}
		}
	}
}
