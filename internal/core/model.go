package core

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/stablehlo"
)

// Model is nx.Model.
type Model struct {
	program *model.Program
	inputs  []int // the arguments that the caller gives
	donated []int // those of them whose memory calls take
	kept    []int // the others
	sizes   []int // the arguments that shapes depend on
	buckets []bucketed
	content atomic.Pointer[content] // nil once it is closed
}

// content is what a model needs memory for.
type content struct {
	*Model
	module *stablehlo.Module // its calls expanded
	bound  []Tensor          // the weights, absent where the caller gives the argument
	// imported is a program of another format, which has no module, and client where it runs, nil for the default.
	imported Imported
	client   backend.Client
	run      func(ctx context.Context, args []Tensor) ([]Tensor, error)
	call     func(ctx context.Context, donated, kept []Tensor, sizes []string) ([]Tensor, error)
}

// opened returns the content of a model, or an error if it is closed.
func (m *Model) opened() (*content, error) {
	if c := m.content.Load(); c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("%s: the model is closed", m.program.Path)
}

// Close implements nx.Model.Close.
func (m *Model) Close() error {
	m.must("Close")
	m.content.Store(nil)
	return nil
}

// Parameter is nx.Parameter.
type Parameter struct {
	// Name is the name that the file holds, "params['dense']['kernel']", or its
	// position: "arg0".
	Name  string
	DType DType
	// Shape holds -1 where the caller chooses the size.
	Shape Shape
	// Dims names the sizes as they were exported, "batch" or "3"; nil if the file
	// has none.
	Dims []string
}

// String returns "x f32[batch][3]".
func (p Parameter) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", p.Name, p.DType)
	for i, d := range p.Shape {
		switch {
		case d >= 0:
			fmt.Fprintf(&b, "[%d]", d)
		case i < len(p.Dims):
			fmt.Fprintf(&b, "[%s]", p.Dims[i])
		default:
			b.WriteString("[?]")
		}
	}
	return b.String()
}

// must refuses a model that Load has not made.
func (m *Model) must(op string) {
	if m == nil || m.program == nil {
		fail(ErrArgument, op, "nx.Load makes models", "the Model is nil or the zero one")
	}
}

// params returns parameters of the program, those without a name named by their position.
func (m *Model) params(args []int) []model.Param {
	out := make([]model.Param, len(args))
	for i, a := range args {
		out[i] = m.program.In[a]
		out[i].Name = m.program.In[a].Label("arg", a)
	}
	return out
}

// nearestParam returns ": is it …?" for an unknown name, or lists the names if they are few.
func nearestParam(name string, params []model.Param, kind string) string {
	var names []string
	for i := range params {
		names = append(names, params[i].Label(kind, i))
	}
	if near := model.Nearest(name, names); near != "" {
		return ": is it " + near + "?"
	}
	if len(names) == 0 {
		return ": there are none"
	}
	return ": there are " + strings.Join(names[:min(len(names), 12)], ", ")
}

// Inputs implements nx.Model.Inputs.
func (m *Model) Inputs() []Parameter {
	m.must("Inputs")
	return parameters(m.params(m.inputs))
}

// Outputs implements nx.Model.Outputs.
func (m *Model) Outputs() []Parameter {
	m.must("Outputs")
	out := slices.Clone(m.program.Out)
	for i := range out {
		out[i].Name = out[i].Label("out", i)
	}
	return parameters(out)
}

func parameters(list []model.Param) []Parameter {
	out := make([]Parameter, len(list))
	for i, p := range list {
		t := p.Tensor()
		out[i] = Parameter{Name: p.Name, DType: t.DType(), Shape: shapeFromDims(t.Dims), Dims: p.Dims}
	}
	return out
}

func parameterList(list []Parameter) string {
	var out []string
	for _, p := range list {
		out = append(out, p.String())
	}
	return strings.Join(out, ", ")
}

// accepts checks the type of an argument.
func (m *Model) accepts(arg int, x Tensor) error {
	p := m.params([]int{arg})[0]
	want := parameters([]model.Param{p})[0]
	if x.p == nil {
		return fmt.Errorf("%s: the input %s is absent (the zero Tensor)", m.program.Path, want)
	}
	got := x.p.spec
	if x.p.isWeakNumber() && len(want.Shape) == 0 && x.p.rec.num.Fits(want.DType) {
		return nil
	}
	if got.DType != want.DType || !shapeFits(got.Shape, want.Shape) || got.Vectors != nil {
		hint := ""
		if got.DType != want.DType && shapeFits(got.Shape, want.Shape) {
			hint = fmt.Sprintf(": cast it (nx.Cast(x, nx.%s))", constName(want.DType))
		}
		return fmt.Errorf("%s: the input %s, got %s%s", m.program.Path, want, got, hint)
	}
	return nil
}

func shapeFits(got, want Shape) bool {
	return slices.EqualFunc(got, want, func(a, b int) bool { return b < 0 || a == b })
}

// String implements nx.Model.String.
func (m *Model) String() string {
	m.must("String")
	return fmt.Sprintf("%s(%s) → %s", m.program.Label(), parameterList(m.Inputs()), parameterList(m.Outputs()))
}
