package kernel

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/dtype"
)

// Verify reports a kernel that breaks a rule of the IR: values are defined before their use,
// operands have the types of their instruction, accesses have a stride per dimension and stay
// inside their parameter, reductions have as many results as values. Generators rely on it: the
// code of a valid kernel touches no other memory.
func (k *Kernel) Verify() error {
	if err := k.verify(); err != nil {
		return fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	return nil
}

func (k *Kernel) verify() error {
	if k.NumReduced < 0 || k.NumReduced > len(k.Dims) || k.NumReduced > 0 && len(k.Reduces) == 0 {
		return fmt.Errorf("%d of %d dimensions are reduced by %d reductions", k.NumReduced, len(k.Dims), len(k.Reduces))
	}
	if err := k.verifySizes(); err != nil {
		return err
	}
	if err := k.Body.verify(len(k.Dims), 0); err != nil {
		return err
	}
	for i, s := range k.Stores {
		if !k.Body.has(s.Value) || len(s.At.Strides) != len(k.Dims) || s.At.Param < 0 || len(s.At.Guards) > 0 {
			return fmt.Errorf("store %d: %%%d to p%d%s is not a valid store", i, s.Value, s.At.Param, s.At.text())
		}
		if have, want := k.Body.Instrs[s.Value].Register(), Register(s.Type); have != want {
			return fmt.Errorf("store %d: a %s cannot be stored as %s", i, have, s.Type)
		}
		for _, l := range s.At.Lookups {
			if err := k.Body.verifyLookup(l, Value(len(k.Body.Instrs))); err != nil {
				return fmt.Errorf("store %d: %w", i, err)
			}
			if !k.Body.Uniform()[l.Index] {
				return fmt.Errorf("store %d: two points may write to one element", i)
			}
		}
	}
	for i := range k.Reduces {
		if err := k.verifyReduction(&k.Reduces[i]); err != nil {
			return fmt.Errorf("reduction %d: %w", i, err)
		}
	}
	return k.verifyBounds()
}

// verifySizes checks that the number of points fits 64 bits.
func (k *Kernel) verifySizes() error {
	var c checked
	n := int64(1)
	for _, d := range k.Dims {
		if d < 0 {
			return fmt.Errorf("sizes must not be negative, got %v", k.Dims)
		}
		n = c.mul(n, max(d, 1))
	}
	if c.overflow {
		return fmt.Errorf("the number of points of %v overflows", k.Dims)
	}
	for i, p := range k.Params {
		if !p.Type.IsValid() || p.Elems < 0 {
			return fmt.Errorf("p%d is not valid: %d elements of type %s", i, p.Elems, p.Type)
		}
	}
	return nil
}

// verifyBounds proves that every access stays in its parameter.
func (k *Kernel) verifyBounds() error {
	var err error
	k.Accesses(func(a *Access, t dtype.Type, dims []int64) {
		if err != nil {
			return
		}
		if a.Param < 0 || a.Param >= len(k.Params) {
			err = fmt.Errorf("p%d is not a parameter", a.Param)
			return
		}
		p := k.Params[a.Param]
		if p.Type != t {
			err = fmt.Errorf("p%d must hold %s, not %s", a.Param, t, p.Type)
			return
		}
		for _, n := range dims {
			if n == 0 {
				return
			}
		}
		if s, ok := a.reach(dims); !ok || s.lo <= s.hi && (s.lo < 0 || s.hi >= p.Elems) {
			err = fmt.Errorf("accesses elements %d to %d of p%d, which has %d", s.lo, s.hi, a.Param, p.Elems)
		}
	})
	return err
}

func (k *Kernel) verifyReduction(r *Reduction) error {
	n := len(r.Values)
	if len(r.Types) != n || len(r.Inits) != n || len(r.Results) != n || len(r.At) != n {
		return fmt.Errorf("%d values, %d types, %d initial values, %d results and %d accesses must be as many",
			n, len(r.Types), len(r.Inits), len(r.Results), len(r.At))
	}
	if err := r.Combine.verify(0, 2*n); err != nil {
		return err
	}
	for i := range r.Combine.Instrs {
		in := &r.Combine.Instrs[i]
		if in.At != nil {
			return fmt.Errorf("%%%d = %s: the body of a reduction may only use its arguments", i, in.Op)
		}
		if in.Op == Arg && in.Type != Register(r.Types[in.Arg%n]) {
			return fmt.Errorf("%%%d: argument %d must be a %s", i, in.Arg, in.Type)
		}
	}
	for i, v := range r.Values {
		if !k.Body.has(v) || k.Body.Instrs[v].Register() != Register(r.Types[i]) {
			return fmt.Errorf("value %%%d must be a %s", v, r.Types[i])
		}
		if x := r.Results[i]; !r.Combine.has(x) || r.Combine.Instrs[x].Register() != Register(r.Types[i]) {
			return fmt.Errorf("result %%%d must be a %s", x, r.Types[i])
		}
		if len(r.At[i].Strides) != len(k.Dims)-k.NumReduced || r.At[i].Param < 0 || !r.At[i].IsAffine() {
			return fmt.Errorf("result %d: p%d%s is not a valid access", i, r.At[i].Param, r.At[i].text())
		}
		if a := &r.Inits[i]; len(a.Strides) != 0 || !a.IsAffine() {
			return fmt.Errorf("initial value %d: p%d%s is not a valid access", i, a.Param, a.text())
		}
	}
	if r.Kind != Invalid && (n != 1 || !r.isBuiltin()) {
		return fmt.Errorf("its body is not that of %s", r.Kind)
	}
	if r.ArgMinMax != (ArgMinMax{}) {
		if p, ok := ArgMinMaxOf(r); !ok || p != r.ArgMinMax {
			return fmt.Errorf("its body is not an arg%s", r.ArgMinMax.Op)
		}
	}
	return nil
}

func (b *Body) has(v Value) bool { return v >= 0 && int(v) < len(b.Instrs) }

// Uniform reports for each value whether it is the same at all points.
func (b *Body) Uniform() []bool {
	same := make([]bool, len(b.Instrs))
	for i := range b.Instrs {
		in := &b.Instrs[i]
		same[i] = in.At == nil || in.At.isFixed()
		for _, a := range in.Operands() {
			same[i] = same[i] && same[a]
		}
	}
	return same
}

// isFixed reports whether the access is to one element at all points, lookups not counted.
func (a *Access) isFixed() bool {
	zero := func(strides []int64) bool { return !slices.ContainsFunc(strides, func(s int64) bool { return s != 0 }) }
	return zero(a.Strides) && !slices.ContainsFunc(a.Guards, func(g Guard) bool { return !zero(g.Strides) })
}

// verify checks the instructions of a body over rank dimensions with args arguments.
func (b *Body) verify(rank, args int) error {
	for i := range b.Instrs {
		in := &b.Instrs[i]
		if in.Op == Invalid || in.Op >= numOps {
			return fmt.Errorf("%%%d: unknown operation", i)
		}
		if err := b.verifyInstr(Value(i), in, rank, args); err != nil {
			return fmt.Errorf("%%%d = %s: %w", i, in.Op, err)
		}
	}
	return nil
}

// Check reports an instruction of a body over rank dimensions that breaks a rule, as
// [Kernel.Verify] does.
func (b *Body) Check(v Value, rank int) error { return b.verifyInstr(v, &b.Instrs[v], rank, 0) }

func (b *Body) verifyInstr(v Value, in *Instr, rank, args int) error {
	row := &rows[in.Op]
	if !in.Type.IsValid() || NeedsRound(in.Type) && row.width == wide {
		return fmt.Errorf("%s is not a register type", in.Type)
	}
	if in.Op == Round && !NeedsRound(in.Type) {
		return fmt.Errorf("%s needs no rounding: it is a register type", in.Type)
	}
	if err := in.verifyFields(rank, args); err != nil {
		return err
	}
	for _, a := range in.Operands() {
		if a < 0 || a >= v {
			return fmt.Errorf("operand %%%d is not defined before", a)
		}
	}
	if in.At != nil {
		for _, l := range in.At.Lookups {
			if err := b.verifyLookup(l, v); err != nil {
				return err
			}
		}
		if len(in.At.Guards) > 0 && b.Instrs[in.At.Fill].Register() != in.Register() {
			return fmt.Errorf("a %s cannot be filled with a %s", in.Type, b.Instrs[in.At.Fill].Type)
		}
	}
	return b.verifyTypes(in)
}

// verifyFields checks that the instruction has exactly the fields of its operation.
func (in *Instr) verifyFields(rank, args int) error {
	has := rows[in.Op].fields
	switch {
	case (has&hasAt != 0) != (in.At != nil):
		return fmt.Errorf("the access is missing, or not allowed")
	case has&hasBits == 0 && in.Bits != [2]uint64{}, has&hasArg == 0 && in.Arg != 0,
		(has&hasFunc != 0) != (in.Func != ""),
		has&hasPrecision == 0 && (in.ExponentBits != 0 || in.MantissaBits != 0):
		return fmt.Errorf("its fields are not those of its operation")
	case has&hasPrecision != 0 && (in.ExponentBits < 1 || in.MantissaBits < 0):
		return fmt.Errorf("a precision of %d and %d bits is not supported", in.ExponentBits, in.MantissaBits)
	case has&hasArg != 0 && (in.Arg < 0 || in.Arg >= args):
		return fmt.Errorf("argument %d is not one of %d", in.Arg, args)
	}
	if in.At == nil {
		return nil
	}
	ok := len(in.At.Strides) == rank
	for i := range in.At.Guards {
		ok = ok && len(in.At.Guards[i].Strides) == rank && in.At.Guards[i].Size >= 0
	}
	if in.Op == Index {
		ok = ok && in.At.IsAffine()
	}
	if !ok || in.Op == Load && in.At.Param < 0 {
		return fmt.Errorf("the access is not valid")
	}
	return nil
}

func (b *Body) verifyLookup(l Lookup, before Value) error {
	if l.Index < 0 || l.Index >= before {
		return fmt.Errorf("index %%%d is not defined before", l.Index)
	}
	if t := b.Instrs[l.Index].Register(); !t.IsInteger() || l.Limit < 0 {
		return fmt.Errorf("an index of type %s up to %d is not supported", t, l.Limit)
	}
	return nil
}

// verifyTypes checks the types of the operands and of the result.
func (b *Body) verifyTypes(in *Instr) error {
	row := &rows[in.Op]
	arg := func(i int) dtype.Type { return b.Instrs[in.Args[i]].Register() }
	operand := in.Register()
	if in.From != dtype.Invalid {
		if !in.From.IsValid() {
			return fmt.Errorf("its operands have no type")
		}
		operand = Register(in.From)
	}
	if row.fields&hasFrom == 0 && in.From != dtype.Invalid && (NeedsRound(in.From) || in.From == in.Type) {
		return fmt.Errorf("operands of type %s are not supported", in.From)
	}
	if in.Op == Select {
		if arg(0) != dtype.Bool || arg(1) != in.Type || arg(2) != in.Type || in.From != dtype.Invalid {
			return fmt.Errorf("%s cannot be selected from %s and %s by %s", in.Type, arg(1), arg(2), arg(0))
		}
		return nil
	}
	for i := range row.args {
		if arg(i) != operand {
			return fmt.Errorf("operand %d must be a %s, got %s", i, operand, arg(i))
		}
	}
	if !row.on.has(operand) {
		return fmt.Errorf("it does not support %s", operand)
	}
	want := operand
	switch row.result {
	case boolType:
		want = dtype.Bool
	case realPartType:
		want = operand.Real()
	case complexOfType:
		want = operand.Complex()
	case anyType:
		want = in.Register()
	}
	switch {
	case in.Register() != want:
		return fmt.Errorf("its result must be a %s, got %s", want, in.Register())
	case row.fields&hasFrom != 0 && in.From == dtype.Invalid:
		return fmt.Errorf("its operands have no type")
	case in.Op == Bitcast && in.From.Bits() != in.Type.Bits():
		return fmt.Errorf("a %s and a %s must have the same number of bits", in.From, in.Type)
	case in.Op == Convert && in.Type.IsInteger() && NeedsRound(in.Type):
		return fmt.Errorf("an integer result must have a register type")
	}
	return nil
}
