package blocks

import (
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

func callGeqrf(b builder, c call) []value { return b.block(HouseholderQR, nil, c.operand(0, 2)) }

// callGeqp3 counts columns from 1.
func callGeqp3(b builder, c call) []value {
	f := b.block(PivotedQR, nil, c.operand(0, 2), c.operand(1, 1))
	return []value{f[0], b.Plus(1, f[2]), f[1]}
}

func callOrgqr(b builder, c call) []value {
	return b.block(HouseholderProduct, nil, c.operand(0, 2), c.operand(1, 1))
}

// callOrmqr multiplies by q, or its adjoint, from the left or the right.
func callOrmqr(b builder, c call) []value {
	a, taus, x := b.flat(c.operand(0, 2), 2), b.flat(c.operand(1, 1), 1), b.flat(c.operand(2, 2), 2)
	left, adjoint := Flag(c.config, "left"), Flag(c.config, "transpose")
	if !left { // x·q is the adjoint of qᴴ·xᴴ
		x, adjoint = b.adjoint(x), !adjoint
	}
	batch, _, cols := shape(x)
	if k := emit.Sizes(taus)[1]; batch*k*cols > 0 {
		x = b.loop(k, []value{x}, func(b builder, i value, s []value) []value {
			if !adjoint {
				i = b.Sub(b.Scalar(dtype.S32, float64(k-1)), i)
			}
			tau := b.entry(taus, i)
			if adjoint {
				tau = b.Conj(tau)
			}
			return []value{b.reflectRows(s[0], b.packedVector(a, i, i), tau)}
		})[0]
	}
	if !left {
		x = b.adjoint(x)
	}
	return []value{b.unflat(x, c.in[2], 2)}
}

// callSyevd: vectors, eigenvalues, info.
func callSyevd(b builder, c call) []value {
	f := b.eigh(c, c.lower())
	return []value{f[1], f[0], b.noInfo(c)}
}

// callEigh is XLA's call for TPUs: backend_config is "lower,sort,iterations,tolerance".
func callEigh(b builder, c call) []value {
	f := b.eigh(c, !strings.HasPrefix(c.op.Str("backend_config"), "0"))
	return []value{f[1], f[0]}
}

func (b builder) eigh(c call, lower bool) []value {
	var attrs stablehlo.DictAttr
	if !lower {
		attrs = stablehlo.DictAttr{stablehlo.Named("upper", stablehlo.BoolAttr(true))}
	}
	return b.block(Eigh, attrs, c.operand(0, 2))
}

// callGesdd: an unused matrix, s, u, vᴴ, info. Mode A computes full matrices, S thin ones and N
// none. cuSOLVER has full_matrices and compute_uv instead, and may transpose everything.
func callGesdd(b builder, c call) []value {
	a := c.operand(0, 2)
	u, s, vt := b.svd(c, a)
	if Flag(c.config, "transposed") { // the operand is the transpose of the matrix
		u, vt = vt, u
	}
	return []value{nil, s, u, vt, b.noInfo(c)}
}

// callGesvdj returns v, not its adjoint.
func callGesvdj(b builder, c call) []value {
	u, s, vt := b.svd(c, c.operand(0, 2))
	var v value
	if vt != nil {
		v = b.unflat(b.adjoint(b.flat(vt, 2)), c.in[0], 2)
	}
	return []value{nil, s, u, v, b.noInfo(c)}
}

// svd returns the factors that the call uses, nil for the others.
func (b builder) svd(c call, a value) (u, s, vt value) {
	mode := c.letter("mode", 0)
	compute, full := mode != 'N', mode == 'A'
	if mode == 0 {
		compute, full = Flag(c.config, "compute_uv"), Flag(c.config, "full_matrices")
	}
	if !compute {
		return nil, b.block(SVDVals, nil, a)[0], nil
	}
	var attrs stablehlo.DictAttr
	if full {
		attrs = stablehlo.DictAttr{stablehlo.Named("full_matrices", stablehlo.BoolAttr(true))}
	}
	f := b.block(SVD, attrs, a)
	return f[0], f[1], f[2]
}

// callGehrd reduces rows and columns low to high, counted from 1.
func callGehrd(b builder, c call) []value {
	a := c.operand(0, 2)
	n := emit.Sizes(b.flat(a, 2))[1]
	bound := func(name string, def int64) int64 {
		if v, ok := c.config.Get(name).(stablehlo.IntAttr); ok {
			return v.Value
		}
		return def
	}
	if low, high := bound("low", 1), bound("high", n); n > 0 && (low != 1 || high != n) {
		emit.Fail("custom_call @%s reduces rows %d to %d of %d: only entire matrices are supported",
			c.op.Str("call_target_name"), low, high, n)
	}
	f := b.block(Hessenberg, nil, a)
	return []value{f[0], f[1], b.noInfo(c)}
}

// callGees: t, z, the eigenvalues, real ones as two vectors, how many were selected, info.
func callGees(b builder, c call) []value {
	if c.letter("sort", 'N') != 'N' {
		emit.Fail("custom_call @%s sorts eigenvalues, which is not supported", c.op.Str("call_target_name"))
	}
	f := b.block(Schur, nil, c.operand(0, 2))
	out := append(f[:2:2], b.eigenvalueVectors(c, b.unflat(b.eigenvaluesOf(b.flat(f[0], 2)), c.in[0], 2))...)
	return append(out, b.noInfo(c), b.noInfo(c))
}

// eigenvalueVectors returns eigenvalues as LAPACK does: those of real matrices as two vectors.
func (b builder) eigenvalueVectors(c call, w value) []value {
	if emit.IsComplex(c.in[0]) {
		return []value{w}
	}
	return []value{b.Real(w), b.imag(w)}
}

// callGeev: eigenvalues, left and right eigenvectors, info. cuSOLVER's call starts with the matrix
// and packs vectors of real matrices like LAPACK: the real and imaginary parts of a pair are
// adjacent.
func callGeev(b builder, c call) []value {
	f := b.block(Eig, nil, c.operand(0, 2))
	if strings.HasPrefix(c.op.Str("call_target_name"), "cusolver") {
		return []value{nil, f[0], b.packedPairs(c, f[0], f[1]), b.packedPairs(c, f[0], f[2]), b.noInfo(c)}
	}
	return append(b.eigenvalueVectors(c, f[0]), f[1], f[2], b.noInfo(c))
}

// packedPairs packs vectors of a real matrix: the second one of a pair is the imaginary part of the
// first.
func (b builder) packedPairs(c call, w, v value) value {
	if emit.IsComplex(c.in[0]) {
		return v
	}
	im := b.imag(w)
	second := b.Compare("LT", im, b.Fill(im, 0))
	rank := len(emit.Sizes(v))
	return b.Select(b.Broadcast(second, emit.Sizes(v), append(emit.UpTo(rank-2), int64(rank-1))...),
		b.Neg(b.imag(v)), b.Real(v))
}

func callSytrd(b builder, c call) []value {
	var attrs stablehlo.DictAttr
	if !c.lower() {
		attrs = stablehlo.DictAttr{stablehlo.Named("upper", stablehlo.BoolAttr(true))}
	}
	return append(b.block(Tridiagonal, attrs, c.operand(0, 2)), b.noInfo(c))
}

// callGtsv: the overwritten diagonals, x, info, the index of the first pivot that is zero.
func callGtsv(b builder, c call) []value {
	f := b.solveTridiagonal(c)
	d := b.flat(f[1], 1)
	i := b.first(b.Compare("EQ", d, b.Fill(d, 0)), 1, emit.Sizes(d)[1])
	i = b.Select(b.Compare("LT", i, b.Fill(i, float64(emit.Sizes(d)[1]))), b.Plus(1, i), b.Fill(i, 0))
	return append(f, b.Reshape(i, c.batchType(dtype.S32, 1).Dims...))
}

// callGtsv2 is cuSPARSE's call, which returns only x.
func callGtsv2(b builder, c call) []value { return b.solveTridiagonal(c)[3:] }

func (b builder) solveTridiagonal(c call) []value {
	return b.block(TridiagonalSolve, nil, c.operand(0, 1), c.operand(1, 1), c.operand(2, 1), c.operand(3, 2))
}
