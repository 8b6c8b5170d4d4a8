package optim

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/tree"
)

// MinimiseOption is an option of [Minimise].
type MinimiseOption interface{ minimise(*minimise) }

type minimise struct {
	lbfgs
	steps, searches int
	tolerance       float64
}

type (
	maxSteps      int
	searchSteps   int
	gradTolerance float64
)

// MaxSteps is the largest number of steps, 100 without it.
func MaxSteps(n int) MinimiseOption { return maxSteps(n) }

// SearchSteps is the largest number of evaluations in a line search, 20 without it.
func SearchSteps(n int) MinimiseOption { return searchSteps(n) }

// GradTolerance ends a search when no element of the gradient is larger, 1e-6 without it.
func GradTolerance(v float64) MinimiseOption { return gradTolerance(v) }

func (v maxSteps) minimise(o *minimise)      { o.steps = int(v) }
func (v searchSteps) minimise(o *minimise)   { o.searches = int(v) }
func (v gradTolerance) minimise(o *minimise) { o.tolerance = float64(v) }

// Minimum is the result of [Minimise].
type Minimum[P any] struct {
	// Params is the point, and Value and Grad are the function and its gradient there.
	Params P
	Value  nx.Tensor
	Grad   P
	// Steps is the number of steps made.
	Steps nx.Tensor
	// Converged says whether no element of the gradient is larger than the tolerance.
	Converged nx.Tensor
}

// Minimise searches a minimum of a function from a start by L-BFGS with the line search of Optax: steps have a
// sufficient decrease and a small enough slope (strong Wolfe conditions; or approximate ones, Hager and Zhang 2006),
// found by cubic, quadratic and plain interpolation. It is one loop in the program, so it may be compiled and batched.
// The gradient of the result is that of a constant.
//
// Shapes: f returns a scalar. DTypes: floats; the loop computes in the promoted type.
func Minimise[P any](f func(P) nx.Tensor, start P, opts ...MinimiseOption) Minimum[P] {
	o := minimise{lbfgs: lbfgs{memory: 10}, steps: 100, searches: 20, tolerance: 1e-6}
	for _, opt := range opts {
		if opt != nil {
			opt.minimise(&o)
		}
	}
	x, back := tree.Ravel(start)
	x = nx.StopGradient(x)
	line := func(x nx.Tensor) (nx.Tensor, nx.Tensor) {
		return nx.ValueAndGrad(func(x nx.Tensor) nx.Tensor { return f(back(x)) })(x)
	}
	type state struct {
		X, Value, Grad, Steps nx.Tensor
		Memory                LBFGSState
	}
	const path = "x"
	one := func(t nx.Tensor) []Leaf { return []Leaf{{Path: path, Tensor: t}} }
	value, grad := line(x)
	end := nx.While(state{x, value, grad, newCount(), o.init(one(x))}, func(s state) nx.Tensor {
		return nx.LogicalAnd(nx.Less(s.Steps, o.steps), nx.Greater(nx.Max(nx.Abs(s.Grad)), o.tolerance))
	}, func(s state) state {
		direction, memory := o.update(one(s.Grad), s.Memory, Step{Params: one(s.X)})
		toward := nx.Neg(direction[0].Tensor)
		r := o.search(line, s.X, s.Value, s.Grad, toward)
		return state{nx.Add(s.X, nx.Mul(r.Size, toward)), r.Value, r.Grad, nx.Add(s.Steps, 1), memory}
	})
	return Minimum[P]{back(end.X), end.Value, back(end.Grad), end.Steps,
		nx.LessEqual(nx.Max(nx.Abs(end.Grad)), o.tolerance)}
}

// point is a size of a step along a line, with the value and the slope there.
type point struct{ Size, Value, Slope nx.Tensor }

// choosePoint returns a where cond is true, else b.
func choosePoint(cond nx.Tensor, a, b point) point {
	return tree.Map2(func(a, b nx.Tensor) nx.Tensor { return nx.Where(cond, a, b) }, a, b)
}

