package onnx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// mlDomain is the domain of the ops of traditional machine learning.
const mlDomain = "ai.onnx.ml"

// mlRows are trees, linear models, kernels, and encoders of features.
func mlRows() []row {
	classifier := func(op string, run func(n *node) []Value) row {
		return row{op: op, run: run, host: onData(run), strings: true}
	}
	list := []row{
		classifier("TreeEnsembleClassifier", treeClassifier), classifier("LinearClassifier", linearClassifier),
		classifier("SVMClassifier", svmClassifier), classifier("LabelEncoder", labelEncoder),
		single("TreeEnsembleRegressor", treeRegressor), single("TreeEnsemble", treeEnsemble),
		single("LinearRegressor", linearRegressor), single("SVMRegressor", svmRegressor),
		single("Scaler", scaler), single("Normalizer", normalizer), single("Imputer", imputer),
		single("Binarizer", binarizer), single("FeatureVectorizer", featureVectorizer),
		{op: "OneHotEncoder", run: func(n *node) []Value { return one(oneHotEncoder(n)) }, strings: true},
		{op: "ZipMap", run: zipMap}, {op: "CategoryMapper", run: categoryMapper, host: onData(categoryMapper),
			strings: true},
	}
	for i := range list {
		list[i].domain = mlDomain
	}
	return list
}

// onData runs an op that makes strings between the parts of a program.
func onData(run func(n *node) []Value) func(d *driver, n *node) ([]Value, error) {
	return func(_ *driver, n *node) ([]Value, error) { return run(n), nil }
}

// needsData ends the part of a program before the node if its operands are computed in it: strings are not.
func (n *node) needsData() {
	if n.m != nil && !n.atOnce {
		panic(needed{name: n.Inputs[0], value: n.ins[0], host: true, why: "results of " + n.label() + " are strings"})
	}
}

// labels are the names of classes: integers or strings.
type labels struct {
	ints    []int
	strings []string
}

// labelsOf reads the labels of a classifier.
func (n *node) labelsOf(ints string) labels {
	l := labels{n.attrInts(ints), n.attrStrings("classlabels_strings")}
	if l.strings != nil && n.wants(0) {
		n.needsData()
	}
	return l
}

func (l labels) len() int { return max(len(l.ints), len(l.strings)) }

// at returns the labels of classes, given by their indices.
func (l labels) at(index core.Tensor) Value {
	if l.strings == nil {
		return TensorValue(core.Take(intsTensor(l.ints), index))
	}
	if core.IsTraced(index) { // they are never used
		return StringsValue(nil, nil)
	}
	v := StringsValue(dims(index), nil)
	for _, i := range toInts(index) {
		v.strings = append(v.strings, l.strings[min(max(i, 0), len(l.strings)-1)])
	}
	return v
}

// rowsOf returns the operand of a model as rows of features in floats: f64 stays, others become f32.
func (n *node) rowsOf(wide bool) core.Tensor {
	x := n.in(0)
	switch x.Rank() {
	case 1:
		x = core.Reshape(x, 1, -1)
	case 2:
	default:
		n.fail("the features are a matrix, got the shape %v", dims(x))
	}
	if x.DType() == dtype.F64 && wide {
		return x
	}
	return sameType(x, dtype.F32)
}

// vector returns attribute values as a tensor of a type.
func vector(list []float64, d dtype.Type) core.Tensor {
	return core.Cast(core.FromSlice(list, core.Shape{len(list)}), d)
}

// perFeature is an attribute with a number for all or each of the last axis.
func (n *node) perFeature(name string, x core.Tensor) core.Tensor {
	list := n.attrFloats(name)
	if x.Rank() == 0 || len(list) != 1 && len(list) != dims(x)[x.Rank()-1] {
		n.fail("%s has %d numbers for the shape %v", name, len(list), dims(x))
	}
	return vector(list, dtype.F32)
}

// scaler is (x - offset)·scale.
func scaler(n *node) core.Tensor {
	x := n.in(0)
	y := sameType(x, dtype.F32)
	if n.attr("offset") != nil {
		y = core.Sub(y, n.perFeature("offset", x))
	}
	if n.attr("scale") != nil {
		y = core.Mul(y, n.perFeature("scale", x))
	}
	return y
}

// normalizer divides each row by its largest element, the sum of absolute ones, or its length. Zeros stay.
func normalizer(n *node) core.Tensor {
	x := sameType(n.in(0), dtype.F32)
	var by core.Tensor
	switch norm := n.attrString("norm", "MAX"); norm {
	case "MAX":
		by = core.Max(x, core.Axis(-1), core.KeepAxes)
	case "L1":
		by = core.Sum(core.Abs(x), core.Axis(-1), core.KeepAxes)
	case "L2":
		by = core.Sqrt(core.Sum(core.Square(x), core.Axis(-1), core.KeepAxes))
	default:
		n.fail("norm is %q", norm)
	}
	return core.Div(x, core.Where(core.Equal(by, 0), 1, by))
}

