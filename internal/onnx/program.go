package onnx

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/mapped"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/stablehlo"
)

// Form is that of programs of ONNX.
const Form model.Form = "ONNX"

// Program is a model. It is safe for concurrent use once it runs.
type Program struct {
	file      *onnx.File
	described *model.Program
	main      *body
	opsets    map[string]int64
	functions map[functionName]*onnx.Function
	inputs    []*onnx.Value  // those that a call takes
	free      []*onnx.Tensor // weights that are arguments after them

	mutex   sync.Mutex
	bodies  map[*onnx.Graph]*body
	called  map[*onnx.Function]*body
	free1   map[*onnx.Node][]string
	weights map[*onnx.Tensor]Value
	// transposed has weights in the layout in which convolutions multiply by them.
	transposed map[*onnx.Tensor]core.Tensor
	plans      map[string]*plan
	sized      uint64 // inputs whose values decide shapes
	bound      map[int]bool
	client     backend.Client
}

// functionName identifies a function of a model.
type functionName struct{ domain, name, overload string }

// Open reads a model. Its error lists all nodes that cannot be imported.
func Open(file string) (*Program, error) { return OpenIn(nil, file) }

// OpenIn is [Open] of a file in a file system, nil for that of the operating system.
func OpenIn(fsys fs.FS, file string) (*Program, error) {
	f, err := onnx.OpenFS(fsys, file)
	if err != nil {
		return nil, err
	}
	p := &Program{file: f, functions: map[functionName]*onnx.Function{},
		bodies: map[*onnx.Graph]*body{}, called: map[*onnx.Function]*body{}, free1: map[*onnx.Node][]string{},
		transposed: map[*onnx.Tensor]core.Tensor{},
		weights:    map[*onnx.Tensor]Value{}, plans: map[string]*plan{}, bound: map[int]bool{}}
	m := f.Model
	if m.Graph == nil {
		return nil, fmt.Errorf("%s: the model has no graph", file)
	}
	p.opsets = versions(m.Opsets)
	for _, fn := range m.Functions {
		name := functionName{domainOf(fn.Domain), fn.Name, fn.Overload}
		if p.functions[name] != nil {
			return nil, fmt.Errorf("%s: there are two functions %s.%s", file, fn.Domain, fn.Name)
		}
		p.functions[name] = fn
	}
	if p.main, err = p.bodyOf(m.Graph); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p.described = &model.Program{Path: file, Form: Form, Function: m.Graph.Name}
	for _, v := range m.Graph.Inputs {
		if p.main.initial(v.Name) == nil {
			p.inputs = append(p.inputs, v)
		}
	}
	return p, nil
}

func versions(list []onnx.Opset) map[string]int64 {
	out := map[string]int64{}
	for _, o := range list {
		out[domainOf(o.Domain)] = max(out[domainOf(o.Domain)], o.Version)
	}
	return out
}

// domainOf is a domain by its one name: that of the default one is "".
func domainOf(name string) string {
	if name == "ai.onnx" {
		return ""
	}
	return name
}

// Describe returns the description of arguments and results as tensors; its error names one of another type.
func (p *Program) Describe() (*model.Program, error) {
	d := p.described
	if d.In != nil || d.Out != nil {
		return d, nil
	}
	for _, v := range p.inputs {
		q, err := param(v)
		if err != nil {
			return nil, fmt.Errorf("%s: input %w", d.Path, err)
		}
		d.In = append(d.In, q)
	}
	for _, v := range p.file.Model.Graph.Outputs {
		q, err := param(v)
		if err != nil {
			return nil, fmt.Errorf("%s: output %w", d.Path, err)
		}
		d.Out = append(d.Out, q)
	}
	return d, nil
}

// param describes a tensor of a graph.
func param(v *onnx.Value) (model.Param, error) {
	q := model.Param{Name: v.Name}
	if v.Type == nil || v.Type.Tensor == nil {
		return q, fmt.Errorf("%q is not a tensor, and sequences, optional values and maps are not arguments of calls",
			v.Name)
	}
	t := v.Type.Tensor
	d, err := t.Elem.DType()
	if err != nil {
		return q, fmt.Errorf("%q: %w", v.Name, err)
	}
	sizes := []int64{}
	q.Dims = []string{}
	for i, dim := range t.Dims {
		n := dim.Size
		if n < 0 || dim.Param != "" {
			n = -1
		}
		name := dim.Param
		if name == "" && n < 0 {
			name = fmt.Sprintf("%s_%d", v.Name, i)
		}
		if n >= 0 {
			name = fmt.Sprint(n)
		}
		sizes, q.Dims = append(sizes, n), append(q.Dims, name)
	}
	for i, n := range sizes {
		if n < 0 {
			sizes[i] = stablehlo.Dynamic
		}
	}
	q.Type = stablehlo.Tensor(d, sizes...)
	return q, nil
}

