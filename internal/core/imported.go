package core

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/stablehlo"
)

// Imported is a program of another format, which computes by calling the ops of this package: it has no module.
type Imported interface {
	// Program describes the arguments and results; its error names one that is not a tensor.
	Program() (*model.Program, error)
	// Free makes the weights whose names match patterns arguments after the others.
	Free(patterns []string) error
	// Weights returns the weights that are arguments by name.
	Weights(client backend.Client) (map[string]Tensor, error)
	// Bound says which arguments have one value for all calls.
	Bound(arg int, t Tensor)
	// Run computes the results from all arguments. The options are those of functions that it compiles.
	Run(ctx context.Context, args []Tensor, opts []JitOption) ([]Tensor, error)
}

// LoadImported is [Load] of a program of another format.
func LoadImported(ctx context.Context, imported Imported, opts ...LoadOption) (m *Model, err error) {
	defer Catch(&err)
	if ctx == nil {
		ctx = background
	}
	distinct("Load", opts)
	var o loadOptions
	for i, opt := range opts {
		if opt == nil {
			return nil, fmt.Errorf("nx.Load: option %d is nil", i)
		}
		opt.loadOption(&o)
	}
	p, err := imported.Program()
	if err != nil {
		return nil, err
	}
	if len(o.free) > 0 {
		if err := imported.Free(o.free); err != nil {
			return nil, err
		}
	}
	if len(o.donate) > 0 {
		return nil, fmt.Errorf("%s: nx.DonateInputs is for programs of StableHLO", p.Path)
	}
	m = &Model{program: p}
	c := &content{Model: m, imported: imported, bound: make([]Tensor, len(p.In))}
	if err := c.bind(ctx, &o); err != nil {
		return nil, err
	}
	for i, t := range c.bound {
		if t.p == nil {
			m.inputs = append(m.inputs, i)
			continue
		}
		imported.Bound(i, t)
	}
	m.kept = m.inputs
	jit := []JitOption{distinctFunctions{}}
	if o.client != nil {
		c.client = o.client
		jit = append(jit, On(o.client))
	}
	c.run = func(ctx context.Context, args []Tensor) ([]Tensor, error) { return imported.Run(ctx, args, jit) }
	if err := m.bucket(o.buckets); err != nil {
		return nil, err
	}
	m.content.Store(c)
	return m, nil
}

// Weights implements nx.Model.Weights.
func (m *Model) Weights() (_ map[string]Tensor, err error) {
	defer Catch(&err)
	m.must("Weights")
	c, err := m.opened()
	if err != nil {
		return nil, err
	}
	if c.imported == nil {
		return nil, fmt.Errorf("%s: the program has no weights of its own", m.program.Path)
	}
	return c.imported.Weights(c.client)
}

// freeOption is the option made by [FreeWeights].
type freeOption struct{ patterns []string }

// FreeWeights implements nx.FreeWeights.
func FreeWeights(patterns ...string) LoadOption {
	if len(patterns) == 0 {
		patterns = []string{"*"}
	}
	return freeOption{patterns}
}

func (o freeOption) loadOption(l *loadOptions) { l.free = append(l.free, o.patterns...) }

func (freeOption) contradicts(any) bool { return false }

// errNoWeights is the error of options that need weights of a program.
var errNoWeights = errors.New("nx.FreeWeights is for models of ONNX, whose weights are in the file")

// MapArray returns an array of a file as a tensor of a client, nil for the default one. It is mapped where the device
// computes in the memory of the program.
func MapArray(client backend.Client, a *model.Array) (Tensor, error) {
	h := local()
	if client != nil {
		h = homeOf(client.Devices()[0])
	}
	return arrayTensor("Load", h, a, a.Header.DType)
}

// Literal returns a tensor that is a constant of the programs it is used in, instead of one of their arguments.
func Literal(t Tensor) Tensor {
	s := t.must("Literal")
	if t.p.tr != nil || t.p.rec != nil && t.p.rec != computed {
		return t
	}
	data := Bytes(t)
	return fromRecipe(s.strong(), "data "+string(data), func(e *emitter) *stablehlo.Value {
		a, err := stablehlo.RawElements(s.tensorType(), data)
		if err != nil {
			panic(err) // the data are those of a tensor of this type
		}
		return e.B.Constant(a)
	})
}

// IsTraced reports whether a tensor belongs to a function under construction.
func IsTraced(t Tensor) bool { return t.p != nil && t.p.tr != nil }

// Argument returns a tensor on data as one of the function that is traced on this goroutine: what is computed from it
// is computed when that runs. Without one it is t.
func Argument(t Tensor) Tensor {
	tr := currentStage().t
	if tr == nil || t.p == nil || t.p.tr != nil {
		return t
	}
	return tr.result(t.p.spec, tr.values("Argument", []Tensor{t})[0])
}

// AtOnce calls f, whose ops on data run at once, also in the body of a loop or a branch that is traced.
func AtOnce(f func()) {
	s := currentStage()
	if !s.all {
		f()
		return
	}
	me := s.t.runs
	if me == "" {
		me = goroutine()
	}
	inner := s
	inner.all, inner.outer = false, &s
	defer push(s.t.id, me, inner)()
	f()
}

// At calls f, the ops of which carry a place in another program instead of the line of the caller.
func At(place stablehlo.Location, f func()) {
	t := currentStage().t
	if t == nil {
		f()
		return
	}
	old := t.place
	t.place = place
	defer func() { t.place = old }()
	f()
}