// binarizer is 1 above a threshold, 0 elsewhere.
func binarizer(n *node) core.Tensor {
	x := n.in(0)
	return core.Cast(core.Greater(x, core.Cast(core.Full(core.Shape{}, n.attrFloat("threshold", 0), dtype.F64),
		x.DType())),
		x.DType())
}

// imputer replaces what equals a number, or is NaN if that is, by that of its feature.
func imputer(n *node) core.Tensor {
	x := n.in(0)
	name, is := "imputed_value_floats", core.Tensor{}
	if x.DType().IsInteger() {
		name = "imputed_value_int64s"
		is = core.Equal(x, core.Cast(core.Full(core.Shape{}, n.attrInt("replaced_value_int64", 0), dtype.S64),
			x.DType()))
	} else if v := n.attrFloat("replaced_value_float", 0); v != v {
		is = core.IsNaN(x)
	} else {
		is = core.Equal(x, core.Cast(core.Full(core.Shape{}, v, dtype.F64), x.DType()))
	}
	var by core.Tensor
	if x.DType().IsInteger() {
		by = core.Cast(intsTensor(n.attrInts(name)), x.DType())
	} else {
		by = vector(n.attrFloats(name), x.DType())
	}
	if last := dims(x); by.Size() != 1 && (len(last) == 0 || by.Size() != last[len(last)-1]) {
		n.fail("%s has %d values for the shape %v", name, by.Size(), last)
	}
	return core.Where(is, by, x)
}

// featureVectorizer joins the features of its operands.
func featureVectorizer(n *node) core.Tensor {
	list := n.allIn()
	sizes := n.attrInts("inputdimensions")
	for i, t := range list {
		switch t.Rank() {
		case 1:
			t = core.Reshape(t, 1, -1)
		case 2:
		default:
			t = core.Reshape(t, dims(t)[0], -1)
		}
		if i < len(sizes) && sizes[i] != dims(t)[1] { // it has so many features, others are 0 or left out
			t = core.Pad(t, 0, [2]int{}, [2]int{0, sizes[i] - dims(t)[1]})
		}
		list[i] = sameType(t, dtype.F32)
	}
	return core.Concatenate(list, core.Axis(1))
}

// oneHotEncoder compares with each of the categories, along a new last axis.
func oneHotEncoder(n *node) core.Tensor {
	v := n.value(0)
	if v.kind == stringKind {
		cats := map[string]int{}
		for i, s := range n.attrStrings("cats_strings") {
			cats[s] = i
		}
		out := make([]float32, len(v.strings)*len(cats))
		for i, s := range v.strings {
			if k, ok := cats[s]; ok {
				out[i*len(cats)+k] = 1
			} else if n.attrInt("zeros", 1) == 0 {
				n.fail("%q is none of the categories", s)
			}
		}
		return core.FromSlice(out, append(append(core.Shape{}, v.shape...), len(cats)))
	}
	x := sameType(n.in(0), dtype.S64)
	cats := intsTensor(n.attrInts("cats_int64s"))
	return core.Cast(core.Equal(core.ExpandAxis(x, core.Axis(-1)), cats), dtype.F32)
}

// zipMap would make a map of each row; here the scores stay a tensor, in the order of the classes.
func zipMap(n *node) []Value { return []Value{n.value(0)} }

// categoryMapper is between strings and integers that are given in pairs.
func categoryMapper(n *node) []Value {
	return n.mapped(n.attrStrings("cats_strings"), n.attrInts("cats_int64s"), n.attrString("default_string", "_Unused"),
		n.attrInt("default_int64", -1))
}

// mapped looks strings up among integers, or integers among strings.
func (n *node) mapped(names []string, numbers []int, name string, number int) []Value {
	v := n.value(0)
	if len(names) != len(numbers) {
		n.fail("there are %d strings for %d integers", len(names), len(numbers))
	}
	if v.kind == stringKind {
		by := map[string]int{}
		for i, s := range names {
			by[s] = numbers[i]
		}
		out := make([]int64, len(v.strings))
		for i, s := range v.strings {
			k, ok := by[s]
			if !ok {
				k = number
			}
			out[i] = int64(k)
		}
		return one(core.FromSlice(out, core.Shape(v.shape)))
	}
	n.needsData()
	by := map[int]string{}
	for i, k := range numbers {
		by[k] = names[i]
	}
	out := StringsValue(dims(v.t), nil)
	for _, k := range toInts(v.t) {
		s, ok := by[k]
		if !ok {
			s = name
		}
		out.strings = append(out.strings, s)
	}
	return []Value{out}
}