// Program implements core.Imported.
func (p *Program) Program() (*model.Program, error) { return p.Describe() }

// IsFile reports whether a path is that of a model, by its name.
func IsFile(path string) bool { return strings.EqualFold(filepath.Ext(path), ".onnx") }

// Model returns what the file holds.
func (p *Program) Model() *onnx.Model { return p.file.Model }

// Bound implements core.Imported.
func (p *Program) Bound(arg int, t core.Tensor) { p.bound[arg] = true }

// Free implements core.Imported.
func (p *Program) Free(patterns []string) error {
	names := slices.Sorted(maps.Keys(p.main.inits))
	used := make([]bool, len(patterns))
	for _, name := range names {
		t := p.main.inits[name]
		d, err := t.Type.DType()
		if err != nil {
			continue
		}
		for i, pattern := range patterns {
			if ok, err := path.Match(pattern, name); err != nil {
				return fmt.Errorf("%s: nx.FreeWeights: %q: %w", p.described.Path, pattern, err)
			} else if !ok {
				continue
			} else if used[i] = true; !d.IsFloat() && pattern != name {
				continue // shapes and indices are not trained
			}
			p.free = append(p.free, t)
			p.described.In = append(p.described.In, model.Param{Name: name, Type: stablehlo.Tensor(d, t.Dims...)})
			break
		}
	}
	for i, ok := range used {
		if !ok {
			return fmt.Errorf("%s: nx.FreeWeights: no weight has the name %q, there are %v", p.described.Path,
				patterns[i],
				names[:min(len(names), 12)])
		}
	}
	return nil
}

// Weights implements core.Imported.
func (p *Program) Weights(client backend.Client) (map[string]core.Tensor, error) {
	out := map[string]core.Tensor{}
	for _, t := range p.free {
		v, err := p.weight(t)
		if err != nil {
			return nil, err
		}
		out[t.Name] = v.t
	}
	return out, nil
}

// weight returns a tensor of the file, which is mapped where that is possible.
func (p *Program) weight(t *onnx.Tensor) (Value, error) {
	p.mutex.Lock()
	v, ok := p.weights[t]
	p.mutex.Unlock()
	if ok {
		return v, nil
	}
	if t.Type == onnx.StringData {
		shape, n, err := t.Shape()
		if err != nil {
			return Value{}, err
		}
		if int64(len(t.Strings)) != n {
			return Value{}, fmt.Errorf("onnx: tensor %q has %d strings for the shape %v", t.Name, len(t.Strings), shape)
		}
		v = StringsValue(shape, nil)
		for _, s := range t.Strings {
			v.strings = append(v.strings, string(s))
		}
		return v, nil
	}
	d, err := t.Type.DType()
	if err != nil {
		return Value{}, fmt.Errorf("onnx: tensor %q: %w", t.Name, err)
	}
	shape, _, err := t.Shape()
	if err != nil {
		return Value{}, err
	}
	h := npy.Header{DType: d, Shape: shape}
	a := &model.Array{File: p.file.Path(), Name: t.Name, Header: h,
		Read: func() (npy.Array, error) {
			data, err := p.file.Elements(t)
			return npy.Array{Header: h, Data: data}, err
		},
		Map: func() (*npy.Array, *mapped.File) {
			if d == dtype.Bool || d.Bits() < 8 {
				return nil, nil
			}
			data, owner := p.file.Mapped(t)
			if owner == nil {
				return nil, nil
			}
			return &npy.Array{Header: h, Data: data}, owner
		}}
	x, err := core.MapArray(p.client, a)
	if err != nil {
		return Value{}, err
	}
	v = Value{t: x, file: t}
	p.mutex.Lock()
	p.weights[t] = v
	p.mutex.Unlock()
	return v, nil
}

// featuresLast returns a weight [out, in, spatial…] as [spatial…, in, out], which it is made once.
func (p *Program) featuresLast(v Value) core.Tensor {
	p.mutex.Lock()
	t, done := p.transposed[v.file]
	p.mutex.Unlock()
	if done {
		return t
	}
	order := []int{}
	for i := range v.t.Rank() - 2 {
		order = append(order, i+2)
	}
	core.AtOnce(func() { t = core.Transpose(v.t, core.Axis(append(order, 1, 0)...)) })
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if first, ok := p.transposed[v.file]; ok {
		return first // of another goroutine
	}
	p.transposed[v.file] = t
	return t
}
