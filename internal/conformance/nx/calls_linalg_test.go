package nx_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

var nxLinAlg = map[string]func(c *recorded) any{
	"LinAlg.adjoint": func(c *recorded) any {
		if t := c.t(0); t.Rank() < 2 {
			return nx.Conj(t)
		}
		return linalg.Adjoint(c.t(0))
	},
	"LinAlg.cholesky":     func(c *recorded) any { return linalg.Cholesky(c.t(0)) },
	"LinAlg.determinant":  func(c *recorded) any { return linalg.Det(c.t(0)) },
	"LinAlg.invert":       func(c *recorded) any { return linalg.Inv(c.t(0)) },
	"LinAlg.solve":        func(c *recorded) any { return linalg.Solve(c.t(0), c.t(1)) },
	"LinAlg.matrix_power": func(c *recorded) any { return linalg.MatrixPower(c.t(0), c.i(1)) },
	"LinAlg.lu": func(c *recorded) any {
		p, l, u := linalg.LU(c.t(0))
		return tuple{nx.Cast(p, c.t(0).DType()), l, u} // Nx has permutations of the operand's type
	},
	"LinAlg.qr": func(c *recorded) any {
		q, r := linalg.QR(c.t(0), modeOption(c)...)
		return tuple{q, r}
	},
	"LinAlg.svd": func(c *recorded) any {
		if c.t(0).DType().IsComplex() {
			refuse("complex matrices are supported here")
		}
		mode := []linalg.Mode{linalg.Complete}
		if v, ok := c.options("full_matrices?", "max_iter")["full_matrices?"]; ok && v == false {
			mode[0] = linalg.Reduced
		}
		u, s, vt := linalg.SVD(c.t(0), mode...)
		return tuple{u, s, vt}
	},
	"LinAlg.eigh": func(c *recorded) any {
		c.options("max_iter", "eps")
		w, v := linalg.Eigh(c.t(0))
		return tuple{w, v}
	},
	"LinAlg.pinv": func(c *recorded) any {
		t := c.t(0)
		switch t.Rank() {
		case 0:
			return nx.Reshape(linalg.Pinv(nx.Reshape(t, 1, 1)))
		case 1:
			return nx.Flatten(linalg.Pinv(nx.Reshape(t, t.Size(), 1)))
		}
		return linalg.Pinv(t)
	},
	"LinAlg.matrix_rank": func(c *recorded) any {
		o, t := c.options("eps"), c.t(0)
		if t.DType().IsComplex() || t.Rank() != 2 {
			refuse("complex matrices and batches are supported here")
		}
		relative := 1e-7
		if v, ok := o["eps"]; ok {
			relative = floatOf(v)
		}
		shape := t.Shape()
		return nx.Cast(linalg.MatrixRank(t, linalg.Tolerance(relative*float64(max(shape[0], shape[1])))), nx.U32)
	},
	"LinAlg.least_squares": func(c *recorded) any { return linalg.Lstsq(c.t(0), c.t(1)).X },
	"LinAlg.triangular_solve": func(c *recorded) any {
		o := c.options("lower", "left_side", "transform_a")
		var opts []linalg.TriangularOption
		if v, ok := o["lower"]; ok && v == false {
			opts = append(opts, linalg.Upper)
		}
		if v, ok := o["left_side"]; ok && v == false {
			opts = append(opts, linalg.LeftOf)
		}
		switch o["transform_a"] {
		case nil, atom("none"):
		case atom("transpose"):
			opts = append(opts, linalg.Transposed)
		case atom("conjugate"):
			return linalg.TriangularSolve(nx.Conj(c.t(0)), c.t(1), opts...)
		default:
			refuse("there is no transform_a %v", o["transform_a"])
		}
		return linalg.TriangularSolve(c.t(0), c.t(1), opts...)
	},
	"LinAlg.norm": func(c *recorded) any { return norm(c) },
}

func modeOption(c *recorded) []linalg.Mode {
	switch v := c.options("mode", "eps")["mode"]; v {
	case nil, atom("reduced"):
		return nil
	case atom("complete"):
		return []linalg.Mode{linalg.Complete}
	default:
		refuse("there is no mode %v", v)
	}
	return nil
}

