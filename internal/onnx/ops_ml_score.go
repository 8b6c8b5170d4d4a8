package onnx

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// maxVotes bounds the size of the table of votes.
const maxVotes = 1 << 27

// scores adds up the votes of all trees for each row, [rows, targets]; aggregate is AVERAGE, SUM, MIN or MAX.
func (f *forest) scores(n *node, x core.Tensor, targets int, aggregate string) core.Tensor {
	if targets < 1 || targets > maxVotes/max(len(f.mode), 1) {
		n.fail("it has %d targets for %d nodes", targets, len(f.mode))
	}
	if len(f.roots) == 0 {
		return core.Zeros(core.Shape{dims(x)[0], targets}, f.float)
	}
	for _, v := range f.votes {
		if v.target < 0 || v.target >= targets {
			n.fail("a vote is for the target %d of %d", v.target, targets)
		}
	}
	rows, width := dims(x)[0], len(f.roots)*targets
	block := max(1, maxLeaves/width)
	if rows <= 2*block {
		return f.sumVotes(n, x, targets, aggregate)
	}
	// Blocks of rows keep the memory of what they look up small.
	blocks := (rows + block - 1) / block
	x = core.Pad(x, 0, [2]int{0, blocks*block - rows}, [2]int{})
	y := core.MapRows(core.Reshape(x, blocks, block, -1), func(x core.Tensor) core.Tensor {
		return f.sumVotes(n, x, targets, aggregate)
	})
	return core.Slice(core.Reshape(y, -1, targets), []int{0, 0}, []int{rows, targets})
}

// maxLeaves is the number of votes that are looked up at a time.
const maxLeaves = 1 << 20

func (f *forest) sumVotes(n *node, x core.Tensor, targets int, aggregate string) core.Tensor {
	leaves := f.leaves(n, x)
	empty := map[string]float64{"MIN": math.Inf(1), "MAX": math.Inf(-1)}[aggregate]
	table := make([]float64, len(f.mode)*targets)
	if empty != 0 {
		for i := range table {
			table[i] = empty
		}
	}
	voted := make([]bool, len(f.mode))
	for _, v := range f.votes {
		p := &table[v.node*targets+v.target]
		switch {
		case targets == 1 && voted[v.node]: // the first counts: scikit-learn's converter repeats numbers of leaves
		case *p == empty && empty != 0:
			*p = v.weight
		case aggregate == "MIN":
			*p = min(*p, v.weight)
		case aggregate == "MAX":
			*p = max(*p, v.weight)
		default:
			*p += v.weight
		}
		voted[v.node] = true
	}
	t := n.table(core.Reshape(vector(table, f.float), len(f.mode), targets))
	votes := core.Take(t, leaves)
	switch aggregate {
	case "SUM":
		return core.Sum(votes, core.Axis(1))
	case "AVERAGE":
		return core.Div(core.Sum(votes, core.Axis(1)), len(f.roots))
	case "MIN":
		votes = core.Min(votes, core.Axis(1))
	case "MAX":
		votes = core.Max(votes, core.Axis(1))
	default:
		n.fail("aggregate_function is %q", aggregate)
	}
	return core.Where(core.Equal(votes, empty), 0, votes)
}

// treeRegressor is the sum, mean, least or greatest of the trees' votes for each target.
func treeRegressor(n *node) core.Tensor {
	x := n.rowsOf(true)
	f := n.forestOf(x, "target")
	targets := n.attrInt("n_targets", 1)
	y := f.scores(n, x, targets, n.attrString("aggregate_function", "SUM"))
	if base := n.doubles("base_values"); len(base) == targets || len(base) == 1 && targets == 1 {
		y = core.Add(y, vector(base, y.DType()))
	}
	return sameType(n.transformedTargets(y, n.attrString("post_transform", "NONE")), dtype.F32)
}

