package library

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/checks"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// makePrint compiles interpreter.print.
func makePrint(op *stablehlo.Op) (Func, error) {
	name := op.Operands[0].Name()
	if name == "" {
		name = "0"
	}
	t := plain(op.Operands[0].Tensor())
	return func(env *rt.Env, ins, _ [][]byte) error {
		if env.Session.Output == nil {
			return nil
		}
		env.Session.Output.Lock()
		defer env.Session.Output.Unlock()
		w := bufio.NewWriterSize(cancellable{env}, 1<<16)
		fmt.Fprintf(w, "%%%s = ", name)
		if err := (checks.Tensor{Type: t, Data: ins[0]}).Write(w); err != nil {
			return err
		}
		w.WriteByte('\n')
		return w.Flush()
	}, nil
}

// cancellable writes to the output of an execution until that is cancelled.
type cancellable struct{ env *rt.Env }

func (s cancellable) Write(b []byte) (int, error) {
	s.env.CheckCancel()
	return s.env.Session.Output.Writer.Write(b)
}

// makeProbe compiles interpreter.probe, which keeps a copy of its operand.
func makeProbe(op *stablehlo.Op) (Func, error) {
	id := op.Str("probe_id")
	return func(env *rt.Env, ins, outs [][]byte) error {
		s := &env.Session
		if s.Probes == nil {
			s.Probes = map[string][][]byte{}
		}
		s.Probes[id] = append(s.Probes[id], slices.Clone(ins[0]))
		copy(outs[0], ins[0])
		return nil
	}, nil
}

// makeExpectSerialized compares with the values of a probe.
func makeExpectSerialized(op *stablehlo.Op) (Func, error) {
	id, i, same := op.Str("probe_id"), op.Int("iteration", 0), checks.Of(op)
	t := plain(op.Operands[0].Tensor())
	return func(env *rt.Env, ins, _ [][]byte) error {
		seen := env.Session.Probes[id]
		if i < 0 || i >= int64(len(seen)) {
			return fmt.Errorf("check failed: probe %q ran %d times; there is no iteration %d", id, len(seen), i)
		}
		if len(seen[i]) != len(ins[0]) {
			return fmt.Errorf("check failed: probe %q saw %d bytes, want %d", id, len(seen[i]), len(ins[0]))
		}
		if err := same(checks.Tensor{Type: t, Data: seen[i]}, checks.Tensor{Type: t, Data: ins[0]},
			checkCancel(env)); err != nil {
			return fmt.Errorf("check failed: %w", err)
		}
		return nil
	}, nil
}
