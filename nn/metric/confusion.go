package metric

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Confusion counts predictions by classes: row i and column j have the number of targets i that were predicted as j.
type Confusion struct {
	Matrix nx.Tensor // [n, n], f64
}

// NewConfusion counts predictions of n classes. Rows whose target or prediction is not one of them are left out.
//
// Shapes: predictions and targets of one shape. DTypes: integers. Errors: [nx.ErrArgument] for n below 1. Options:
// [Weight], [Ignore].
func NewConfusion(predictions, targets nx.Tensor, n int, opts ...Option) Confusion {
	const op = "NewConfusion"
	sameShape(op, predictions, targets)
	if n < 1 {
		panic(diag.New(nx.ErrArgument, op, "", "there must be at least one class, got %d", n))
	}
	w := newOptions(opts).rows(op, targets)
	p, y := nx.Cast(predictions, nx.S64), nx.Cast(targets, nx.S64)
	class := func(t nx.Tensor) nx.Tensor { return nx.LogicalAnd(nx.GreaterEqual(t, 0), nx.Less(t, n)) }
	inside := nx.LogicalAnd(class(p), class(y))
	at := nx.Where(inside, nx.Add(nx.Mul(y, n), p), nx.ZerosLike(y))
	w = nx.Where(inside, w, nx.ZerosLike(w))
	size := w.Size()
	return Confusion{nx.Reshape(nx.SegmentSum(nx.Reshape(w, size), nx.Reshape(at, size), n*n), n, n)}
}

// Counts returns the counts of each class against all others.
func (c Confusion) Counts() Counts {
	right := nx.Diagonal(c.Matrix, 0)
	wrongly, missed := nx.Sub(nx.Sum(c.Matrix, nx.Axis(0)), right), nx.Sub(nx.Sum(c.Matrix, nx.Axis(1)), right)
	others := nx.Sub(nx.Sub(nx.Sub(nx.Sum(c.Matrix), right), wrongly), missed)
	return Counts{right, wrongly, others, missed}
}

// Value returns the share of right predictions.
func (c Confusion) Value() nx.Tensor {
	return nx.Div(nx.Sum(nx.Diagonal(c.Matrix, 0)), nx.Sum(c.Matrix))
}

// BalancedAccuracy returns the mean of the recalls of the classes that have targets.
func (c Confusion) BalancedAccuracy() nx.Tensor {
	counts := c.Counts()
	there := nx.Cast(nx.Greater(counts.Support(), 0), nx.F64)
	return nx.Div(nx.Sum(nx.Mul(counts.Recall(Each), there)), nx.Sum(there))
}

// Matthews returns the correlation of predictions and targets, 0 where one of them has one class only.
//
// Source: B. Matthews, 1975, doi:10.1016/0005-2795(75)90109-9; J. Gorodkin, 2004, for more than two classes.
func (c Confusion) Matthews() nx.Tensor {
	all, right := nx.Sum(c.Matrix), nx.Sum(nx.Diagonal(c.Matrix, 0))
	p, y := nx.Sum(c.Matrix, nx.Axis(0)), nx.Sum(c.Matrix, nx.Axis(1))
	spread := func(a, b nx.Tensor) nx.Tensor { return nx.Sub(nx.Square(all), nx.Sum(nx.Mul(a, b))) }
	above := nx.Sub(nx.Mul(right, all), nx.Sum(nx.Mul(p, y)))
	return quotient(above, nx.Sqrt(nx.Mul(spread(p, p), spread(y, y))))
}

// Kappa returns the agreement of predictions and targets beyond that of chance, NaN where chance agrees always.
//
// Source: J. Cohen, 1960, doi:10.1177/001316446002000104.
func (c Confusion) Kappa() nx.Tensor {
	all := nx.Sum(c.Matrix)
	chance := nx.Div(nx.Sum(nx.Mul(nx.Sum(c.Matrix, nx.Axis(0)), nx.Sum(c.Matrix, nx.Axis(1)))), nx.Square(all))
	return nx.Div(nx.Sub(c.Value(), chance), nx.Sub(1, chance))
}
