package core

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// weightsOption is the option made by [Weights].
type weightsOption struct{ files []string }

// Weights implements nx.Weights.
func Weights(files ...string) LoadOption { return weightsOption{files} }

func (o weightsOption) loadOption(l *loadOptions) { l.weights = append(l.weights, o.files...) }

func (weightsOption) contradicts(any) bool { return false }

// weightNamesOption is the option made by [WeightNames].
type weightNamesOption struct{ names map[string]string }

// WeightNames implements nx.WeightNames.
func WeightNames(names map[string]string) LoadOption { return weightNamesOption{names} }

func (o weightNamesOption) loadOption(l *loadOptions) {
	if l.names == nil {
		l.names = map[string]string{}
	}
	maps.Copy(l.names, o.names)
}

func (weightNamesOption) contradicts(any) bool { return false }

// bindOption is the option made by [Bind].
type bindOption struct {
	name string
	t    Tensor
}

// Bind implements nx.Bind.
func Bind(name string, t Tensor) LoadOption { return bindOption{name, t} }

func (o bindOption) loadOption(l *loadOptions) {
	if l.bind == nil {
		l.bind = map[string]Tensor{}
	}
	l.bind[o.name] = o.t
}

func (bindOption) contradicts(any) bool { return false }

// donateInputsOption is the option made by [DonateInputs].
type donateInputsOption struct{ names []string }

// DonateInputs implements nx.DonateInputs.
func DonateInputs(names ...string) LoadOption { return donateInputsOption{names} }

func (o donateInputsOption) loadOption(l *loadOptions) { l.donate = append(l.donate, o.names...) }

func (donateInputsOption) contradicts(any) bool { return false }

// filesOption is the option made by [Files].
type filesOption struct{ fsys fs.FS }

// Files implements nx.Files.
func Files(fsys fs.FS) LoadOption { return filesOption{fsys} }

func (o filesOption) loadOption(l *loadOptions) { l.fsys = o.fsys }

func (filesOption) contradicts(any) bool { return true }

// FilesOf returns the file system of options, nil for that of the operating system.
func FilesOf(opts []LoadOption) fs.FS {
	for _, o := range opts {
		if f, ok := o.(filesOption); ok {
			return f.fsys
		}
	}
	return nil
}

// Load implements nx.Load.
func Load(ctx context.Context, path string, opts ...LoadOption) (*Model, error) {
	if ctx == nil {
		ctx = background
	}
	p, err := model.OpenIn(ctx, FilesOf(opts), path)
	if err != nil {
		return nil, err
	}
	return load(ctx, p, opts)
}

// LoadModule implements nx.LoadModule.
func LoadModule(ctx context.Context, m *stablehlo.Module, opts ...LoadOption) (*Model, error) {
	if ctx == nil {
		ctx = background
	}
	if m == nil || m.Op == nil || len(m.Regions) != 1 || m.Body() == nil {
		return nil, errors.New("nx.LoadModule: the module is nil, or has no body")
	}
	p := model.Of(m)
	p.Path = "the program"
	if m.Source != nil && m.Source.Name != "" {
		p.Path = m.Source.Name
	}
	return load(ctx, p, opts)
}

// interrupted ends a transform of a model's program by a panic: its context has ended.
type interrupted struct{}

// cancelCheck returns the function that transforms call for every op.
func cancelCheck(ctx context.Context) func() {
	return func() {
		if ctx.Err() != nil {
			panic(interrupted{})
		}
	}
}

// recoverCancel turns the panic of a pause into the cause of the context's end.
func recoverCancel(ctx context.Context, err *error) {
	switch r := recover().(type) {
	case nil:
	case interrupted:
		*err = context.Cause(ctx)
	default:
		panic(r)
	}
}

