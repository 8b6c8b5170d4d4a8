package core

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/container"
	"github.com/go-nx/nx/stablehlo"
)

// checkNaNOption is the type of [CheckNaN].
type checkNaNOption bool

// CheckNaN is nx.CheckNaN.
const CheckNaN checkNaNOption = true

func (o checkNaNOption) jitOption(j *jitOptions) { j.checkNaN = bool(o) }
func (checkNaNOption) label() string             { return "nx.CheckNaN" }

// checksAll is the meaning of the environment variable NX_NAN: the results of everything are checked.
var checksAll = readChecksAll()

func readChecksAll() bool {
	switch v := os.Getenv("NX_NAN"); v {
	case "", "0":
		return false
	case "1":
		return true
	default:
		warn("nx: NX_NAN is ignored", "err", fmt.Sprintf("it must be 1, got %q", v))
		return false
	}
}

// NaNError is nx.NaNError.
type NaNError struct {
	NaNOrigin
	Results  []string   // the paths of the results that have NaNs
	Infinity *NaNOrigin // where the infinite operand came from, of an op that makes a NaN of one; or nil
	Err      error      // why the op is not known, or nil
}

// NaNOrigin is nx.NaNOrigin.
type NaNOrigin struct {
	Op       string       // of StableHLO: "log"; RuntimeCall, argument, captured tensor; "" where it is not known
	Path     string       // of an argument: "argument 0, Layers[1].W"
	Line     string       // file:line of the program, "" where it is not known
	Reverse  bool         // it belongs to a derivative in reverse mode
	Tangent  bool         // it belongs to a derivative in forward mode
	Loops    []NaNLoop    // the loops around it, the outermost first
	Members  []NaNMember  // of the batches (Vmap, vectorised axes), the outermost first
	Device   int          // the place in the mesh, -1 outside of shard.Map
	Operands []ValueRange // nil of an argument
	Result   ValueRange
	Index    []int // of the first NaN in the result; of an Infinity nil
}

// NaNLoop is nx.NaNLoop.
type NaNLoop struct {
	Line      string // file:line of the program, "" where it is not known
	Iteration int    // from 0, in the order in which they run
	Reverse   bool   // of the derivative: iteration 0 is that of the last step
}

// NaNMember is nx.NaNMember.
type NaNMember struct{ Size, Index int }

// Unwrap returns Err.
func (e *NaNError) Unwrap() error { return e.Err }

// Error describes the origin, with the ranges of the operands on separate lines.
func (e *NaNError) Error() string {
	return strings.Join(append([]string{e.headline()}, e.details()...), "\n    ")
}

func (e *NaNError) headline() string {
	what := strings.Join(e.Results, ", ")
	if n := len(e.Results) - 1; n > 2 {
		what = fmt.Sprintf("%s and %d more", e.Results[0], n)
	}
	verb := "has"
	if len(e.Results) > 1 {
		verb = "have"
	}
	what += " " + verb + " a NaN"
	switch {
	case e.Err != nil:
		return fmt.Sprintf("%s; its origin cannot be found: %v", what, e.Err)
	case e.Op == "":
		return what + ", and no op has one when they run one by one: it depends on the order or the precision in " +
			"which the compiled code computes"
	}
	return what + ", which comes from " + e.NaNOrigin.String()
}

// details describes the operands and the result.
func (e *NaNError) details() []string {
	if e.Op == "" {
		return nil
	}
	out := e.NaNOrigin.ranges()
	if e.Infinity != nil {
		out = append(out, "the infinity comes from "+e.Infinity.String())
		for _, l := range e.Infinity.ranges() {
			out = append(out, "    "+l)
		}
	}
	return out
}

func (o *NaNOrigin) ranges() (out []string) {
	for i, r := range o.Operands {
		out = append(out, fmt.Sprintf("operand %d: %s", i, r))
	}
	result := "elements: "
	if o.Path == "" {
		result = "result: "
	}
	result += o.Result.String()
	if len(o.Index) > 0 {
		result += fmt.Sprintf(", the first NaN at %v", o.Index)
	}
	return append(out, result)
}

// String says which op it is, and where.
func (o NaNOrigin) String() string {
	var b strings.Builder
	if b.WriteString(o.Op); o.Path != "" {
		b.Reset()
		b.WriteString(o.Path)
	}
	if o.Line != "" {
		b.WriteString(" at " + o.Line)
	}
	switch {
	case o.Reverse:
		b.WriteString(", in the reverse pass")
	case o.Tangent:
		b.WriteString(", in the derivative")
	}
	for _, l := range o.Loops {
		kind, from := "loop", ""
		if l.Reverse {
			kind, from = "reverse loop", ", counted from the last step"
		}
		fmt.Fprintf(&b, ", in iteration %d of the %s", l.Iteration, kind)
		if l.Line != "" {
			b.WriteString(" at " + l.Line)
		}
		b.WriteString(from)
	}
	for _, m := range o.Members {
		if m.Index < 0 {
			fmt.Fprintf(&b, ", in a batch of %d, of which the member cannot be told", m.Size)
		} else {
			fmt.Fprintf(&b, ", of member %d of a batch of %d", m.Index, m.Size)
		}
	}
	if o.Device >= 0 {
		fmt.Fprintf(&b, ", on device %d of the mesh", o.Device)
	}
	return b.String()
}

