package core

import (
	"errors"

	"github.com/go-nx/nx/backend"
)

// failRun panics with an error of the backend.
func failRun(op string, operands []Tensor, err error) {
	checkLive(op, operands)
	hint := ""
	if m := (backend.MemoryError)(nil); errors.As(err, &m) {
		hint = "free tensors (nx.Release), give arguments away (nx.Donate) or use smaller batches; debug.SetMemoryLimit " +
			"sets another limit"
	}
	e := newError(ErrRun, op, operands, hint, "%v", err)
	e.Err = err
	panic(e)
}

// checkLive refuses tensors that are not valid any more: when an execution fails, one may have
// been released after the call began.
func checkLive(op string, tensors []Tensor) {
	for _, t := range tensors {
		if t.p == nil {
			continue
		}
		if v := t.p.validity(); v != nil {
			v.check(op)
		}
	}
}
