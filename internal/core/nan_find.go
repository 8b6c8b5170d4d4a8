package core

import (
	"context"
	"maps"
	"slices"
	"sync"
	"weak"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// nanFinder follows NaNs and infinities through a program that runs op by op. NaNs in a result have the origin of
// those in the first operand that has some, and where there is none the op is the origin; so have infinities. A
// NaN that a select drops is therefore not followed further.
type nanFinder struct {
	mu     sync.Mutex
	origin map[weak.Pointer[interp.Tensor]]origins
	limit  int // of origin, before it is cleaned
	count  int
	latest map[int]*sighting // of each device
}

// origins are those of the NaNs and of the infinities in a tensor, nil where it has none.
type origins struct{ nan, inf *sighting }

// sighting is the place where something is not finite first.
type sighting struct {
	NaNOrigin
	order    int
	infinity *sighting // of the operand of which the op made a NaN
}

// find runs the program of a call again, and returns the origin of the first NaN that reaches one of the
// results at these places.
func (c *checkedCall) find(ctx context.Context, at []int) (nan, inf *NaNOrigin, err error) {
	f := &nanFinder{origin: map[weak.Pointer[interp.Tensor]]origins{}, latest: map[int]*sighting{}}
	compute := &opCompiler{client: recomputingClient()}
	defer compute.close()
	it, err := interp.New(c.module, interp.WithSteps(f.step), interp.WithCompute(compute.run))
	if err != nil {
		return nil, nil, err
	}
	main, _ := c.module.Func("main")
	args := make([]interp.Value, len(c.args))
	for i, b := range c.args {
		var data []byte
		if err := viewElements(ctx, b, func(all []byte) { data = slices.Clone(all) }); err != nil {
			return nil, nil, err
		}
		x, err := interp.NewTensor(main.Type().Ins[i].(*stablehlo.TensorType), data)
		if err != nil {
			return nil, nil, err
		}
		f.argument(x, i, c.path)
		args[i] = x
	}
	results, err := it.Call(ctx, "main", args...)
	if err != nil {
		return nil, nil, err
	}
	var first *sighting
	for _, i := range at {
		x, _ := results[i].(*interp.Tensor)
		if s := f.origin[weak.Make(x)].nan; s != nil && (first == nil || s.order < first.order) {
			first = s
		}
	}
	if first == nil {
		return nil, nil, nil
	}
	if first.infinity != nil {
		inf = &first.infinity.NaNOrigin
	}
	return &first.NaNOrigin, inf, nil
}

// argument notes the NaNs and infinities in an argument.
func (f *nanFinder) argument(x *interp.Tensor, i int, path func(i int) (op, path string)) {
	nan, inf, first := countNonFinite(x.Type.DType(), x.Data)
	if nan+inf == 0 {
		return
	}
	s := f.sighting(NaNOrigin{Device: -1, Result: rangeOf(x), Index: indexOf(x, first)})
	s.Op, s.Path = path(i)
	f.mark(x, s, s, nan, inf)
}

func (f *nanFinder) sighting(o NaNOrigin) *sighting {
	f.count++
	return &sighting{NaNOrigin: o, order: f.count}
}

func (f *nanFinder) mark(x *interp.Tensor, ofNaN, ofInf *sighting, nan, inf int) {
	var o origins
	if nan > 0 {
		o.nan = ofNaN
	}
	if inf > 0 {
		o.inf = ofInf
	}
	f.origin[weak.Make(x)] = o
	if len(f.origin) > f.limit { // of tensors that are gone: a loop makes many
		maps.DeleteFunc(f.origin, func(p weak.Pointer[interp.Tensor], _ origins) bool { return p.Value() == nil })
		f.limit = 2*len(f.origin) + 1000
	}
}

// step notes the NaNs and infinities in the results of an op.
func (f *nanFinder) step(s interp.Step) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var have origins // of the operands
	for _, v := range s.Args {
		if x, ok := v.(*interp.Tensor); ok {
			o := f.origin[weak.Make(x)]
			if have.nan == nil {
				have.nan = o.nan
			}
			if have.inf == nil {
				have.inf = o.inf
			}
		}
	}
	for _, v := range s.Results {
		x, ok := v.(*interp.Tensor)
		if !ok {
			continue
		}
		if _, known := f.origin[weak.Make(x)]; known { // of a loop or a call
			continue
		}
		nan, inf, first := countNonFinite(x.Type.DType(), x.Data)
		if nan+inf == 0 {
			continue
		}
		made := have
		if nan > 0 && made.nan == nil {
			made.nan = f.elsewhere(s)
		}
		var here *sighting
		if nan > 0 && made.nan == nil || inf > 0 && made.inf == nil {
			here = f.sighting(describeStep(s, x, first))
		}
		if nan > 0 && made.nan == nil {
			made.nan, here.infinity = here, have.inf
			f.latest[s.Device] = here
		}
		if made.inf == nil {
			made.inf = here
		}
		f.mark(x, made.nan, made.inf, nan, inf)
	}
}

