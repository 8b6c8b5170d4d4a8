package vmap

import "github.com/go-nx/nx/stablehlo"

// mark finds the values of a function that depend on batched arguments, in linear time, also
// through loops and branches.
func (t *batcher) mark(b *stablehlo.Block, in []int) {
	d := dependences{next: map[value][]value{}, users: map[value][]*stablehlo.Op{}}
	d.connect(b)
	for i, a := range b.Args {
		if in[i] != Shared {
			d.work = append(d.work, a)
		}
	}
	for len(d.work) > 0 {
		v := d.work[len(d.work)-1]
		d.work = d.work[:len(d.work)-1]
		if t.marked[v] {
			continue
		}
		t.marked[v] = true
		d.work = append(d.work, d.next[v]...)
		for _, op := range d.users[v] {
			d.work = append(d.work, op.Results...)
		}
		delete(d.users, v) // each result of an op with many operands is added once per op
	}
}

// dependences maps values to those that are batches if they are.
type dependences struct {
	next  map[value][]value         // by control flow, and by ops whose results depend on one operand each
	users map[value][]*stablehlo.Op // ops all of whose results depend on a value
	work  []value
}

func (d *dependences) pass(from value, to ...value) { d.next[from] = append(d.next[from], to...) }

func (d *dependences) connect(b *stablehlo.Block) {
	for _, op := range b.Ops {
		switch op.Code {
		case stablehlo.OpWhile:
			d.while(op)
		case stablehlo.OpIf, stablehlo.OpCase:
			d.pass(op.Operands[0], op.Results...)
			for _, r := range op.Regions {
				for i, v := range r.Block().Terminator().Operands {
					d.pass(v, op.Results[i])
				}
				d.connect(r.Block())
			}
		case stablehlo.OpOptimizationBarrier:
			for i, v := range op.Operands {
				d.pass(v, op.Results[i])
			}
		case stablehlo.OpGetDimensionSize: // the same for all elements
		default:
			for x := range op.Walk() {
				for _, v := range x.Operands {
					if users := d.users[v]; len(users) == 0 || users[len(users)-1] != op {
						d.users[v] = append(users, op)
					}
				}
			}
		}
	}
}

// while connects the state of a loop. If the condition is a batch, elements stop after different
// numbers of trips, so all of the state is a batch.
func (d *dependences) while(op *stablehlo.Op) {
	cond, body := op.Regions[0].Block(), op.Regions[1].Block()
	for i, a := range body.Args {
		d.pass(op.Operands[i], a)
		d.pass(body.Terminator().Operands[i], a)
		d.pass(a, op.Results[i], cond.Args[i])
	}
	d.pass(cond.Terminator().Operands[0], body.Args...)
	d.connect(cond)
	d.connect(body)
}

// isControl reports whether the regions of an op are control flow of the program.
func isControl(c stablehlo.OpCode) bool {
	return c == stablehlo.OpWhile || c == stablehlo.OpIf || c == stablehlo.OpCase
}
