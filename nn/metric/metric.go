package metric

import (
	"reflect"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/tree"
)

// Metric is a container of sums with a value.
type Metric interface{ Value() nx.Tensor }

// Add adds two containers of sums, of one metric or of many.
//
// Errors: [nx.ErrShape] for sums of other shapes.
func Add[A any](a, b A) A {
	return tree.Map2(func(x, y nx.Tensor) nx.Tensor { return nx.Add(x, y) }, a, b)
}

// Values returns the values of all metrics in a container that are numbers, by their paths. It waits for them, so it
// cannot be called in a function that is compiled.
func Values(sums any) map[string]float64 {
	all := map[string]float64{}
	values(reflect.ValueOf(sums), "", all)
	return all
}

var metricType = reflect.TypeFor[Metric]()

func values(v reflect.Value, path string, all map[string]float64) {
	if !v.IsValid() {
		return
	}
	if v.Type().Implements(metricType) && v.CanInterface() && !(v.Kind() == reflect.Pointer && v.IsNil()) {
		if absent(v.Interface()) {
			return
		}
		if t := v.Interface().(Metric).Value(); t.Rank() == 0 {
			if path == "" {
				path = v.Type().Name()
			}
			all[path] = nx.Item[float64](nx.Cast(t, nx.F64))
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		values(v.Elem(), path, all)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				name := f.Name
				if path != "" {
					name = path + "." + name
				}
				values(v.Field(i), name, all)
			}
		}
	}
}

// absent reports whether a container has no tensor, as sums before the first batch.
func absent(p any) bool {
	for range tree.Leaves(p) {
		return false
	}
	return true
}

// Option is an option of the functions that make sums.
type Option interface{ option(*options) }

type options struct {
	weight  nx.Tensor
	ignore  int64
	ignores bool
}

type weightOption struct{ w nx.Tensor }
type ignoreOption int64

// Weight multiplies what each row counts by a weight, 0 and 1 for a mask. It has the leading axes of the rows: [batch]
// for rows [batch, time] too.
func Weight(w nx.Tensor) Option { return weightOption{w} }

// Ignore leaves rows of a class out, of metrics that take classes by number: -100 is PyTorch's.
func Ignore(class int64) Option { return ignoreOption(class) }

func (o weightOption) option(p *options) { p.weight = o.w }
func (o ignoreOption) option(p *options) { p.ignore, p.ignores = int64(o), true }

func newOptions(opts []Option) (o options) {
	for _, opt := range opts {
		if opt != nil {
			opt.option(&o)
		}
	}
	return o
}

// weights are the weights of rows of a shape, f64.
func (o options) weights(op string, shape nx.Shape) nx.Tensor {
	if o.weight.IsZero() {
		return nx.Ones(shape, nx.F64)
	}
	w := nx.Cast(o.weight, nx.F64)
	for w.Rank() < len(shape) {
		w = nx.ExpandAxis(w, nx.Axis(-1))
	}
	for i, n := range w.Shape() {
		if i >= len(shape) || n != shape[i] && n != 1 {
			panic(diag.New(nx.ErrShape, op, "a weight has the leading axes of the rows",
				"weights %v do not fit rows of the shape %v", o.weight.Shape(), shape))
		}
	}
	return nx.BroadcastTo(w, shape...)
}

// rows are the weights of rows with classes: 0 for the class that is ignored.
func (o options) rows(op string, classes nx.Tensor) nx.Tensor {
	w := o.weights(op, classes.Shape())
	if o.ignores {
		w = nx.Where(nx.Equal(classes, o.ignore), nx.ZerosLike(w), w)
	}
	return w
}

// product is w·x, 0 where w is 0, as what padding has may not be finite.
func product(w, x nx.Tensor) nx.Tensor {
	none := nx.Equal(w, 0)
	return nx.Where(none, nx.ZerosLike(w), nx.Mul(w, nx.Where(none, nx.ZerosLike(w), nx.Cast(x, nx.F64))))
}

// quotient is a/b, 0 where b is 0.
func quotient(a, b nx.Tensor) nx.Tensor {
	none := nx.Equal(b, 0)
	return nx.Where(none, nx.ZerosLike(a), nx.Div(a, nx.Where(none, nx.OnesLike(b), b)))
}

// sameShape checks that predictions and targets have one shape.
func sameShape(op string, p, y nx.Tensor) {
	if !slices.Equal(p.Shape(), y.Shape()) {
		panic(diag.New(nx.ErrShape, op, "", "predictions are %v, targets are %v", p.Shape(), y.Shape()))
	}
}

// rowsOf checks that scores have a row for each class.
func rowsOf(op string, scores, classes nx.Tensor) {
	if scores.Rank() != classes.Rank()+1 || !slices.Equal(scores.Shape()[:classes.Rank()], classes.Shape()) {
		panic(diag.New(nx.ErrShape, op, "scores have one axis more than classes, the last one",
			"scores are %v, classes are %v", scores.Shape(), classes.Shape()))
	}
}
