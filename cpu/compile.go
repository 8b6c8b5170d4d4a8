package cpu

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/exec"
	"github.com/go-nx/nx/stablehlo"
)

// Compile compiles the function @main of a module, which is not changed. Shapes must be static, or
// follow from constants.
func (c *Client) Compile(ctx context.Context, m *stablehlo.Module) (backend.Executable, error) {
	return c.CompileFunc(ctx, m, "main")
}

// CompileFunc compiles a function of a module. Args are the types of its arguments, for functions
// with dynamic sizes. Without args the declared types are used.
func (c *Client) CompileFunc(ctx context.Context, m *stablehlo.Module, name string,
	args ...stablehlo.Type) (backend.Executable, error) {
	if err := m.VerifyContext(ctx); err != nil {
		return nil, err
	}
	key := c.cacheKey(m, name, args)
	if key != "" {
		if e := c.fromCache(c, key); e != nil {
			return e, nil
		}
	}
	st, err := c.newStages(ctx, m, args)
	if err != nil {
		return nil, err
	}
	if key != "" {
		st.codeCache = &codegen.CodeCache{}
	}
	if err := st.start(name); err != nil {
		return nil, err
	}
	if err := st.dump(); err != nil {
		return nil, err
	}
	var results []backend.Type
	for _, v := range st.f.Body().Terminator().Operands {
		t := v.Tensor()
		if t == nil {
			return nil, fmt.Errorf("cpu: a result of type %s is not supported", v.Type())
		}
		results = append(results, backend.Type{DType: t.DType(), Dims: t.Dims})
	}
	donated := make([]bool, len(st.f.Args()))
	for i := range donated {
		donated[i] = st.f.Donated(i)
	}
	e := newExecutable(c, st.tier, st.x, results, donated)
	e.source = m.Source
	c.toCache(key, e, st.codeCache)
	return e, nil
}

func newExecutable(c *Client, t tier, x *exec.Executable, results []backend.Type, donated []bool) *executable {
	e := &executable{x: x, client: c, tier: t, results: results, donation: donationOf(donated, x)}
	for _, r := range results {
		e.sizes = append(e.sizes, r.SizeBytes())
	}
	return e
}

// checkStatic rejects programs whose sizes are only known at run time.
func checkStatic(f stablehlo.Func) error {
	check := func(v *stablehlo.Value, what func() string) error {
		t := v.Tensor()
		switch {
		case t == nil:
			return nil
		case !t.IsStatic():
			return fmt.Errorf("%s has the type %s: dynamic dimensions are not supported", what(), t)
		}
		if n, ok := t.NumElems(); !ok || n > maxBytes/int64(max(t.DType().Size(), 1)) {
			return fmt.Errorf("%s has the type %s, which exceeds the addressable memory", what(), t)
		}
		return nil
	}
	for op := range f.Walk() {
		for _, v := range op.Results {
			if err := check(v, func() string { return "a result of " + op.Name() }); err != nil {
				return err
			}
		}
	}
	for i, v := range f.Args() {
		if err := check(v, func() string { return fmt.Sprintf("argument %d of @%s", i, f.Name()) }); err != nil {
			return err
		}
	}
	return nil
}

// maxBytes bounds a tensor, so that sums of sizes do not overflow.
const maxBytes = 1 << 48

// executable is a compiled function.
type executable struct {
	x       *exec.Executable
	client  *Client
	tier    tier              // of its code
	source  *stablehlo.Source // of the module, for messages; nil if it was built or loaded
	results []backend.Type
	sizes   []int64 // of the results, in bytes

	donation *donation // nil if no argument is donated
}

// Memory returns the bytes of the results of a call, and of its working memory besides arguments
// and results.
func (e *executable) Memory() (results, work int64) {
	for _, n := range e.sizes {
		results += n
	}
	return results, e.x.WorkBytes()
}

// Execute runs the function and returns when it has finished.
func (e *executable) Execute(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	if e.donation != nil {
		return e.executeDonated(ctx, args)
	}
	var scratch [3][]byte // on the stack
	in := scratch[:0]
	var sources []backend.Source // of arguments; nil if no memory is borrowed
	defer func() {
		for i := range in {
			args[i].(*buffer).drop()
		}
	}()
	for i, a := range args {
		b, err := retain(i, a)
		if err != nil {
			return nil, err
		}
		in = append(in, b.data)
		if s := b.source(); s != nil {
			sources = setSource(sources, len(args), i, s)
		}
	}
	bufs, err := e.allocate()
	switch {
	case err != nil:
	case sources != nil:
		err = e.runBorrowed(ctx, sources, in, bufs)
	default:
		err = e.run(ctx, in, bufs)
	}
	if err != nil {
		releaseAll(bufs)
		return nil, err
	}
	return bufs, nil
}