func load(ctx context.Context, p *model.Program, opts []LoadOption) (loaded *Model, err error) {
	defer func() {
		if err != nil && ctx.Err() != nil { // the error of an unsupported program without it
			loaded, err = nil, context.Cause(ctx)
		}
	}()
	defer recoverCancel(ctx, &err)
	distinct("Load", opts)
	var o loadOptions
	for i, opt := range opts {
		if opt == nil {
			return nil, fmt.Errorf("nx.Load: option %d is nil", i)
		}
		opt.loadOption(&o)
	}
	if err := p.Module.VerifyContext(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Path, err)
	}
	if len(o.free) > 0 {
		return nil, fmt.Errorf("%s: %w", p.Path, errNoWeights)
	}
	m := &Model{program: p}
	c := &content{Model: m, module: p.Module.Clone(), bound: make([]Tensor, len(p.In))}
	p.Module = nil
	main, ok := c.module.Func("main")
	if !ok || main.IsDeclaration() {
		return nil, fmt.Errorf("%s: the program has no function @main with a body", p.Path)
	}
	for _, list := range [][]model.Param{p.In, p.Out} {
		for i := range list {
			if t := list[i].Tensor(); t == nil || t.Quant() != nil || t.DType().Size() == 0 {
				return nil, fmt.Errorf("%s: %s must be a tensor of numbers, got %s",
					p.Path, list[i].Label("argument ", i), list[i].Type)
			}
		}
	}
	if n := stablehlo.SilentCallbacks(c.module); n > 0 {
		warn("calls of Python that return nothing are skipped", "program", p.Path, "calls", n)
	}
	// Expanded, the functions of two programs cannot have one name in a graph.
	if err := simplify.Inline(c.module, main, cancelCheck(ctx)); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Path, err)
	}
	simplify.DropFuncs(c.module, "main") // custom_calls name what they compute with
	if err := c.bind(ctx, &o); err != nil {
		return nil, err
	}
	for i, t := range c.bound {
		if t.p == nil {
			m.inputs = append(m.inputs, i)
		}
	}
	if err := m.split(o.donate, main); err != nil {
		return nil, err
	}
	jit := []JitOption{Donate(0), distinctFunctions{}}
	if o.client != nil {
		jit = append(jit, On(o.client))
	}
	c.call = Jit(func(ctx context.Context, donated, kept []Tensor, sizes []string) ([]Tensor, error) {
		return c.trace(ctx, donated, kept, sizes)
	}, jit...)
	m.sizes = simplify.SizeArguments(main)
	if err := m.bucket(o.buckets); err != nil {
		return nil, err
	}
	m.content.Store(c)
	return m, nil
}

// distinctFunctions is the option of functions that differ although their code is the same.
type distinctFunctions struct{}

func (distinctFunctions) jitOption(o *jitOptions) { o.distinct = true }

// split separates the donated inputs, by the options or @main, from the others.
func (m *Model) split(donate []string, main stablehlo.Func) error {
	params := m.params(m.inputs)
	at, unused := model.Match(params, "arg", donate)
	if len(unused) > 0 {
		return fmt.Errorf("%s: there is no input %q to donate%s", m.program.Path, unused[0],
			nearestParam(unused[0], params, "arg"))
	}
	for i, arg := range m.inputs {
		if at[i] >= 0 || main.Donated(arg) {
			m.donated = append(m.donated, arg)
		} else {
			m.kept = append(m.kept, arg)
		}
	}
	return nil
}

// Call implements nx.Model.Call.
func (m *Model) Call(ctx context.Context, inputs ...Tensor) (out []Tensor, err error) {
	defer Catch(&err)
	m.must("Call")
	if len(inputs) != len(m.inputs) {
		return nil, fmt.Errorf("%s takes %s (%s), got %d", m.program.Path, plural(len(m.inputs), "input", "inputs"),
			parameterList(m.Inputs()), len(inputs))
	}
	c, err := m.opened()
	if err != nil {
		return nil, err
	}
	args := make([]Tensor, len(c.bound))
	for i, a := range m.inputs {
		args[a] = inputs[i]
		if err := m.accepts(a, inputs[i]); err != nil {
			return nil, err
		}
	}
	if ctx == nil {
		ctx = background
	}
	if m.buckets != nil {
		return m.padded(args, func(args []Tensor) ([]Tensor, error) { return c.apply(ctx, args) })
	}
	return c.apply(ctx, args)
}

