package nn

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// Ctx is the context of an application of layers. The zero value, and a nil pointer, are inference.
type Ctx struct {
	// Train makes dropout drop, and batch norms use and record the statistics of the batch.
	Train bool
	// Key is the key of this step, from package random; it may be absent where no layer draws numbers.
	Key nx.Tensor
	// Model is the model that is applied, or nil: errors name the path of a layer in it.
	Model any

	draws  int
	losses []nx.Tensor
	within string // the path of Model in the model around it
}

// Training reports whether layers train.
func (c *Ctx) Training() bool { return c != nil && c.Train }

// NextKey returns a key for the next draw. It depends on Key and the number of keys taken before, not on the values of
// tensors, so a layer draws the same numbers at each execution of a compiled step with the same Key.
//
// Errors: [nx.ErrArgument] without a Key.
func (c *Ctx) NextKey() nx.Tensor { return c.keyOf("NextKey", nil) }

// AddLoss adds a scalar to the sum of [Ctx.AuxLoss], as a [MoE] does in training. A nil context forgets it.
func (c *Ctx) AddLoss(l nx.Tensor) {
	if c != nil {
		c.losses = append(c.losses, l)
	}
}

// AuxLoss is the sum of what layers have added to the loss so far, which the loss of a model adds to its own. It is 0
// in inference.
//
//	return nx.Add(nx.Mean(loss.CrossEntropy(logits, b.Y)), c.AuxLoss()), sums
//
// Shapes: a scalar. DTypes: f32. Gradient: that of the parts.
func (c *Ctx) AuxLoss() nx.Tensor {
	sum := nx.Zeros(nx.Shape{}, nx.F32)
	if c != nil {
		for _, l := range c.losses {
			sum = nx.Add(sum, nx.Cast(l, nx.F32))
		}
	}
	return sum
}

// Fold returns a context for a part of a model that runs n times, such as the body of a scan over layers: its key
// depends on i. It has an AuxLoss of its own, which the body returns.
func (c *Ctx) Fold(i nx.Tensor) *Ctx {
	if c == nil {
		return nil
	}
	child := &Ctx{Train: c.Train, Model: c.Model, within: c.within}
	if !c.Key.IsZero() {
		child.Key = random.FoldIn(c.NextKey(), i)
	}
	return child
}

// keyOf is [Ctx.NextKey] for a layer, whose path the error names.
func (c *Ctx) keyOf(op string, layer any) nx.Tensor {
	if c == nil || c.Key.IsZero() {
		panic(diag.New(nx.ErrArgument, op, "set Ctx.Key to a key of this step: random.FoldIn(key, step)",
			"%s draws random numbers, and the context has no key", c.describe(layer)))
	}
	c.draws++
	return random.FoldIn(c.Key, c.draws)
}

// describe names a layer for messages: its path in the model and its type.
func (c *Ctx) describe(layer any) string {
	if layer == nil {
		return "a layer"
	}
	t := reflect.TypeOf(layer).Elem().Name()
	if path := c.pathTo(layer); path != "" {
		return fmt.Sprintf("the layer %s (%s)", path, t)
	}
	return "a layer " + t
}

// pathTo returns the path of a layer in the model, or "".
func (c *Ctx) pathTo(layer any) string {
	if c == nil || c.Model == nil {
		return ""
	}
	path := pathOf(reflect.ValueOf(c.Model), reflect.ValueOf(layer), 0)
	if path == "" {
		return ""
	}
	return strings.TrimPrefix(c.within+strings.TrimSuffix(path, "."), ".")
}

// inLayer marks an error that names its layer, which the layers around it leave as it is.
type inLayer struct{ error }

// Unwrap returns the cause.
func (e inLayer) Unwrap() error { return e.error }

// mostFields is the number of tensors that an error names of the layers in a layer.
const mostFields = 4

// named adds a layer, its path and its tensors to an error of its function. It is deferred.
func (c *Ctx) named(layer any) {
	r := recover()
	if r == nil {
		return
	}
	e, ok := r.(*nx.Error)
	if !ok || errors.As(e.Err, new(inLayer)) {
		panic(r)
	}
	text := "in " + c.describe(layer)
	sep := ": "
	within := true // the layer has no tensor itself, but layers with some
	v := reflect.ValueOf(layer).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if !v.Type().Field(i).IsExported() || !isTensor(f.Type()) {
			continue
		}
		if t := f.Convert(tensorType).Interface().(nx.Tensor); !t.IsZero() {
			text += fmt.Sprintf("%s%s %v", sep, v.Type().Field(i).Name, t.Shape())
			sep, within = ", ", false
		}
	}
	for i, l := range Leaves(layer) {
		if !within || i == mostFields {
			break
		}
		text += fmt.Sprintf("%s%s %v", sep, l.Path, l.Tensor.Shape())
		sep = ", "
	}
	e.Operands = append(slices.Clip(e.Operands), text)
	if e.Code == nx.ErrTrace {
		e.Hint = "a layer that writes buffers must be an argument of the function that nx.Checkpoint, nx.Scan or " +
			"nx.Vmap gets, and in its result; nn.Remat does that"
	}
	e.Err = inLayer{e.Err}
	panic(e)
}

// pathOf returns the path from a value to the one that target points to, or "".
func pathOf(v, target reflect.Value, depth int) string {
	if depth > 100 || !v.IsValid() || isTensor(v.Type()) {
		return ""
	}
	if v.CanAddr() && v.Type() == target.Type().Elem() && v.Addr().Pointer() == target.Pointer() {
		return "."
	}
	join := func(step string, elem reflect.Value) string {
		switch path := pathOf(elem, target, depth+1); path {
		case "":
			return ""
		case ".":
			if step == "" {
				return "."
			}
			return step
		default:
			return step + path
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return pathOf(v.Elem(), target, depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			step := "." + v.Type().Field(i).Name
			if v.Type().Field(i).Anonymous {
				step = ""
			}
			if path := join(step, v.Field(i)); path != "" {
				return path
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if path := join(fmt.Sprintf("[%d]", i), v.Index(i)); path != "" {
				return path
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if path := join(fmt.Sprintf("[%v]", k), v.MapIndex(k)); path != "" {
				return path
			}
		}
	}
	return ""
}
