package portable

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// withPairs returns the kernel with additions, subtractions and multiplications of
// floats joined two and two where nothing else reads the first: (x + y)·z is one loop,
// which keeps x + y in a register, and takes two thirds of the time. Each is rounded as
// before.
func withPairs(k *kernel.Kernel) *kernel.Kernel {
	uses := make([]int, len(k.Body.Instrs))
	for i := range k.Body.Instrs {
		in := &k.Body.Instrs[i]
		for _, a := range in.Args[:in.Op.NumArgs()] {
			uses[a]++
		}
	}
	for i := range k.Stores {
		uses[k.Stores[i].Value]++
	}
	for i := range k.Reduces {
		for _, v := range k.Reduces[i].Values {
			uses[v]++
		}
	}
	var instrs []kernel.Instr // a copy, once there is something to change
	for i := range k.Body.Instrs {
		in := &k.Body.Instrs[i]
		if !mayPair(in) {
			continue
		}
		for j, a := range in.Args[:2] {
			first := &k.Body.Instrs[a]
			if instrs != nil {
				first = &instrs[a]
			}
			if uses[a] != 1 || !mayPair(first) || first.Type != in.Type {
				continue
			}
			if instrs == nil {
				instrs = slices.Clone(k.Body.Instrs)
			}
			instrs[i] = kernel.Instr{Op: kernel.Pair, Type: in.Type, Args: [3]kernel.Value{first.Args[0], first.Args[1], in.Args[1-j]},
				Imm: [2]uint64{uint64(first.Op), uint64(in.Op)}}
			if in.Op == kernel.Sub && j == 1 {
				instrs[i].Imm[1] = uint64(kernel.Neg) // z − (x∘y)
			}
			break
		}
	}
	if instrs == nil {
		return k
	}
	changed := *k
	changed.Body.Instrs = instrs
	return &changed
}

// mayPair reports whether an instruction may be half of a pair.
func mayPair(in *kernel.Instr) bool {
	return (in.Type == dtype.F32 || in.Type == dtype.F64) && (in.Op == kernel.Add || in.Op == kernel.Sub || in.Op == kernel.Mul)
}

// pairInstr returns the step of a Pair. Operands that are one element are written
// out: that costs less than loops for every mixture.
func (c *compiler) pairInstr(in *kernel.Instr, dst ref, refs []ref) step {
	if in.Type == dtype.F64 {
		return pairStep[float64](c, in, dst, refs)
	}
	return pairStep[float32](c, in, dst, refs)
}

func pairStep[T float](c *compiler, in *kernel.Instr, dst ref, refs []ref) step {
	loop := pairLoop[T](kernel.Op(in.Imm[0]), kernel.Op(in.Imm[1]))
	var x [3]ref
	var room [3]int // of those written out
	for i, a := range in.Args {
		x[i] = refs[a]
		if x[i].uniform && !dst.uniform {
			room[i] = c.newReg(in.Type)
		}
	}
	return func(m *machine, n int) {
		if dst.uniform {
			n = 1
		}
		var v [3][]T
		for i, r := range x {
			v[i] = vec[T](m, r, n)
			if r.uniform && !dst.uniform {
				wide := vec[T](m, ref{reg: room[i]}, n)
				fill(wide, v[i][0])
				v[i] = wide
			}
		}
		loop(vec[T](m, ref{reg: dst.reg}, n), v[0], v[1], v[2])
	}
}

// pairLoop returns the loop of (x∘y)•z; with Neg as the second, of z − (x∘y).
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
		}
	}
	return nil
}
