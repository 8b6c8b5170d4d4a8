package linalg_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// rightSides are right-hand sides for matrices with 3 rows.
var rightSides = nx.New([][]float64{{1, 2, 7, 0}, {-3, 4, 1, 1}, {0.5, 6, -2, 3}}, nx.Names("i", "k"))

// gram is symmetric and positive definite, with the names of a.
func gram(a nx.Tensor) nx.Tensor {
	s := nx.Rename(a, make([]string, a.Rank())...)
	n := s.Shape()[s.Rank()-1]
	return nx.Rename(nx.Add(nx.Dot(adjoint(s), s), nx.Eye(nx.Shape{n, n}, nx.F64)), a.Names()...)
}

func one(f func(nx.Tensor) nx.Tensor) func(a nx.Tensor) []nx.Tensor {
	return func(a nx.Tensor) []nx.Tensor { return []nx.Tensor{f(a)} }
}

func two(f func(nx.Tensor) (x, y nx.Tensor)) func(a nx.Tensor) []nx.Tensor {
	return func(a nx.Tensor) []nx.Tensor { x, y := f(a); return []nx.Tensor{x, y} }
}

func three(f func(nx.Tensor) (x, y, z nx.Tensor)) func(a nx.Tensor) []nx.Tensor {
	return func(a nx.Tensor) []nx.Tensor { x, y, z := f(a); return []nx.Tensor{x, y, z} }
}

// functions are all functions of matrices, of 3 rows and 3 columns, or of 4 rows.
var functions = []struct {
	name  string
	rows  int
	f     func(a nx.Tensor) []nx.Tensor
	names string // of the axes of results, with b, r and c for those of the operand, i and k of rightSides
}{
	{"Cholesky", 3, one(func(a nx.Tensor) nx.Tensor { return linalg.Cholesky(gram(a)) }), "brc"},
	{"LU", 4, three(linalg.LU), "br_ br_ b_c"},
	{"QR", 4, two(func(a nx.Tensor) (q, r nx.Tensor) { return linalg.QR(a) }), "br_ b_c"},
	{"QR, complete", 4, two(func(a nx.Tensor) (q, r nx.Tensor) { return linalg.QR(a, linalg.Complete) }), "br_ b_c"},
	{"QR, wide", 4, two(func(a nx.Tensor) (q, r nx.Tensor) { return linalg.QR(linalg.Adjoint(a)) }), "bc_ b_r"},
	{"HouseholderQR", 4, two(linalg.HouseholderQR), "brc b_"},
	{"HouseholderProduct", 4,
		one(func(a nx.Tensor) nx.Tensor { return linalg.HouseholderProduct(linalg.HouseholderQR(a)) }),
		"brc"},
	{"SVD", 4, three(func(a nx.Tensor) (u, s, vt nx.Tensor) { return linalg.SVD(a) }), "br_ b_ b_c"},
	{"SVD, complete", 4, three(func(a nx.Tensor) (u, s, vt nx.Tensor) { return linalg.SVD(a, linalg.Complete) }),
		"br_ b_ b_c"},
	{"SVDVals", 4, one(linalg.SVDVals), "b_"},
	{"MatrixRank", 4, one(func(a nx.Tensor) nx.Tensor { return linalg.MatrixRank(a) }), "b"},
	{"Pinv", 4, one(func(a nx.Tensor) nx.Tensor { return linalg.Pinv(a) }), "bcr"},
	{"Lstsq", 3, func(a nx.Tensor) []nx.Tensor {
		r := linalg.Lstsq(a, rightSides)
		v := linalg.Lstsq(a, nx.New([]float64{1, 2, 3}))
		return []nx.Tensor{r.X, r.Residuals, r.Rank, r.SingularValues, v.X, v.Residuals}
	}, "bck bk b b_ bc b"},
	{"Eigh", 3, two(func(a nx.Tensor) (w, v nx.Tensor) { return linalg.Eigh(gram(a)) }), "b_ br_"},
	{"Eigvalsh", 3, one(func(a nx.Tensor) nx.Tensor { return linalg.Eigvalsh(gram(a), linalg.UpperTriangle) }), "b_"},
	{"Eig", 3, two(linalg.Eig), "b_ br_"},
	{"Eigvals", 3, one(linalg.Eigvals), "b_"},
	{"Solve", 3, two(func(a nx.Tensor) (x, y nx.Tensor) {
		return linalg.Solve(a, rightSides), linalg.Solve(a, nx.New([]float64{1, 2, 3}))
	}), "bck bc"},
	{"TriangularSolve", 3, three(func(a nx.Tensor) (x, y, z nx.Tensor) {
		return linalg.TriangularSolve(a, rightSides, linalg.Upper),
			linalg.TriangularSolve(a, nx.Transpose(rightSides), linalg.LeftOf),
			linalg.TriangularSolve(a, rightSides, linalg.Transposed)
	}), "bck bkr brk"},
	{"Inv", 3, one(linalg.Inv), "bcr"},
	{"Det", 3, one(linalg.Det), "b"},
	{"SlogDet", 3, two(linalg.SlogDet), "b b"},
	{"Norm", 3, one(func(a nx.Tensor) nx.Tensor { return linalg.Norm(a, nx.Axis(-1)) }), "br"},
	{"VectorNorm", 3, one(func(a nx.Tensor) nx.Tensor { return linalg.VectorNorm(a, 3, nx.Axis(-2)) }), "bc"},
	{"MatrixNorm", 4, three(func(a nx.Tensor) (x, y, z nx.Tensor) {
		return linalg.MatrixNorm(a, linalg.Frobenius), linalg.MatrixNorm(a, linalg.Nuclear),
			linalg.MatrixNorm(a, linalg.MaxRowSum)
	}), "b b b"},
	{"Cond", 3, two(func(a nx.Tensor) (x, y nx.Tensor) {
		return linalg.Cond(a), linalg.Cond(a, linalg.MaxColumnSum)
	}), "b b"},
	{"Adjoint", 4, one(linalg.Adjoint), "bcr"},
	{"Kron", 4, one(func(a nx.Tensor) nx.Tensor { return linalg.Kron(a, rightSides) }), "b__"},
	{"MatrixPower", 3, three(func(a nx.Tensor) (x, y, z nx.Tensor) {
		return linalg.MatrixPower(a, 5), linalg.MatrixPower(a, 0), linalg.MatrixPower(a, -2)
	}), "brc brc brc"},
	{"Sqrtm", 3, one(func(a nx.Tensor) nx.Tensor { return linalg.Sqrtm(gram(a)) }), "brc"},
	{"Logm", 3, one(func(a nx.Tensor) nx.Tensor { return linalg.Logm(gram(a)) }), "brc"},
	{"Expm", 3, one(func(a nx.Tensor) nx.Tensor { return linalg.Expm(nx.Mul(a, 3)) }), "brc"},
}

