package interp

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
)

// Client runs programs on the interpreter through the interface of compilers: to find out whether a result is
// the compiler's, or to compute where no compiler works.
type Client struct{ options []Option }

// NewClient returns a client whose interpreters have these options. [backend.Open] opens the client without
// options as "interp".
func NewClient(opts ...Option) *Client { return &Client{opts} }

var theClient = NewClient()

func init() {
	backend.Register("interp", func() (backend.Client, error) { return theClient, nil })
}

// Name returns "interp".
func (c *Client) Name() string { return "interp" }

// Devices returns the one device.
func (c *Client) Devices() []backend.Device { return []backend.Device{device{}} }

type device struct{}

func (device) String() string         { return "interp:0" }
func (device) Client() backend.Client { return theClient }

// WithOutput returns a client whose programs write to w what interpreter.print shows.
func (c *Client) WithOutput(w io.Writer) *Client {
	return &Client{append(slices.Clip(c.options), WithOutput(w))}
}

// Put copies elements.
func (c *Client) Put(_ context.Context, t backend.Type, data []byte, _ backend.Device) (backend.Buffer, error) {
	return newBuffer(t, slices.Clone(data))
}

func newBuffer(t backend.Type, data []byte) (backend.Buffer, error) {
	x, err := NewTensor(stablehlo.Tensor(t.DType, t.Dims...), data)
	if err != nil {
		return nil, err
	}
	return buffer{x}, nil
}

// Compile prepares the function @main of a module.
func (c *Client) Compile(ctx context.Context, m *stablehlo.Module) (backend.Executable, error) {
	return c.CompileFunc(ctx, m, "main")
}

// CompileFunc prepares a function. The sizes that it leaves open are those of the
// arguments of each call.
func (c *Client) CompileFunc(_ context.Context, m *stablehlo.Module, name string,
	_ ...stablehlo.Type) (backend.Executable, error) {
	m = m.Clone() // the caller may change its module later
	it, err := New(m, c.options...)
	if err != nil {
		return nil, err
	}
	f, ok := m.Func(name)
	if !ok {
		return nil, fmt.Errorf("interp: the module has no function @%s", name)
	}
	return &executable{it: it, name: name, ins: f.Type().Ins, outs: f.Type().Outs}, nil
}

type executable struct {
	it        *Interpreter
	name      string
	ins, outs []stablehlo.Type
}

func (e *executable) Close() error { return nil }

// Execute runs the function. Tokens are neither handed over nor returned.
func (e *executable) Execute(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	values := make([]Value, len(e.ins))
	for i, t := range e.ins {
		if _, ok := t.(stablehlo.TokenType); ok {
			values[i] = Token{}
			continue
		}
		if len(args) == 0 {
			return nil, fmt.Errorf("interp: @%s takes more arguments than it is given", e.name)
		}
		b, ok := args[0].(buffer)
		if !ok {
			return nil, fmt.Errorf("interp: argument %d of @%s is not a buffer of the interpreter", i, e.name)
		}
		values[i], args = b.x, args[1:]
	}
	results, err := e.it.Call(ctx, e.name, values...)
	if err != nil {
		return nil, err
	}
	var out []backend.Buffer
	for i, v := range results {
		switch v := v.(type) {
		case *Tensor:
			out = append(out, buffer{v})
		case Tuple:
			return nil, fmt.Errorf("interp: result %d of @%s is a tuple", i, e.name)
		}
	}
	return out, nil
}

// buffer is a tensor of the interpreter: immutable, complete, and freed by the
// collector.
type buffer struct{ x *Tensor }

func (b buffer) Type() backend.Type {
	return backend.Type{DType: b.x.Type.DType(), Dims: b.x.Type.Dims}
}
func (b buffer) Device() backend.Device                   { return device{} }
func (b buffer) Await(context.Context) error              { return nil }
func (b buffer) Release()                                 {}
func (b buffer) View(f func(data []byte) error) error     { return f(b.x.Data) }
func (b buffer) Read(_ context.Context, dst []byte) error { copy(dst, b.x.Data); return nil }
func (b buffer) Reshape(dims []int64) (backend.Buffer, error) {
	return newBuffer(backend.Type{DType: b.Type().DType, Dims: dims}, b.x.Data)
}