// treeEnsemble is [treeRegressor] in version 5, of the type of the operand.
func treeEnsemble(n *node) core.Tensor {
	x := n.rowsOf(true)
	f := n.forestOf5(x)
	names := []string{"AVERAGE", "SUM", "MIN", "MAX"}
	at := n.attrInt("aggregate_function", 1)
	if at < 0 || at >= len(names) {
		n.fail("aggregate_function is %d", at)
	}
	post := []string{"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"}
	to := n.attrInt("post_transform", 0)
	if to < 0 || to >= len(post) {
		n.fail("post_transform is %d", to)
	}
	y := f.scores(n, x, n.attrInt("n_targets", 1), names[at])
	return sameType(n.transformedTargets(y, post[to]), n.in(0).DType())
}

// treeClassifier chooses the class with the most votes. Two classes may have one list of votes: those for the second.
func treeClassifier(n *node) []Value {
	l := n.labelsOf("classlabels_int64s")
	x := n.rowsOf(true)
	f := n.forestOf(x, "class")
	classes := l.len()
	if classes == 0 {
		n.fail("it has no labels")
	}
	y := f.scores(n, x, classes, "SUM")
	voted := make([]bool, classes)
	positive := true
	for _, v := range f.votes {
		voted[v.target] = true
		positive = positive && v.weight >= 0
	}
	base, post := n.doubles("base_values"), n.attrString("post_transform", "NONE")
	if classes > 2 || classes == 1 {
		if len(base) == classes {
			y = core.Add(y, vector(base, y.DType()))
			voted = slices.Repeat([]bool{true}, classes)
		}
		best := y
		if slices.Contains(voted, false) && slices.Contains(voted, true) {
			best = core.Where(core.FromSlice(voted, core.Shape{classes}), y, math.Inf(-1))
		}
		return []Value{l.at(core.ArgMax(best, core.Axis(1))), {t: sameType(n.transformed(y, post), dtype.F32)}}
	}
	return n.binary(l, y, voted, positive, base, post)
}

// binary is the end of a classifier of two classes: scores of one list are those of the second class, as probabilities
// if all weights are positive.
func (n *node) binary(l labels, y core.Tensor, voted []bool, positive bool, base []float64, post string) []Value {
	column := func(i int) core.Tensor { return core.Slice(y, []int{0, i}, []int{dims(y)[0], 1}) }
	first, second := column(0), column(1)
	single := voted[0] != voted[1] || !voted[0]
	pairs := voted[1]
	switch {
	case len(base) == 2 && voted[1]:
		second = core.Add(first, base[1])
		first = core.Neg(second)
	case len(base) == 2:
		first, second = core.Add(first, base[0]), core.Add(second, base[1])
		pairs = true
	case len(base) == 1:
		first = core.Add(first, base[0])
	}
	weight, limit := first, 0.0
	if voted[1] {
		weight = second
	}
	if single && positive {
		limit = 0.5
	}
	which := core.Cast(core.Reshape(core.Greater(weight, limit), -1), dtype.S32)
	label := l.at(which)
	var scores core.Tensor
	switch {
	case pairs:
		scores = n.transformed(core.Concatenate([]core.Tensor{first, second}, core.Axis(1)), post)
	case post == "LOGISTIC":
		scores = core.Sigmoid(core.Concatenate([]core.Tensor{core.Neg(first), first}, core.Axis(1)))
	case single && positive:
		scores = core.Concatenate([]core.Tensor{core.Sub(1, first), first}, core.Axis(1))
	default:
		scores = core.Concatenate([]core.Tensor{core.Neg(first), first}, core.Axis(1))
	}
	return []Value{label, {t: sameType(scores, dtype.F32)}}
}

// transformedTargets is [node.transformed] of regressors: a single target has no transform but PROBIT, in all
// implementations of these ops.
func (n *node) transformedTargets(y core.Tensor, by string) core.Tensor {
	if dims(y)[1] == 1 && by != "PROBIT" {
		by = "NONE"
	}
	return n.transformed(y, by)
}

