package core

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/weak"
)

// CrossEntropy implements nx.CrossEntropy.
func CrossEntropy(logits, classes Tensor) Tensor {
	const op, soft = "CrossEntropy", "probabilities of classes are for nx.SoftCrossEntropy"
	s, cs := logits.must(op), classes.must(op)
	ins := []Tensor{logits, classes}
	if !cs.DType.IsInteger() {
		failOn(ErrDType, op, ins, soft, "the classes are integers, not %s", cs.DType)
	}
	requireLogits(op, logits)
	if n := len(s.Shape); len(cs.Shape) != n-1 || !slices.Equal(s.Shape[:n-1], cs.Shape) {
		failOn(ErrShape, op, ins, "the classes have the shape of the logits without the last axis; "+soft,
			"the shapes are %v and %v", []int(s.Shape), []int(cs.Shape))
	}
	n := s.Shape[len(s.Shape)-1]
	if classes.p.tr == nil {
		requireClasses(logits, classes, n)
	}
	defer calledAs(op, ins...)
	if n == 0 {
		return constantOf(op, intern(Spec{DType: floating(s.DType, s.weak), Shape: cs.Shape}), fillValue(F32), logits,
			classes)
	}
	last := Axis(-1)
	x, _ := belowMax(logits, Tensor{}, last, false)
	inside := LogicalAnd(GreaterEqual(classes, 0), Less(classes, n))
	at := TakeAlong(x, ExpandAxis(classes, last), last)
	loss := Squeeze(Sub(logOfSum(x, Tensor{}, last), at), last)
	return converted(Where(inside, loss, math.NaN()), floating(s.DType, s.weak))
}

// requireClasses refuses numbers of classes beyond n.
func requireClasses(logits, classes Tensor, n int) {
	s := classes.p.spec
	lend("CrossEntropy", classes, func(data []byte) {
		for i := range s.count() {
			c := weak.Decode(s.DType, data[i*s.DType.Size():])
			if c.Kind == dtype.KindUnsigned || c.Int < 0 || c.Int >= int64(n) {
				failOn(ErrValue, "CrossEntropy", []Tensor{logits, classes}, "classes count from 0",
					"the class %s, number %d, is not one of the %d that the logits are of", c.Text(), i, n)
			}
		}
	})
}

func requireLogits(op string, logits Tensor) {
	requireOrder(op, logits)
	if len(logits.p.spec.Shape) == 0 {
		failOn(ErrShape, op, []Tensor{logits}, "their last axis is that of the classes", "the logits are a scalar")
	}
}

// SoftCrossEntropy implements nx.SoftCrossEntropy.
func SoftCrossEntropy(logits, probabilities Tensor) Tensor {
	const op = "SoftCrossEntropy"
	s, ps := logits.must(op), probabilities.must(op)
	ins := []Tensor{logits, probabilities}
	requireLogits(op, logits)
	requireOrder(op, probabilities)
	if !slices.Equal(s.Shape, ps.Shape) {
		failOn(ErrShape, op, ins, "numbers of classes are for nx.CrossEntropy",
			"the probabilities have the shape of the logits: the shapes are %v and %v", []int(s.Shape), []int(ps.Shape))
	}
	defer calledAs(op, ins...)
	d := floating(promoted(s, ps), s.weak && ps.weak)
	last := Axis(-1)
	p := converted(probabilities, wide(d))
	if s.Shape[len(s.Shape)-1] == 0 {
		return converted(Sum(Mul(converted(logits, wide(d)), p), last), d)
	}
	x, _ := belowMax(logits, Tensor{}, last, false)
	x = converted(x, wide(d))
	without := LogicalAnd(Equal(p, 0), Equal(x, math.Inf(-1)))
	return converted(Sum(Mul(p, Sub(logOfSum(x, Tensor{}, last), Where(without, 0, x))), last), d)
}