// Direct returns the executable as a function of at most three arguments to one result. It returns
// nil for programs with effects: if a direct function fails, the program is run again to find the
// error.
func (e *executable) Direct() backend.DirectFunc {
	if e.donation != nil || len(e.results) != 1 || e.x.NumArgs() > 3 || effectOf(e.x.Program().Main) != nil {
		return nil
	}
	return e.executeDirect
}

func (e *executable) executeDirect(a, b, c backend.Buffer) (backend.Buffer, *backend.Front, error) {
	var bufs [3]*buffer
	var data [3][]byte
	n := 0
	defer func() {
		for _, b := range bufs[:n] {
			b.drop()
		}
	}()
	for _, x := range [3]backend.Buffer{a, b, c} {
		if x == nil {
			break
		}
		b, err := retain(n, x)
		if err != nil {
			return nil, nil, err
		}
		bufs[n], data[n] = b, b.data
		n++
		if b.source() != nil {
			return nil, nil, errBorrowed
		}
	}
	s := &inlineBuffer{}
	if err := s.allocate(e.client, &e.results[0], e.sizes[0]); err != nil {
		return nil, nil, err
	}
	if e.x.RunScalar(data[:n], s.data) {
		return &s.buffer, &s.front, nil
	}
	if err := e.run(context.Background(), data[:n], []backend.Buffer{&s.buffer}); err != nil {
		s.Release()
		return nil, nil, err
	}
	return &s.buffer, &s.front, nil
}

// run computes the results in the memory of buffers.
func (e *executable) run(ctx context.Context, in [][]byte, results []backend.Buffer) error {
	var scratch [3][]byte // on the stack
	out := scratch[:0]
	for _, b := range results {
		out = append(out, b.(*buffer).data)
	}
	if t := backend.TimerOf(ctx); t != nil {
		ctx = exec.WithTimer(ctx, exec.Timer(t))
	}
	if err := e.x.RunInto(ctx, in, out); err != nil {
		return e.withLoc(err)
	}
	return nil
}

// errBorrowed makes a caller of a direct function call Execute, which checks borrowed memory.
var errBorrowed = errors.New("cpu: the memory of an argument is borrowed")

// setSource sets the source of an argument in a list of n, which is nil before the first.
func setSource(sources []backend.Source, n, i int, s backend.Source) []backend.Source {
	if sources == nil {
		sources = make([]backend.Source, n)
	}
	sources[i] = s
	return sources
}

// runBorrowed is run with borrowed memory.
func (e *executable) runBorrowed(ctx context.Context, sources []backend.Source, in [][]byte,
	results []backend.Buffer) error {
	checks := make([]exec.Source, len(sources))
	run := func() error { return e.run(exec.WithSources(ctx, checks), in, results) }
	for i, s := range sources {
		if s == nil {
			continue
		}
		checks[i] = s
		if !slices.Contains(sources[:i], s) {
			inner := run
			run = func() error { return s.Guard(inner) }
		}
	}
	return run()
}

// retain returns an argument with a reference to its memory.
func retain(i int, a backend.Buffer) (*buffer, error) {
	b, ok := a.(*buffer)
	if !ok {
		return nil, fmt.Errorf("cpu: argument %d must be on the cpu, got %s", i, a.Device())
	}
	return b, b.hold()
}

func releaseAll(bufs []backend.Buffer) {
	for _, b := range bufs {
		b.Release()
	}
}

// withLoc adds the source position of the op to an error of an op.
func (e *executable) withLoc(err error) error {
	var failed *exec.OpError
	if !errors.As(err, &failed) {
		return err
	}
	return errorAt(e.source, failed.Op, err)
}

// errorAt adds the source position of op to an error, if it has one.
func errorAt(source *stablehlo.Source, op *stablehlo.Op, err error) error {
	if source == nil || op.Pos() == 0 {
		return err
	}
	d := stablehlo.Diagnostic{Pos: op.Pos(), Loc: op.Loc, Message: err.Error()}
	return &opError{&stablehlo.Error{Source: source, Diagnostics: []stablehlo.Diagnostic{d}}, err}
}

// opError is the error of an op with its source position.
type opError struct {
	located *stablehlo.Error
	err     error
}

func (e *opError) Error() string { return e.located.Error() }
func (e *opError) Unwrap() error { return e.err }

// allocate returns buffers for the results. With an error it returns those allocated so far.
func (e *executable) allocate() ([]backend.Buffer, error) {
	if len(e.results) == 1 {
		s := &inlineResult{}
		if err := s.allocate(e.client, &e.results[0], e.sizes[0]); err != nil {
			return nil, err
		}
		s.list[0] = s.withFront()
		return s.list[:], nil
	}
	bufs := make([]backend.Buffer, 0, len(e.results))
	for i := range e.results {
		b := &buffer{}
		if err := b.allocate(e.client, &e.results[i], e.sizes[i]); err != nil {
			return bufs, err
		}
		bufs = append(bufs, b)
	}
	return bufs, nil
}

// Close does nothing: the garbage collector frees the memory.
func (e *executable) Close() error { return nil }
