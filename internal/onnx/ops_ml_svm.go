package onnx

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// svmKernel is the kernel of each row with each of a number of vectors, [rows, vectors].
func (n *node) svmKernel(x core.Tensor, vectors []float64, count int, kind string) core.Tensor {
	features := dims(x)[1]
	if len(vectors) != count*features {
		n.fail("it has %d numbers for %d vectors of %d features", len(vectors), count, features)
	}
	params := n.attrFloats("kernel_params")
	if len(params) == 0 {
		params = make([]float64, 3)
	}
	if len(params) != 3 {
		n.fail("kernel_params has %d numbers, not 3", len(params))
	}
	gamma, offset, degree := params[0], params[1], params[2]
	v := n.table(core.Reshape(vector(vectors, dtype.F32), count, features))
	dot := core.DotGeneral(x, v, core.DotDims{ContractA: []int{1}, ContractB: []int{1}})
	switch kind {
	case "LINEAR":
		return dot
	case "POLY":
		return core.Pow(core.Add(core.Mul(dot, gamma), offset), degree)
	case "SIGMOID":
		return core.Tanh(core.Add(core.Mul(dot, gamma), offset))
	case "RBF":
		square := func(t core.Tensor) core.Tensor { return core.Sum(core.Square(t), core.Axis(1)) }
		if features <= 64 { // differences are more precise than the expanded square
			d := core.Sub(core.ExpandAxis(x, core.Axis(1)), v)
			return core.Exp(core.Mul(core.Sum(core.Square(d), core.Axis(2)), -gamma))
		}
		d := core.Sub(core.Add(core.Reshape(square(x), -1, 1), square(v)), core.Mul(dot, 2))
		return core.Exp(core.Mul(core.Maximum(d, 0), -gamma))
	}
	n.fail("kernel_type is %q", kind)
	return dot
}

// rho returns the constants of the kernel machines, at least a number of them.
func (n *node) rho(count int) []float64 {
	list := n.attrFloats("rho")
	if len(list) < count {
		n.fail("rho has %d numbers, not %d", len(list), count)
	}
	return list[:count]
}

// svmRegressor is the sum of kernels with support vectors, or a linear function; for one class its sign.
func svmRegressor(n *node) core.Tensor {
	x, w := n.rowsOf(false), n.attrFloats("coefficients")
	var y core.Tensor
	if count := n.attrInt("n_supports", 0); count > 0 {
		if len(w) != count {
			n.fail("it has %d coefficients for %d vectors", len(w), count)
		}
		k := n.svmKernel(x, n.attrFloats("support_vectors"), count, n.attrString("kernel_type", "LINEAR"))
		y = core.Dot(k, core.Reshape(vector(w, dtype.F32), -1, 1))
	} else {
		y = n.svmKernel(x, w, 1, "LINEAR")
	}
	y = core.Add(y, n.rho(1)[0])
	if n.attrBool("one_class") {
		return core.Where(core.Greater(y, 0), core.Full(core.Shape{}, 1, dtype.F32), -1)
	}
	return y
}

// svmClassifier lets the machines of all pairs of classes vote; without support vectors it is linear.
func svmClassifier(n *node) []Value {
	l := n.labelsOf("classlabels_ints")
	x, w := n.rowsOf(false), n.attrFloats("coefficients")
	classes, post := l.len(), n.attrString("post_transform", "NONE")
	counts := n.attrInts("vectors_per_class")
	total := 0
	for _, c := range counts {
		if c < 0 || c > len(w) {
			n.fail("a class has %d vectors", c)
		}
		total += c
	}
	if classes == 0 || classes > 1<<10 {
		n.fail("it has %d classes", classes)
	}
	if total == 0 {
		y := core.Add(n.svmKernel(x, w, classes, "LINEAR"), n.rho(1)[0])
		best := core.ArgMax(y, core.Axis(1))
		if classes == 2 {
			limit := 0.0
			if !slices.ContainsFunc(w, func(v float64) bool { return v < 0 }) {
				limit = 0.5
			}
			best = core.Where(core.Greater(core.Max(y, core.Axis(1)), limit), 1, best)
		}
		return []Value{l.at(best), {t: n.transformed(y, post)}}
	}
	if len(counts) != classes || len(w) != (classes-1)*total {
		n.fail("it has %d coefficients for %d vectors of %d classes", len(w), total, classes)
	}
	scores := n.pairScores(x, w, counts, total)
	votes := pairVotes(scores, classes)
	label := l.at(core.ArgMax(votes, core.Axis(1)))
	if a, b := n.attrFloats("prob_a"), n.attrFloats("prob_b"); len(a) > 0 {
		pairs := classes * (classes - 1) / 2
		if len(a) != pairs || len(b) != pairs {
			n.fail("it has %d and %d numbers for probabilities of %d pairs", len(a), len(b), pairs)
		}
		p := core.Sigmoid(core.Neg(core.Add(core.Mul(scores, vector(a, dtype.F32)), vector(b, dtype.F32))))
		return []Value{label, {t: n.transformed(coupled(core.Clip(p, 1e-7, 1-1e-7), classes), post)}}
	}
	if classes > 2 {
		return []Value{label, {t: n.transformed(scores, post)}}
	}
	other := core.Sub(1, scores)
	switch post {
	case "NONE":
		other = core.Neg(scores)
	case "LOGISTIC":
		other, scores = core.Sigmoid(core.Neg(scores)), core.Sigmoid(scores)
	case "PROBIT":
		scores = probit(scores)
	}
	return []Value{label, {t: core.Concatenate([]core.Tensor{other, scores}, core.Axis(1))}}
}

