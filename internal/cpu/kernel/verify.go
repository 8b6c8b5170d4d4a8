package kernel

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
)

// Verify reports a kernel that breaks a rule of the IR: values defined before
// their use, operands of the types that their instruction takes, accesses with a
// stride for each dimension, as many folds as values.
func (k *Kernel) Verify() error {
	if k.NumReduced < 0 || k.NumReduced > len(k.Dims) || k.NumReduced > 0 && len(k.Reduces) == 0 {
		return fmt.Errorf("kernel %s: %d of %d dimensions are reduced by %d folds", k.Name, k.NumReduced, len(k.Dims), len(k.Reduces))
	}
	for _, d := range k.Dims {
		if d < 0 {
			return fmt.Errorf("kernel %s: negative size in %v", k.Name, k.Dims)
		}
	}
	if err := k.Body.verify(len(k.Dims), 0); err != nil {
		return fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	for i, s := range k.Stores {
		if !k.Body.has(s.Value) || len(s.At.Strides) != len(k.Dims) || s.At.Param < 0 {
			return fmt.Errorf("kernel %s: store %d of %%%d to p%d%s", k.Name, i, s.Value, s.At.Param, s.At.text())
		}
		if have, want := k.Body.Instrs[s.Value].Register(), Register(s.Type); have != want {
			return fmt.Errorf("kernel %s: store %d of a %s as %s", k.Name, i, have, s.Type)
		}
	}
	for i := range k.Reduces {
		if err := k.verifyFold(&k.Reduces[i]); err != nil {
			return fmt.Errorf("kernel %s: fold %d: %w", k.Name, i, err)
		}
	}
	return nil
}

func (k *Kernel) verifyFold(r *Reduction) error {
	n := len(r.Values)
	if len(r.Types) != n || len(r.Inits) != n || len(r.Results) != n || len(r.At) != n {
		return fmt.Errorf("%d values, %d types, %d initial values, %d results, %d places", n, len(r.Types), len(r.Inits), len(r.Results), len(r.At))
	}
	if err := r.Combine.verify(0, 2*n); err != nil {
		return err
	}
	for i, v := range r.Values {
		if !k.Body.has(v) || k.Body.Instrs[v].Register() != Register(r.Types[i]) {
			return fmt.Errorf("value %%%d is no %s", v, r.Types[i])
		}
		if x := r.Results[i]; !r.Combine.has(x) || r.Combine.Instrs[x].Register() != Register(r.Types[i]) {
			return fmt.Errorf("result %%%d is no %s", x, r.Types[i])
		}
		if len(r.At[i].Strides) != len(k.Dims)-k.NumReduced || r.At[i].Param < 0 {
			return fmt.Errorf("result %d at p%d%s", i, r.At[i].Param, r.At[i].text())
		}
	}
	return nil
}

func (b *Body) has(v Value) bool { return v >= 0 && int(v) < len(b.Instrs) }

// verify checks the instructions of a body over rank dimensions with a number
// of arguments.
func (b *Body) verify(rank, args int) error {
	for i := range b.Instrs {
		in := &b.Instrs[i]
		if err := b.verifyInstr(Value(i), in, rank, args); err != nil {
			return fmt.Errorf("%%%d = %s: %w", i, in.Op, err)
		}
	}
	return nil
}

func (b *Body) verifyInstr(v Value, in *Instr, rank, args int) error {
	if in.Op == Invalid || in.Op >= numOps {
		return fmt.Errorf("no operation")
	}
	if !in.Type.IsValid() || NeedsRound(in.Type) && !in.Op.isNarrow() {
		return fmt.Errorf("%s is no type of a register", in.Type)
	}
	for _, a := range in.Args[:in.Op.NumArgs()] {
		if a < 0 || a >= v {
			return fmt.Errorf("operand %%%d is not defined before", a)
		}
	}
	switch in.Op {
	case Load, Index:
		if in.At == nil || len(in.At.Strides) != rank || in.Op == Load && in.At.Param < 0 {
			return fmt.Errorf("a wrong access")
		}
		return nil
	case Arg:
		if in.Arg < 0 || in.Arg >= args {
			return fmt.Errorf("argument %d of %d", in.Arg, args)
		}
		return nil
	}
	return b.verifyTypes(in)
}

// verifyTypes checks the types of the operands.
func (b *Body) verifyTypes(in *Instr) error {
	arg := func(i int) dtype.Type { return b.Instrs[in.Args[i]].Register() }
	want := in.Register()
	if in.From != dtype.Invalid {
		want = Register(in.From)
	}
	switch in.Op {
	case Select:
		if arg(0) != dtype.Bool || arg(1) != in.Type || arg(2) != in.Type {
			return fmt.Errorf("a choice of %s between %s and %s by %s", in.Type, arg(1), arg(2), arg(0))
		}
		return nil
	case Real, Imag:
		want = in.Type.Complex()
	case Complex:
		want = in.Type.Real()
	}
	for i := range in.Op.NumArgs() {
		if arg(i) != want {
			return fmt.Errorf("operand %d is a %s, not a %s", i, arg(i), want)
		}
	}
	if in.Op.IsCompare() && in.Type != dtype.Bool {
		return fmt.Errorf("a comparison of type %s", in.Type)
	}
	return nil
}
