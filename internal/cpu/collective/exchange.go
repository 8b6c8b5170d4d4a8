package collective

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/stablehlo"
)

// contribution is the data that a process contributes to a collective op.
type contribution struct {
	types []stablehlo.Type
	data  [][]byte // copies: others read them while the process continues
}

// rendezvous returns the contributions of all members of a group.
func rendezvous(ctx context.Context, p *processes.Process, op *stablehlo.Op, group []processes.ID,
	operands []*stablehlo.Value, ins [][]byte) ([]contribution, error) {
	own := contribution{types: typesOf(operands)}
	for _, in := range ins {
		own.data = append(own.data, bytes.Clone(in))
	}
	contributions, err := p.Rendezvous(ctx, op, group, own)
	if err != nil {
		return nil, err
	}
	all := make([]contribution, len(contributions))
	for i, b := range contributions {
		all[i] = b.(contribution)
		if len(all[i].types) != len(own.types) {
			return nil, fmt.Errorf("processes bring %d and %d operands", len(own.types), len(all[i].types))
		}
		for k, t := range all[i].types {
			if !stablehlo.SameType(t, own.types[k]) {
				return nil, fmt.Errorf("processes bring operands of types %s and %s", own.types[k], t)
			}
		}
	}
	return all, nil
}

func typesOf(values []*stablehlo.Value) []stablehlo.Type {
	types := make([]stablehlo.Type, len(values))
	for i, v := range values {
		types[i] = v.Type()
	}
	return types
}

// exchange returns, for each operand, n results of a call: the contributions of the members of the group, in order.
func (l *lowering) exchange(op *stablehlo.Op, by processes.Strategy, n int) [][]*stablehlo.Value {
	var types []stablehlo.Type
	for _, v := range op.Operands {
		for range n {
			types = append(types, v.Type())
		}
	}
	meshOf := l.meshOf
	call := l.append(hostCall(op, op.Operands, types,
		func(ctx context.Context, p *processes.Process, ins, outs [][]byte) error {
			group, err := groupOf(p, op, by, meshOf)
			if err != nil {
				return err
			}
			all, err := rendezvous(ctx, p, op, group, op.Operands, ins)
			if err != nil {
				return err
			}
			if len(all) != n {
				return fmt.Errorf("a group of %d processes, compiled for %d", len(all), n)
			}
			for i := range ins {
				for k := range all {
					copy(outs[i*n+k], all[k].data[i])
				}
			}
			return nil
		}))
	of := make([][]*stablehlo.Value, len(op.Operands))
	for i := range of {
		of[i] = call.Results[i*n : (i+1)*n]
	}
	return of
}

// groupOf returns the group of a process, which must have one.
func groupOf(p *processes.Process, op *stablehlo.Op, by processes.Strategy,
	meshOf processes.MeshOf) ([]processes.ID, error) {
	group, err := p.Group(op, by, meshOf)
	if group == nil && err == nil {
		err = fmt.Errorf("process (%d, %d) is in no replica group", p.Replica, p.Partition)
	}
	return group, err
}

// processScalar returns a 32-bit scalar that depends on the process.
func (l *lowering) processScalar(op *stablehlo.Op, t stablehlo.Type,
	f func(p *processes.Process) (int, error)) *stablehlo.Value {
	return l.append(hostCall(op, nil, []stablehlo.Type{t},
		func(_ context.Context, p *processes.Process, _, outs [][]byte) error {
			n, err := f(p)
			if err == nil {
				binary.LittleEndian.PutUint32(outs[0], uint32(n))
			}
			return err
		})).Result()
}