// pairScores are the values of the machines of all pairs of classes i < j, [rows, pairs]: each sums kernels of the
// vectors of i with the coefficients in row j-1, and those of the vectors of j with the coefficients in row i.
func (n *node) pairScores(x core.Tensor, w []float64, counts []int, total int) core.Tensor {
	classes := len(counts)
	start := make([]int, classes)
	for i := range classes - 1 {
		start[i+1] = start[i] + counts[i]
	}
	pairs := classes * (classes - 1) / 2
	if total*max(pairs, 1) > maxVotes {
		n.fail("it has %d vectors for %d pairs of classes", total, pairs)
	}
	weights := make([]float64, total*pairs)
	at := 0
	for i := range classes {
		for j := i + 1; j < classes; j++ {
			for m := start[i]; m < start[i]+counts[i]; m++ {
				weights[m*pairs+at] = w[(j-1)*total+m]
			}
			for m := start[j]; m < start[j]+counts[j]; m++ {
				weights[m*pairs+at] = w[i*total+m]
			}
			at++
		}
	}
	k := n.svmKernel(x, n.attrFloats("support_vectors"), total, n.attrString("kernel_type", "LINEAR"))
	y := core.Dot(k, n.table(core.Reshape(vector(weights, dtype.F32), total, pairs)))
	return core.Add(y, vector(n.rho(pairs), dtype.F32))
}

// pairOf returns for each pair of classes the first and the second.
func pairOf(classes int) (first, second []int) {
	for i := range classes {
		for j := i + 1; j < classes; j++ {
			first, second = append(first, i), append(second, j)
		}
	}
	return first, second
}

// pairVotes counts for how many pairs each class wins, [rows, classes].
func pairVotes(scores core.Tensor, classes int) core.Tensor {
	first, second := pairOf(classes)
	winner := core.Where(core.Greater(scores, 0), intsTensor(first), intsTensor(second))
	return core.Sum(core.Cast(core.OneHot(winner, classes, dtype.S32), dtype.S32), core.Axis(1))
}

// coupled returns probabilities of classes from those of all pairs, by at most 100 steps of the second method of Wu,
// Lin and Weng, Probability estimates for multi-class classification by pairwise coupling, 2004.
func coupled(p core.Tensor, classes int) core.Tensor {
	first, second := pairOf(classes)
	// r[i, j] is the probability of i against j.
	at := make([]int, classes*classes)
	swap, diagonal := make([]bool, len(at)), make([]bool, len(at))
	for k := range first {
		at[first[k]*classes+second[k]], at[second[k]*classes+first[k]] = k, k
		swap[second[k]*classes+first[k]] = true
	}
	for i := range classes {
		diagonal[i*classes+i] = true
	}
	rows := dims(p)[0]
	square := core.Shape{classes, classes}
	r := core.Reshape(core.Take(p, intsTensor(at), core.Axis(1)), rows, classes, classes)
	r = core.Where(core.FromSlice(swap, square), core.Sub(1, r), r)
	r = core.Where(core.FromSlice(diagonal, square), 0, r)
	rt := core.Transpose(r, core.Axis(0, 2, 1))
	q := core.Where(core.FromSlice(diagonal, square), core.Sum(core.Square(r), core.Axis(1), core.KeepAxes),
		core.Neg(core.Mul(r, rt)))
	type state struct{ P, Done core.Tensor }
	init := state{core.Full(core.Shape{rows, classes}, 1/float64(classes), dtype.F32),
		core.Zeros(core.Shape{rows, 1}, dtype.Bool)}
	sum := func(t core.Tensor) core.Tensor { return core.Sum(t, core.Axis(-1), core.KeepAxes) }
	end := core.Fori(100, init, func(_ core.Tensor, s state) state {
		qp := core.Sum(core.Mul(q, core.ExpandAxis(s.P, core.Axis(1))), core.Axis(2))
		pqp := sum(core.Mul(s.P, qp))
		worst := core.Max(core.Abs(core.Sub(qp, pqp)), core.Axis(-1), core.KeepAxes)
		done := core.LogicalOr(s.Done, core.Less(worst, 0.005/float64(classes)))
		type inner struct{ P, QP, PQP core.Tensor }
		next := core.Fori(classes, inner{s.P, qp, pqp}, func(i core.Tensor, t inner) inner {
			is := core.OneHot(i, classes, dtype.F32)
			row := core.Sum(core.Mul(q, core.Reshape(is, classes, 1)), core.Axis(1))
			qii, qpi := sum(core.Mul(row, is)), sum(core.Mul(t.QP, is))
			d := core.Div(core.Sub(t.PQP, qpi), qii)
			by := core.Add(d, 1)
			pqp := core.Div(core.Add(t.PQP, core.Mul(d, core.Add(core.Mul(d, qii), core.Mul(qpi, 2)))), core.Square(by))
			return inner{core.Div(core.Add(t.P, core.Mul(d, is)), by),
				core.Div(core.Add(t.QP, core.Mul(d, row)), by), pqp}
		})
		return state{core.Where(done, s.P, next.P), done}
	})
	return end.P
}
