package portable

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// fusePairs fuses two additions, subtractions or multiplications of floats, or one of them and a division of its
// result, if the first has no other use: (x + y)·z in one loop keeps x + y in a register, and takes two thirds of the
// time. Each operation is rounded as before. A first operation that is computed once per tile, or once for all tiles,
// is not fused.
func (c *compiler) fusePairs(uses []int) {
	instrs := c.instrs
	for i := range instrs {
		in := &instrs[i]
		if !canPair(in) && !isDivision(in) {
			continue
		}
		for j, a := range in.args {
			if j == 1 && in.Op == kernel.Div {
				break
			}
			first := &instrs[a]
			if uses[a] != 1 || !canPair(first) || first.Type != in.Type || c.level[a] != c.level[i] {
				continue
			}
			args, second := []kernel.Value{first.args[0], first.args[1], in.args[1-j]}, in.Op
			if in.Op == kernel.Sub && j == 1 {
				second = kernel.Neg // z − (x∘y)
			}
			in.args, in.pair = args, [2]kernel.Op{first.Op, second}
			in.fused = func(c *compiler, dst ref, refs []ref) step {
				var operands [3]pairOperand
				for i, a := range args {
					operands[i] = pairOperand{refs[a], instrs[a].Op == kernel.Const}
				}
				if in.Type == dtype.F64 {
					return pairStep(c, pairLoop[float64](first.Op, second), in.Type, dst, operands)
				}
				return pairStep(c, pairLoop[float32](first.Op, second), in.Type, dst, operands)
			}
			break
		}
	}
}

// canPair reports whether an instruction can be half of a pair.
func canPair(in *instr) bool {
	return in.fused == nil && (in.Type == dtype.F32 || in.Type == dtype.F64) &&
		(in.Op == kernel.Add || in.Op == kernel.Sub || in.Op == kernel.Mul)
}

// isDivision reports whether an instruction can be the second half of a pair, dividing by its other operand.
func isDivision(in *instr) bool {
	return in.fused == nil && (in.Type == dtype.F32 || in.Type == dtype.F64) && in.Op == kernel.Div
}

// pairOperand is one of the three operands of a pair.
type pairOperand struct {
	ref
	isConst bool
}

// pairStep returns the step of a pair. Operands of one element are broadcast, constants once for all: that costs less
// than loops for each combination.
func pairStep[T float](c *compiler, loop func(d, x, y, z []T), t dtype.Type, dst ref, x [3]pairOperand) step {
	type spread struct{ from, to ref }
	var spreads []spread
	var v [3]ref
	for i := range x {
		v[i] = x[i].ref
		if !x[i].uniform || dst.uniform {
			continue
		}
		v[i] = ref{reg: c.newReg(t, false)}
		s := spread{x[i].ref, v[i]}
		if x[i].isConst {
			c.constants = append(c.constants, func(m *machine, n int) {
				rt.Fill(vec[T](m, s.to, n), vec[T](m, s.from, n)[0])
			})
		} else {
			spreads = append(spreads, s)
		}
	}
	return func(m *machine, n int) {
		if dst.uniform {
			n = 1
		}
		for _, s := range spreads {
			rt.Fill(vec[T](m, s.to, n), vec[T](m, s.from, n)[0])
		}
		loop(vec[T](m, ref{reg: dst.reg}, n), vec[T](m, v[0], n), vec[T](m, v[1], n), vec[T](m, v[2], n))
	}
}

// pairLoop returns the loop of (x∘y)•z; if second is Neg, of z − (x∘y).
func pairLoop[T float](first, second kernel.Op) func(d, x, y, z []T) {
	switch first {
	case kernel.Add:
		switch second {
		case kernel.Add:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v+y[i]) + z[i]
				}
			}
		case kernel.Sub:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v+y[i]) - z[i]
				}
			}
		case kernel.Neg:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = z[i] - T(v+y[i])
				}
			}
		case kernel.Mul:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v+y[i]) * z[i]
				}
			}
		case kernel.Div:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v+y[i]) / z[i]
				}
			}
		}
	case kernel.Sub:
		switch second {
		case kernel.Add:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v-y[i]) + z[i]
				}
			}
		case kernel.Sub:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v-y[i]) - z[i]
				}
			}
		case kernel.Neg:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = z[i] - T(v-y[i])
				}
			}
		case kernel.Mul:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v-y[i]) * z[i]
				}
			}
		case kernel.Div:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v-y[i]) / z[i]
				}
			}
		}
	case kernel.Mul:
		switch second {
		case kernel.Add:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v*y[i]) + z[i]
				}
			}
		case kernel.Sub:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v*y[i]) - z[i]
				}
			}
		case kernel.Neg:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = z[i] - T(v*y[i])
				}
			}
		case kernel.Mul:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v*y[i]) * z[i]
				}
			}
		case kernel.Div:
			return func(d, x, y, z []T) {
				d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
				for i, v := range x {
					d[i] = T(v*y[i]) / z[i]
				}
			}
		}
	}
	return nil
}