// fail panics with the error of a function of the package.
func (e *NaNError) fail(op string) {
	err := newError(ErrNaN, op, nil, "", "%s", e.headline())
	err.Operands, err.Err = e.details(), e
	panic(err)
}

// checkedCall is a call of a compiled program whose results are checked.
type checkedCall struct {
	module *stablehlo.Module
	args   []backend.Buffer
	path   func(i int) (op, path string) // the name of an argument, in place of that of an op, and its path
	result func(i int) string            // the path of a result
}

// check looks for NaNs in results, and for their origin: nil where there are none.
func (c *checkedCall) check(ctx context.Context, results []backend.Buffer) (*NaNError, error) {
	var found NaNError
	var at []int
	for i, b := range results {
		switch has, err := hasNaN(ctx, b); {
		case err != nil:
			return nil, err
		case has:
			found.Results, at = append(found.Results, c.result(i)), append(at, i)
		}
	}
	if at == nil {
		return nil, nil
	}
	origin, infinity, err := c.find(ctx, at)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	found.NaNOrigin.Device = -1
	if found.Err = err; origin != nil {
		found.NaNOrigin, found.Infinity = *origin, infinity
	}
	return &found, nil
}

// anyNaN reports whether one of some buffers has a NaN. One that cannot be read has none: its use reports it.
func anyNaN(list []backend.Buffer) bool {
	return slices.ContainsFunc(list, func(b backend.Buffer) bool {
		has, err := hasNaN(background, b)
		return has && err == nil
	})
}

// hasNaN reports whether an element is NaN.
func hasNaN(ctx context.Context, b backend.Buffer) (has bool, err error) {
	d := b.Type().DType
	if !d.IsFloat() && !d.IsComplex() {
		return false, nil
	}
	if s, ok := b.(backend.Sharded); ok { // of which other processes may have parts
		for _, part := range s.Shards() {
			if has, err = hasNaN(ctx, part); has || err != nil {
				break
			}
		}
		return has, err
	}
	err = viewElements(ctx, b, func(data []byte) {
		_, _, first := countNonFinite(d, data)
		has = first >= 0
	})
	return has, err
}

// viewElements calls f with the elements of a buffer, which it must neither change nor keep.
func viewElements(ctx context.Context, b backend.Buffer, f func(data []byte)) error {
	if l, ok := b.(backend.Lender); ok {
		return l.View(func(data []byte) error { f(data); return nil })
	}
	if err := b.Await(ctx); err != nil {
		return err
	}
	data := make([]byte, b.Type().SizeBytes())
	if err := b.Read(ctx, data); err != nil {
		return err
	}
	f(data)
	return nil
}

// checkNaN checks the results of a call of the function with these arguments, kept from before it.
func (j *jit) checkNaN(ctx context.Context, c *compiled, in []reflect.Value, tensors []Tensor,
	args, results []backend.Buffer) *NaNError {
	if in == nil {
		in = j.valuesOf(tensors)
	}
	call := &checkedCall{module: c.module, args: args,
		path: func(i int) (op, path string) {
			paths := j.paths("argument", j.args, in, func(t *Tensor) bool { return t.p != nil })
			if i < len(paths) {
				return "argument", paths[i]
			}
			return "captured tensor", "a tensor that the function uses from outside"
		},
		result: func(i int) string {
			k := -1
			return j.paths("result", j.results, c.form.results, func(*Tensor) bool { k++; return !c.form.absent[k] })[i]
		}}
	found, err := call.check(ctx, results)
	if err != nil {
		j.fail(err)
	}
	return found
}

// paths names the tensors in arguments or results, those that are there.
func (c *callable) paths(what string, plans []*container.Plan, values []reflect.Value,
	there func(t *Tensor) bool) (out []string) {
	for i, v := range values {
		name := fmt.Sprintf("%s %d", what, i)
		if len(values) == 1 {
			name = "the " + what
		}
		w := newWalker("CheckNaN")
		w.Leaf = func(t *Tensor) {
			switch {
			case !there(t):
			case w.AtRoot():
				out = append(out, name)
			default:
				out = append(out, name+", "+w.Path())
			}
		}
		w.Walk(plans[i], addressable(v).Addr().UnsafePointer())
	}
	return out
}

// checkEager checks the results of an op on data. One that passes on the NaN of an operand did not make it.
func checkEager(op string, code *compiledOp, args, results []backend.Buffer) {
	if op == "recipe" { // the user's constant
		return
	}
	if !anyNaN(results) || anyNaN(args) {
		return
	}
	call := &checkedCall{module: code.module, args: args,
		path: func(i int) (op, path string) { return "operand", fmt.Sprintf("operand %d", i) },
		result: func(i int) string {
			if len(results) == 1 {
				return "the result"
			}
			return fmt.Sprintf("result %d", i)
		}}
	found, err := call.check(background, results)
	switch {
	case err != nil:
		failRun(op, nil, err)
	case found != nil:
		if found.Line == "" && found.Op != "" {
			found.Line = place(diag.Caller())
		}
		found.fail(op)
	}
}