// search is the state of a line search.
type search struct {
	N                   nx.Tensor // evaluations made
	At                  point     // the last one
	Grad                nx.Tensor // its gradient
	Found, Done, Failed nx.Tensor // an interval, a step, no step
	Decrease            nx.Tensor // how far At is from a sufficient decrease
	Low, High, Third    point     // the interval, and a third point for the cubic
	Safe                point     // the best one with a sufficient decrease
	SafeGrad            nx.Tensor
}

// step is the result of a line search.
type step struct{ Size, Value, Grad nx.Tensor }

const (
	enoughDecrease = 1e-4 // of the slope at the start
	enoughSlope    = .9
	nearlyEqual    = 1e-6 // of the value at the start
	shortInterval  = 1e-5
)

// search returns a step along a line: first it doubles the step until an interval has what it searches, then it makes
// the interval smaller (Nocedal and Wright, Numerical Optimization, algorithms 3.5 and 3.6).
func (o minimise) search(line func(nx.Tensor) (nx.Tensor, nx.Tensor), x, value, grad, toward nx.Tensor) step {
	d := x.DType()
	zero, no := nx.Full(nx.Shape{}, 0, d), nx.Full(nx.Shape{}, 0, nx.Bool)
	start := point{zero, nx.Cast(value, d), nx.Sum(nx.Mul(grad, toward))}
	s := nx.While(search{N: newCount(), At: start, Grad: grad, Found: no, Done: no, Failed: no,
		Decrease: nx.Full(nx.Shape{}, math.Inf(1), d), Low: start, High: start, Third: start, Safe: start,
		SafeGrad: grad},
		func(s search) nx.Tensor { return nx.LogicalNot(nx.LogicalOr(s.Done, s.Failed)) },
		func(s search) search {
			longer := nx.Where(nx.Equal(s.N, 0), nx.OnesLike(zero), nx.Mul(2, s.At.Size))
			size := nx.Where(s.Found, between(s.Low, s.High, s.Third), longer)
			v, g := line(nx.Add(x, nx.Mul(size, toward)))
			return o.after(s, start, point{size, nx.Cast(v, d), nx.Sum(nx.Mul(g, toward))}, g)
		})
	safe := nx.LogicalAnd(s.Failed, nx.LogicalOr(nx.Greater(s.Safe.Size, 0), nx.IsInf(s.Decrease)))
	return step{nx.Where(safe, s.Safe.Size, s.At.Size), nx.Where(safe, s.Safe.Value, s.At.Value),
		nx.Where(safe, s.SafeGrad, s.Grad)}
}

// errorOf returns how far a point is from a sufficient decrease, and from a small slope.
func errorOf(start, p point) (decrease, curvature nx.Tensor) {
	exact := nx.Sub(nx.Sub(p.Value, start.Value), nx.Mul(enoughDecrease, nx.Mul(p.Size, start.Slope)))
	nearly := nx.Maximum(nx.Sub(p.Slope, nx.Mul(2*enoughDecrease-1, start.Slope)),
		nx.Sub(nx.Sub(p.Value, start.Value), nx.Mul(nearlyEqual, nx.Abs(start.Value))))
	positive := func(e nx.Tensor) nx.Tensor {
		return nx.Where(nx.IsNaN(e), nx.FullLike(e, math.Inf(1)), nx.Maximum(e, 0))
	}
	return positive(nx.Minimum(nearly, exact)),
		positive(nx.Sub(nx.Abs(p.Slope), nx.Mul(enoughSlope, nx.Abs(start.Slope))))
}

