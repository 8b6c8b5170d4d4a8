package simplify

import (
	"fmt"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// lowering appends the decomposition of an op and returns the values of its results; nil leaves the
// op unchanged, an empty list is the result of an op without results.
type lowering func(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error)

// Lower decomposes the ops of loweringOf, in f and in its regions, until none remains.
func Lower(f stablehlo.Func, checkCancel ...CheckCancel) error {
	return LowerExcept(f, nil, checkCancel...)
}

// LowerExcept is Lower except for the ops that keep accepts, if it is not nil.
func LowerExcept(f stablehlo.Func, keep func(op *stablehlo.Op) bool, checkCancel ...CheckCancel) error {
	if keep == nil {
		keep = func(*stablehlo.Op) bool { return false }
	}
	l := &lowerer{f: f, keep: keep, checkCancel: checkCancelOf(checkCancel),
		written: Emitter{Emitter: emit.Detached()}, values: Renames{}}
	return l.block(f.Body())
}

// BetweenDevices reports whether an op is a sharding annotation or a collective op: on one device
// it is lowered to its local equivalent.
func BetweenDevices(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpSdyShardingConstraint, stablehlo.OpSdyManualComputation, stablehlo.OpReplicaId,
		stablehlo.OpPartitionId, stablehlo.OpAllGather, stablehlo.OpAllReduce, stablehlo.OpReduceScatter,
		stablehlo.OpAllToAll, stablehlo.OpCollectiveBroadcast, stablehlo.OpCollectivePermute:
		return true
	}
	return false
}

// Lowered returns the decomposition of an op without quantised operands: ops without a block, and
// the values of its results. These are nil if the op has no decomposition, or its shapes are not
// known.
func Lowered(op *stablehlo.Op) (ops []*stablehlo.Op, results []*stablehlo.Value, err error) {
	row := loweringOf(op.Code)
	if row == nil || !IsStatic(op) {
		return nil, nil, nil
	}
	e := Emitter{Emitter: emit.Detached()}
	if results, err = row.apply(e, functionOf(op), op); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", op.Name(), err)
	}
	return e.Take(), results, nil
}

// functionOf returns the name of the function around an op, if any.
func functionOf(op *stablehlo.Op) string {
	for ; op != nil; op = op.Parent() {
		if op.Code == stablehlo.OpFunc {
			return op.Str("sym_name")
		}
	}
	return ""
}

// apply appends the decomposition of an op of a function. An error of the builder is an internal
// error, another error is one in the program.
func (row lowering) apply(e Emitter, function string, op *stablehlo.Op) (results []*stablehlo.Value, err error) {
	e.B.PlaceAt(op)
	refused := caught(func() {
		defer emit.Blame(op)
		results, err = row(e, op)
	})
	if refused != nil {
		return nil, internalError("lower", function, refused)
	}
	return results, err
}

type lowerer struct {
	f           stablehlo.Func
	keep        func(op *stablehlo.Op) bool
	checkCancel CheckCancel
	written     Emitter // the decomposition of an op
	values      Renames // the replacements of its results
}

func (l *lowerer) block(b *stablehlo.Block) error {
	e := emit.To(b)
	for _, op := range e.Take() {
		l.checkCancel()
		if l.keep(op) {
			l.values.Operands(op)
			e.Append(op)
		} else if err := l.op(e, op); err != nil {
			return err
		}
	}
	for _, op := range b.Ops {
		for _, r := range op.Regions {
			if err := l.block(r.Block()); err != nil {
				return err
			}
		}
	}
	return nil
}

// op appends an op or its decomposition.
func (l *lowerer) op(e emit.Emitter, op *stablehlo.Op) error {
	l.values.Operands(op)
	row := loweringOf(op.Code)
	if computesQuantised(op) {
		row = lowerQuantised
	}
	if row == nil || !IsStatic(op) {
		e.Append(op)
		return nil
	}
	results, err := row.apply(l.written, l.f.Name(), op)
	if err != nil {
		return fmt.Errorf("%s: %w", op.Name(), err)
	}
	ops := l.written.Take()
	if results == nil {
		e.Append(op)
		return nil
	}
	for _, o := range ops {
		if err := l.op(e, o); err != nil {
			return fmt.Errorf("%s: %w", op.Name(), err)
		}
	}
	for i, r := range op.Results {
		l.values[r] = l.values.Of(results[i])
	}
	return nil
}

// IsStatic reports whether the shapes of all tensor operands and results of op are static.
func IsStatic(op *stablehlo.Op) bool {
	for _, list := range [][]*stablehlo.Value{op.Operands, op.Results} {
		for _, v := range list {
			if t := v.Tensor(); t != nil && !t.IsStatic() {
				return false
			}
		}
	}
	return true
}