// apply runs the program on the arguments of a call, with those that are bound.
func (c *content) apply(ctx context.Context, args []Tensor) ([]Tensor, error) {
	if c.imported == nil {
		return c.call(ctx, selectTensors(args, c.donated), selectTensors(args, c.kept), c.knownSizes(args))
	}
	for i, t := range c.bound {
		if t.p != nil {
			args[i] = t
		}
	}
	return c.run(ctx, args)
}

// knownSizes returns the elements of the arguments that shapes depend on: the program is
// compiled for these. Those that belong to a trace are not known: "".
func (m *content) knownSizes(args []Tensor) []string {
	sizes := make([]string, len(m.sizes))
	for k, i := range m.sizes {
		x := args[i]
		if x.p == nil {
			x = m.bound[i]
		}
		if x.p.tr != nil {
			continue
		}
		if d := m.program.In[i].Tensor().DType(); x.p.spec.DType != d {
			x = cast(x, d)
		}
		lend("Load", x, func(data []byte) { sizes[k] = string(data) })
	}
	return sizes
}

// CallNamed implements nx.Model.CallNamed.
func (m *Model) CallNamed(ctx context.Context, inputs map[string]Tensor) (out map[string]Tensor, err error) {
	defer Catch(&err)
	m.must("CallNamed")
	names := slices.Sorted(maps.Keys(inputs))
	params := m.params(m.inputs)
	at, unused := model.Match(params, "arg", names)
	if len(unused) > 0 {
		return nil, fmt.Errorf("%s has no input %q%s", m.program.Path, unused[0], nearestParam(unused[0], params,
			"arg"))
	}
	list := make([]Tensor, len(at))
	for i, n := range at {
		if n < 0 {
			return nil, fmt.Errorf("%s: the input %s is missing", m.program.Path, m.Inputs()[i])
		}
		list[i] = inputs[names[n]]
	}
	results, err := m.Call(ctx, list...)
	if err != nil {
		return nil, err
	}
	out = make(map[string]Tensor, len(results))
	for i, p := range m.Outputs() {
		out[p.Name] = results[i]
	}
	return out, nil
}

func selectTensors(list []Tensor, at []int) []Tensor {
	out := make([]Tensor, len(at))
	for i, a := range at {
		out[i] = list[a]
	}
	return out
}

// trace is the program as a function: its ops join the graph of the arguments.
func (m *content) trace(ctx context.Context, donated, kept []Tensor, sizes []string) (_ []Tensor, err error) {
	defer recoverCancel(ctx, &err)
	args := slices.Clone(m.bound)
	for i, a := range m.donated {
		args[a] = donated[i]
	}
	for i, a := range m.kept {
		args[a] = kept[i]
	}
	types := make([]stablehlo.Type, len(args))
	for i, x := range args {
		t := m.program.In[i].Tensor()
		if args[i].p.isWeakNumber() {
			args[i] = cast(x, t.DType())
		}
		dims := make([]int64, len(x.p.spec.Shape))
		for d, n := range x.p.spec.Shape {
			dims[d] = int64(n)
		}
		types[i] = t.WithDims(dims...)
	}
	module := m.module.Clone()
	main, _ := module.Func("main")
	known := slices.DeleteFunc(slices.Clone(m.sizes), func(i int) bool { return sizes[slices.Index(m.sizes, i)] == "" })
	simplify.Bind(main, func(i int) []byte { return []byte(sizes[slices.Index(m.sizes, i)]) }, known...)
	if err := simplify.Refine(main, types, cancelCheck(ctx)); err != nil {
		return nil, fmt.Errorf("%s: %w", m.program.Path, err)
	}
	simplify.DropFuncs(module, "main")
	var outs []*Spec
	for i, t := range main.Type().Outs {
		r, ok := t.(*stablehlo.TensorType)
		if !ok || !r.IsStatic() {
			return nil, fmt.Errorf("%s: the shape of %s depends on data (%s), which is not supported",
				m.program.Path, m.program.Out[i].Label("out", i), t)
		}
		outs = append(outs, newSpec("Load", Spec{DType: r.DType(), Shape: shapeFromDims(r.Dims)}))
	}
	return applyModule("Load", module, args, outs), nil
}