// norm is that of a vector, or of a matrix, or of the elements along axes.
func norm(c *recorded) any {
	o, t := c.options("ord", "axes", "keep_axes"), c.t(0)
	var opts []nx.ReduceOption
	axes := t.Rank()
	if v, ok := o["axes"]; ok {
		opts = append(opts, axesOf(t, v))
		axes = len(v.([]any))
	}
	if isTrue(o["keep_axes"]) {
		opts = append(opts, nx.KeepAxes)
	}
	order, hasOrder := o["ord"]
	switch {
	case order == atom("inf"):
		order = math.Inf(1)
	case order == atom("neg_inf"):
		order = math.Inf(-1)
	}
	switch {
	case axes != 1 && axes != 2:
		refuse("norms of %d axes", axes)
	case !hasOrder:
		return linalg.Norm(t, opts...)
	case axes == 1:
		p, ok := numberOf(order)
		if !ok {
			refuse("there is no norm %v", order)
		}
		return linalg.VectorNorm(t, p, opts...)
	}
	kinds := map[any]linalg.MatrixOrder{atom("frobenius"): linalg.Frobenius, atom("nuclear"): linalg.Nuclear,
		int64(1):  linalg.MaxColumnSum,
		int64(-1): linalg.MinColumnSum, int64(-2): linalg.MinSingular, math.Inf(1): linalg.MaxRowSum,
		math.Inf(-1): linalg.MinRowSum,
		int64(2):     linalg.Frobenius, // Nx computes this one for the spectral norm
	}
	kind, ok := kinds[order]
	if !ok {
		refuse("there is no norm %v", order)
	}
	r := linalg.MatrixNorm(t, kind)
	if isTrue(o["keep_axes"]) {
		return nx.Reshape(r, 1, 1)
	}
	return r
}

// factorisations are results that are unique only up to signs: they are checked by what
// they are factors of, and by the values that are unique.
var factorisations = map[string]func(c *recorded, want, got tuple) string{
	"LinAlg.qr": func(c *recorded, want, got tuple) string {
		q, r := got[0].(nx.Tensor), got[1].(nx.Tensor)
		return firstOf(orthonormal("q", q), product(c.t(0), nx.Dot(q, r)), equalTensors("r", nx.Triu(r, 0), r))
	},
	"LinAlg.svd": func(c *recorded, want, got tuple) string {
		u, s, vt := got[0].(nx.Tensor), got[1].(nx.Tensor), got[2].(nx.Tensor)
		k := s.Shape()[s.Rank()-1]
		a := nx.Dot(nx.Mul(u.At(nx.Ellipsis, nx.To(k)), nx.ExpandAxis(s, nx.Axis(-2))),
			vt.At(nx.Ellipsis, nx.To(k), nx.Whole))
		return firstOf(orthonormal("u", u), orthonormal("vᵀ", linalg.Adjoint(vt)), product(c.t(0), a),
			equalTensors("s", want[1].(nx.Tensor), s))
	},
	"LinAlg.eigh": func(c *recorded, want, got tuple) string {
		w, v := got[0].(nx.Tensor), got[1].(nx.Tensor)
		a := nx.Dot(nx.Mul(v, nx.ExpandAxis(nx.Cast(w, v.DType()), nx.Axis(-2))), linalg.Adjoint(v))
		sorted := nx.Sort(nx.Real(want[0].(nx.Tensor))) // Nx sorts by size and has complex values for complex matrices
		return firstOf(orthonormal("v", v), product(c.t(0), a), equalTensors("w", nx.Cast(sorted, w.DType()), w))
	},
}

func firstOf(reasons ...string) string {
	for _, r := range reasons {
		if r != "" {
			return r
		}
	}
	return ""
}

// looseness is how far factors of a type may be off, for the small matrices of the
// recordings.
func looseness(d nx.DType) nx.CloseOption {
	switch d {
	case nx.F64, nx.C128:
		return nx.Tolerance(1e-6, 1e-6)
	case nx.BF16, nx.F8E5M2, nx.F8E4M3FN, nx.F16:
		return nx.Tolerance(0.1, 0.1)
	}
	return nx.Tolerance(1e-3, 1e-4)
}

func near(a, b nx.Tensor) bool {
	return nx.Item[bool](nx.All(nx.Devectorize(nx.AllClose(nx.Rename(a), nx.Rename(b), looseness(b.DType())))))
}

func orthonormal(name string, q nx.Tensor) string {
	n := q.Shape()[q.Rank()-1]
	if !near(nx.Dot(linalg.Adjoint(q), q), nx.Cast(nx.Eye(nx.Shape{n, n}, nx.F32), q.DType())) {
		return fmt.Sprintf("the columns of %s are not orthonormal: %v", name, q)
	}
	return ""
}

func product(a, p nx.Tensor) string {
	if !near(nx.Cast(a, p.DType()), p) {
		return fmt.Sprintf("the product of the factors is %v", p)
	}
	return ""
}

func equalTensors(name string, want, got nx.Tensor) string {
	if !near(want, got) {
		return fmt.Sprintf("%s is %v, not %v", name, got, want)
	}
	return ""
}

// sameTypes compares the types of the factors; a real one may replace a complex one.
func sameTypes(want, got tuple) string {
	if len(want) != len(got) {
		return "the number of factors differs"
	}
	for i := range want {
		w, g := want[i].(nx.Tensor).Spec(), got[i].(nx.Tensor).Spec()
		w.Names, g.Names = nil, nil
		if w.DType.IsComplex() && g.DType == w.DType.Real() {
			w.DType = g.DType
		}
		if !w.Equal(g) {
			return fmt.Sprintf("factor %d is %s, not %s", i, g, w)
		}
	}
	return ""
}

func isLinAlg(name string) bool { return strings.HasPrefix(name, "LinAlg.") }