// batches are two well-conditioned matrices that need different numbers of steps.
func batches(rows int) nx.Tensor {
	a := nx.Add(random(3, nx.F64, 2, rows, 3), nx.Mul(nx.Eye(nx.Shape{rows, 3}, nx.F64), 3))
	return nx.Mul(a, nx.New([][][]float64{{{1}}, {{7}}}))
}

// TestNames: axes of results that are axes of operands have their names.
func TestNames(t *testing.T) {
	for _, f := range functions {
		i := 0
		got := f.f(nx.Rename(batches(f.rows), "b", "r", "c"))
		for word := range strings.FieldsSeq(f.names) {
			want := make([]string, len(word))
			for k, c := range word {
				if c != '_' {
					want[k] = string(c)
				}
			}
			if names := got[i].Names(); !slices.Equal(names, want) {
				t.Errorf("%s: result %d has the names %q, want %q", f.name, i, names, want)
			}
			i++
		}
		if i != len(got) {
			t.Errorf("%s has %d results, not %d", f.name, len(got), i)
		}
	}
	var e *nx.Error
	err := func() (err error) {
		defer nx.Catch(&err)
		linalg.Solve(nx.Rename(batches(3), "b", "", ""), nx.Zeros(nx.Shape{2, 3, 1}, nx.F64, nx.Names("x", "", "")))
		return nil
	}()
	if !errors.As(err, &e) || e.Code != nx.ErrNames {
		t.Errorf("batches of two names: %v", err)
	}
	if x := linalg.Solve(nx.Rename(batches(3), "", "r", "c"),
		nx.Zeros(nx.Shape{3, 2}, nx.F64, nx.Names("r", "c"))); !slices.Equal(
		x.Names(), []string{"", "c", ""}) {
		t.Errorf("a name twice: %q", x.Names())
	}
}

// TestBatches: a batch, vectorised axes and Vmap, eager and compiled, return the results of single matrices.
func TestBatches(t *testing.T) {
	for _, f := range functions {
		xs := batches(f.rows)
		var each [][]nx.Tensor
		for i := range 2 {
			each = append(each, f.f(xs.At(i)))
		}
		check := func(how string, got []nx.Tensor) {
			t.Helper()
			for k := range got {
				want := nx.Stack([]nx.Tensor{each[0][k], each[1][k]})
				near(t, named("%s, %s: result %d", f.name, how, k), nx.Rename(got[k]), nx.Rename(want),
					1e-13*(1+norm(want)))
			}
		}
		check("a batch", f.f(xs))
		var vectors []nx.Tensor
		for _, r := range f.f(nx.Vectorize(xs, "v")) {
			if v := r.Vectors(); len(v) != 1 || v[0].Name != "v" {
				t.Errorf("%s: the vectorised axes are %v", f.name, v)
			}
			vectors = append(vectors, nx.Devectorize(r))
		}
		check("vectorised", vectors)
		check("Vmap", nx.Vmap(f.f)(xs))
		check("compiled", nx.Jit(nx.Vmap(f.f))(xs))
	}
}