// elsewhere returns the origin on another device of the NaN that a collective op passed on, or nil.
func (f *nanFinder) elsewhere(s interp.Step) (last *sighting) {
	if s.Device < 0 || s.Op.Attr("replica_groups") == nil && s.Op.Attr("source_target_pairs") == nil {
		return nil
	}
	for device, x := range f.latest {
		if device >= 0 && device != s.Device && (last == nil || x.order > last.order) {
			last = x
		}
	}
	return last
}

// describeStep describes the op that made x.
func describeStep(s interp.Step, x *interp.Tensor, first int) NaNOrigin {
	from := emit.OriginOf(s.Op.Loc)
	o := NaNOrigin{Op: shortName(s.Op), Line: lineOf(from.File), Reverse: from.Reverse, Tangent: from.Tangent,
		Device: s.Device, Result: rangeOf(x), Index: indexOf(x, first), Operands: []ValueRange{}}
	for _, v := range s.Args {
		if a, ok := v.(*interp.Tensor); ok {
			o.Operands = append(o.Operands, rangeOf(a))
		}
	}
	for _, w := range s.Within {
		around := emit.OriginOf(w.Op.Loc)
		o.Reverse, o.Tangent = o.Reverse || around.Reverse, o.Tangent || around.Tangent
		if w.Op.Code != stablehlo.OpWhile {
			continue
		}
		if n := len(around.Batches); n > 0 && around.Batches[n-1].Member == emit.Iterations {
			o.Members = append(o.Members, NaNMember{int(around.Batches[n-1].Size), w.Iteration})
			continue
		}
		o.Loops = append(o.Loops, NaNLoop{lineOf(around.File), w.Iteration, around.Reverse})
	}
	for i := len(s.Within) - 1; i >= 0 && o.Line == ""; i-- {
		o.Line = lineOf(stablehlo.FileOf(s.Within[i].Op.Loc))
	}
	for i, b := range from.Batches {
		m := NaNMember{int(b.Size), -1}
		if axis := from.Axis(i); axis >= 0 && axis < len(o.Index) && x.Type.Dims[axis] == b.Size {
			m.Index = o.Index[axis]
		}
		o.Members = append(o.Members, m)
	}
	return o
}

// shortName is the name of an op without its dialect, RuntimeCall of a call of a Go function.
func shortName(op *stablehlo.Op) string {
	if op.Attr(stablehlo.HostTarget) != nil {
		return "RuntimeCall"
	}
	name := op.Name()
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}

func lineOf(f *stablehlo.FileLoc) string {
	if f == nil {
		return ""
	}
	return place(f.File, f.Line)
}

// indexOf returns the index of an element, nil of none.
func indexOf(x *interp.Tensor, i int) []int {
	if i < 0 {
		return nil
	}
	at := make([]int, len(x.Type.Dims))
	for k := len(at) - 1; k >= 0; k-- {
		n := int(x.Type.Dims[k])
		at[k], i = i%n, i/n
	}
	return at
}