// transformed applies a transform to the scores of each row.
func (n *node) transformed(y core.Tensor, by string) core.Tensor {
	switch by {
	case "NONE":
		return y
	case "LOGISTIC":
		return core.Sigmoid(y)
	case "PROBIT":
		return probit(y)
	case "SOFTMAX":
		return core.Softmax(y, core.Axis(-1))
	case "SOFTMAX_ZERO": // zeros stay
		high := core.Max(y, core.Axis(-1), core.KeepAxes)
		zero := core.LessEqual(core.Abs(y), 1e-7)
		e := core.Exp(core.Sub(y, high))
		sum := core.Sum(core.Where(zero, 0, e), core.Axis(-1), core.KeepAxes)
		return core.Div(core.Where(zero, core.Mul(y, core.Exp(core.Neg(high))), e), sum)
	}
	n.fail("post_transform is %q", by)
	return y
}

// probit is √2·erf⁻¹(2y - 1), by Winitzki's approximation, which is what implementations of these ops have.
func probit(y core.Tensor) core.Tensor {
	v := core.Sub(core.Mul(y, 2), 1)
	log := core.Log(core.Mul(core.Sub(1, v), core.Add(1, v)))
	a := core.Add(core.Mul(log, 0.5), 2/(3.14159*0.147))
	root := core.Sqrt(core.Sub(core.Sqrt(core.Sub(core.Square(a), core.Mul(log, 1/0.147))), a))
	return core.Mul(core.Where(core.Less(v, 0), core.Neg(root), root), math.Sqrt2)
}

// linearScores is x·coefficientsᵀ + intercepts, [rows, targets].
func (n *node) linearScores(targets int) core.Tensor {
	x, w := n.rowsOf(false), n.attrFloats("coefficients")
	if targets < 1 || len(w) != targets*dims(x)[1] {
		n.fail("it has %d coefficients for %d targets of %d features", len(w), targets, dims(x)[1])
	}
	y := core.DotGeneral(x, n.table(core.Reshape(vector(w, dtype.F32), targets, -1)),
		core.DotDims{ContractA: []int{1}, ContractB: []int{1}})
	if b := n.attrFloats("intercepts"); len(b) == targets || len(b) == 1 {
		y = core.Add(y, vector(b, dtype.F32))
	} else if len(b) != 0 {
		n.fail("it has %d intercepts for %d targets", len(b), targets)
	}
	return y
}

func linearRegressor(n *node) core.Tensor {
	return n.transformedTargets(n.linearScores(n.attrInt("targets", 1)), n.attrString("post_transform", "NONE"))
}

// linearClassifier chooses the class with the largest score; one list of scores is that of the second of two classes.
func linearClassifier(n *node) []Value {
	l := n.labelsOf("classlabels_ints")
	post := n.attrString("post_transform", "NONE")
	scores := len(n.attrFloats("intercepts"))
	if scores == 0 {
		scores = len(n.attrFloats("coefficients")) / max(dims(n.rowsOf(false))[1], 1)
	}
	y := n.linearScores(scores)
	if scores > 1 {
		if scores != l.len() {
			n.fail("it has %d labels for %d classes", l.len(), scores)
		}
		return []Value{l.at(core.ArgMax(y, core.Axis(1))), {t: n.transformed(y, post)}}
	}
	is := core.Cast(core.Reshape(core.Greater(y, 0), -1), dtype.S32)
	if l.len() != 2 {
		l = labels{ints: []int{0, 1}}
		if n.attr("classlabels_strings") != nil {
			l = labels{strings: []string{"0", "1"}}
		}
		if post == "PROBIT" {
			y = probit(y)
		}
		return []Value{l.at(is), {t: y}}
	}
	other := core.Sub(1, y)
	switch post {
	case "PROBIT":
		y = probit(y)
		other = core.Sub(1, y)
	case "LOGISTIC":
		other, y = core.Sigmoid(core.Neg(y)), core.Sigmoid(y)
	}
	return []Value{l.at(is), {t: core.Concatenate([]core.Tensor{other, y}, core.Axis(1))}}
}