// after returns the state of a search after a point was evaluated.
func (o minimise) after(s search, start, p point, g nx.Tensor) search {
	decrease, curvature := errorOf(start, p)
	next := search{N: nx.Add(s.N, 1), At: p, Grad: g, Decrease: decrease}
	next.Done = nx.LessEqual(nx.Maximum(decrease, curvature), 0)
	better := nx.LogicalAnd(nx.LessEqual(decrease, 0),
		nx.LogicalOr(nx.LogicalNot(s.Found), nx.Less(p.Value, s.Safe.Value)))
	next.Safe, next.SafeGrad = choosePoint(better, p, s.Safe), nx.Where(better, g, s.SafeGrad)
	rising := nx.Greater(decrease, 0)

	// While there is no interval: the last two points are one if the value or the slope rose.
	up := nx.LogicalOr(rising, nx.LogicalAnd(nx.GreaterEqual(p.Value, s.At.Value), nx.Greater(s.N, 0)))
	past := nx.LogicalAnd(nx.GreaterEqual(p.Slope, 0), nx.LogicalNot(up))
	low, high := choosePoint(past, p, s.At), choosePoint(past, s.At, p)
	found := nx.LogicalOr(nx.LogicalOr(up, past), next.Done)

	// Then: the point becomes an end of it.
	top := nx.LogicalOr(rising, nx.GreaterEqual(p.Value, s.Low.Value))
	turn := nx.LogicalAnd(nx.GreaterEqual(nx.Mul(p.Slope, nx.Sub(s.High.Size, s.Low.Size)), 0), nx.LogicalNot(top))
	newHigh := choosePoint(top, p, choosePoint(turn, s.Low, s.High))
	newLow := choosePoint(top, s.Low, p)
	third := choosePoint(nx.LogicalOr(top, turn), s.High, s.Low)

	next.Found = nx.LogicalOr(s.Found, found)
	next.Low, next.High = choosePoint(s.Found, newLow, low), choosePoint(s.Found, newHigh, high)
	next.Third = choosePoint(s.Found, third, low)
	short := nx.LogicalAnd(nx.LessEqual(nx.Abs(nx.Sub(s.High.Size, s.Low.Size)), shortInterval),
		nx.Greater(next.Safe.Size, 0))
	over := nx.LogicalOr(nx.GreaterEqual(next.N, o.searches), nx.LogicalAnd(s.Found, short))
	next.Failed = nx.LogicalAnd(over, nx.LogicalNot(next.Done))
	return next
}

// between returns the next size in an interval: the minimum of a cubic through three points, of a quadratic through
// two, or the middle.
func between(low, high, third point) nx.Tensor {
	length := nx.Abs(nx.Sub(high.Size, low.Size))
	left, right := nx.Minimum(high.Size, low.Size), nx.Maximum(high.Size, low.Size)
	inside := func(x nx.Tensor, part float64) nx.Tensor {
		margin := nx.Mul(part, length)
		return nx.LogicalAnd(nx.Greater(x, nx.Add(left, margin)), nx.Less(x, nx.Sub(right, margin)))
	}
	cubic, quadratic := cubicMinimum(low, high, third), quadraticMinimum(low, high)
	middle := nx.Where(inside(quadratic, .1), quadratic, nx.Div(nx.Add(low.Size, high.Size), 2))
	return nx.Where(inside(cubic, .2), cubic, middle)
}

// cubicMinimum is that of the cubic through three points with the slope of the first; NaN where it has none.
func cubicMinimum(a, b, c point) nx.Tensor {
	db, dc := nx.Sub(b.Size, a.Size), nx.Sub(c.Size, a.Size)
	fb := nx.Sub(nx.Sub(b.Value, a.Value), nx.Mul(a.Slope, db))
	fc := nx.Sub(nx.Sub(c.Value, a.Value), nx.Mul(a.Slope, dc))
	denominator := nx.Mul(nx.Square(nx.Mul(db, dc)), nx.Sub(db, dc))
	cube := func(x nx.Tensor) nx.Tensor { return nx.Mul(x, nx.Square(x)) }
	k3 := nx.Div(nx.Sub(nx.Mul(nx.Square(dc), fb), nx.Mul(nx.Square(db), fc)), denominator)
	k2 := nx.Div(nx.Sub(nx.Mul(cube(db), fc), nx.Mul(cube(dc), fb)), denominator)
	root := nx.Sqrt(nx.Sub(nx.Square(k2), nx.Mul(3, nx.Mul(k3, a.Slope))))
	return nx.Add(a.Size, nx.Div(nx.Sub(root, k2), nx.Mul(3, k3)))
}

// quadraticMinimum is that of the quadratic through two points with the slope of the first.
func quadraticMinimum(a, b point) nx.Tensor {
	d := nx.Sub(b.Size, a.Size)
	k := nx.Div(nx.Sub(nx.Sub(b.Value, a.Value), nx.Mul(a.Slope, d)), nx.Square(d))
	return nx.Sub(a.Size, nx.Div(a.Slope, nx.Mul(2, k)))
}