// broadcast copies the contribution of the first process of the group, or of the one that the last operand selects.
// Processes in no group get zeros.
func (l *lowering) broadcast(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	meshOf := l.meshOf
	return l.append(hostCall(op, op.Operands, typesOf(op.Results),
		func(ctx context.Context, p *processes.Process, ins, outs [][]byte) error {
			group, err := p.Group(op, processes.Moving(op), meshOf)
			if err != nil {
				return err
			}
			for _, out := range outs {
				clear(out)
			}
			if group == nil {
				return nil
			}
			all, err := rendezvous(ctx, p, op, group, op.Operands, ins)
			if err != nil {
				return err
			}
			for i, out := range outs {
				root, err := rootOf(op, ins, i, len(group))
				if err != nil {
					return err
				}
				copy(out, all[root].data[i])
			}
			return nil
		})).Results, nil
}

// rootOf returns the index in the group of the source or destination of a result.
func rootOf(op *stablehlo.Op, ins [][]byte, result, group int) (int, error) {
	if !op.Bool("has_dynamic_root", false) {
		return 0, nil
	}
	t := op.Operands[len(ins)-1].Tensor()
	if n, _ := t.NumElems(); int64(result) >= n {
		return 0, fmt.Errorf("results must have a root each: %d roots for %d results", n, len(op.Results))
	}
	root := t.DType().LoadInt(ins[len(ins)-1], result)
	if root < 0 || root >= int64(group) {
		return 0, fmt.Errorf("the root must be in the group of %[2]d processes, got %[1]d", root, group)
	}
	return int(root), nil
}

// permute sends along each pair that includes this process; a pair of equal processes needs no rendezvous.
func (l *lowering) permute(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	pairs, _ := op.Attr("source_target_pairs").(*stablehlo.ElementsAttr)
	if pairs == nil {
		return nil, fmt.Errorf("source_target_pairs must be present")
	}
	return l.append(hostCall(op, op.Operands, typesOf(op.Results),
		func(ctx context.Context, p *processes.Process, ins, outs [][]byte) error {
			clear(outs[0])
			for _, ids := range processes.RowsOf(pairs) {
				if len(ids) != 2 {
					return fmt.Errorf("source_target_pairs must have pairs, got %v", ids)
				}
				if ids[0] == ids[1] {
					ids = ids[:1]
				}
				group, err := p.GroupOf(processes.Moving(op), ids)
				if err != nil {
					return err
				}
				if group == nil {
					continue
				}
				all, err := rendezvous(ctx, p, op, group, op.Operands, ins)
				if err != nil {
					return err
				}
				if p.IndexIn(group) == len(group)-1 {
					copy(outs[0], all[0].data[0])
				}
			}
			return nil
		})).Results, nil
}

func (l *lowering) send(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	l.append(hostCall(op, op.Operands, nil,
		func(_ context.Context, p *processes.Process, ins, _ [][]byte) error {
			key, ok, err := p.Mailbox(op, true)
			if !ok || err != nil {
				return err
			}
			m := contribution{types: typesOf(op.Operands)}
			for _, in := range ins {
				m.data = append(m.data, bytes.Clone(in))
			}
			p.Grid.Send(key, m)
			return nil
		}))
	return nil, nil
}

// receive waits for a message; a process that is the target of no pair gets zeros.
func (l *lowering) receive(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	types := typesOf(op.Results)
	return l.append(hostCall(op, nil, types,
		func(ctx context.Context, p *processes.Process, _, outs [][]byte) error {
			for _, out := range outs {
				clear(out)
			}
			key, ok, err := p.Mailbox(op, false)
			if !ok || err != nil {
				return err
			}
			m, err := p.Grid.Receive(ctx, key)
			if err != nil {
				return err
			}
			return m.(contribution).copyTo(outs, types)
		})).Results, nil
}

// copyTo copies values that must have the given types.
func (m contribution) copyTo(outs [][]byte, types []stablehlo.Type) error {
	if len(m.types) != len(types) {
		return fmt.Errorf("received %d values, not %d", len(m.types), len(types))
	}
	for i, t := range types {
		if !stablehlo.SameType(m.types[i], t) {
			return fmt.Errorf("received as value %d: a %s, not a %s", i, m.types[i], t)
		}
		copy(outs[i], m.data[i])
	}
	return nil
}
