// Package program is what the programs that package translate makes for single definitions have in common: it builds
// the graph of a definition and writes it as StableHLO. Translate embeds this file, which is compiled in the module of
// the definition, so that it uses public packages only.
package program

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/tree"
)

// Result is a tensor among the results of a definition.
type Result struct {
	name string
	nx.Tensor
}

// Main writes the program of f, or the reason why there is none, to the file that the first argument names. The
// second is "grad=0,2" where the derivatives with respect to these tensors are wanted, else "". A name and a type,
// f32[3,4], follow for each tensor.
func Main(f func(in []nx.Tensor) []Result) {
	file, mode, rest := os.Args[1], os.Args[2], os.Args[3:]
	text, err := lower(f, mode, rest)
	if err != nil {
		text = "error\n" + err.Error()
	} else {
		text = "ok\n" + text
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func lower(f func(in []nx.Tensor) []Result, mode string, rest []string) (text string, err error) {
	var names []string
	var in []nx.Tensor
	for i := 0; i < len(rest); i += 2 {
		t, err := zeros(rest[i+1])
		if err != nil {
			return "", err
		}
		names, in = append(names, rest[i]), append(in, t)
	}
	if list, ok := strings.CutPrefix(mode, "grad="); ok {
		f = grad(f, names, list)
	}
	var results []string
	l, err := nx.Lower(func(in []nx.Tensor) (out []nx.Tensor) {
		defer func() { catch(recover()) }()
		results = nil
		for _, r := range f(in) {
			results, out = append(results, r.name), append(out, r.Tensor)
		}
		return out
	}, nx.Args(in))
	if err != nil {
		return "", users(err)
	}
	m := l.Module()
	name(m, names, results)
	hooks(m)
	var b strings.Builder
	err = stablehlo.Print(&b, m, stablehlo.PrintOptions{Locations: true})
	return b.String(), err
}

// zeros returns a tensor of a type that is written as f32[3,4].
func zeros(text string) (t nx.Tensor, err error) {
	name, sizes, _ := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	var d nx.DType
	if err := d.UnmarshalText([]byte(name)); err != nil {
		return t, err
	}
	var shape nx.Shape
	for s := range strings.SplitSeq(sizes, ",") {
		if s == "" {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			return t, err
		}
		shape = append(shape, n)
	}
	return nx.Zeros(shape, d), nil
}

// grad returns the derivatives of the sum of all results that are real floats.
func grad(f func(in []nx.Tensor) []Result, names []string, list string) func(in []nx.Tensor) []Result {
	var wrt []int
	for s := range strings.SplitSeq(list, ",") {
		i, _ := strconv.Atoi(s)
		wrt = append(wrt, i)
	}
	return func(in []nx.Tensor) (out []Result) {
		var p []nx.Tensor
		for _, i := range wrt {
			p = append(p, in[i])
		}
		grads := nx.Grad(func(p []nx.Tensor) nx.Tensor {
			all := slices.Clone(in)
			for k, i := range wrt {
				all[i] = p[k]
			}
			return sum(f(all))
		})(p)
		for k, g := range grads {
			out = append(out, Result{names[wrt[k]], g})
		}
		return out
	}
}

// sum returns the only result that is a real float, or the sum of all.
func sum(results []Result) nx.Tensor {
	var real []nx.Tensor
	for _, r := range results {
		if r.DType().IsFloat() {
			real = append(real, r.Tensor)
		}
	}
	if len(real) == 0 {
		panic(&nx.Error{Detail: "no result is a tensor of real floats: there is no gradient"})
	}
	if len(real) == 1 {
		return real[0]
	}
	sum := nx.Sum(real[0])
	for _, r := range real[1:] {
		sum = nx.Add(sum, nx.Sum(r))
	}
	return sum
}

// catch makes an error of a panic, with the line of the definition.
func catch(value any) {
	switch value.(type) {
	case nil:
		return
	case *nx.Error:
		panic(value)
	}
	e := &nx.Error{Detail: fmt.Sprintf("panic: %v", value)}
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for more := true; more && e.File == ""; {
		var f runtime.Frame
		f, more = frames.Next()
		translated := strings.HasPrefix(f.Function, "main.") || strings.Contains(f.Function, "/zznxprogram.")
		if translated && !isCall(f.File) {
			e.File, e.Line = f.File, f.Line
		}
	}
	panic(e)
}

// users leaves out of an error the lines of the program that are not of definitions.
func users(err error) error {
	var e *nx.Error
	if errors.As(err, &e) {
		e.Callers = slices.DeleteFunc(e.Callers, func(p diag.Position) bool { return isCall(p.File) })
		if isCall(e.File) {
			e.File, e.Line = "", 0
		}
	}
	return err
}

// isCall reports whether a file is this one or the one that calls the definition, by what their line directives say.
func isCall(file string) bool { return strings.HasSuffix(file, "nx-call.go") }

// Append appends the tensors of a result.
func Append(out []Result, name string, value any) []Result {
	if t, ok := value.(nx.Tensor); ok {
		return append(out, Result{name, t})
	}
	for path, t := range tree.Leaves(value) {
		full := name
		if full != "" && !strings.HasPrefix(path, "[") {
			full += "."
		}
		out = append(out, Result{full + path, t})
	}
	return out
}

// Static shows a static result.
func Static(name string, value any) { fmt.Fprintf(os.Stderr, "%s = %v\n", name, value) }

// name gives the arguments and results names, as JAX does.
func name(m *stablehlo.Module, names, results []string) {
	f, _ := m.Func("main")
	for i, a := range f.Args() {
		if names[i] != "" {
			a.Loc = &stablehlo.NameLoc{Name: names[i]}
		}
	}
	for i, r := range results {
		if r != "" {
			f.SetResultAttr(i, "jax.result_info", stablehlo.StringAttr(r))
		}
	}
}

// identifier returns the name of a hook as that of a value.
func identifier(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if strings.Trim(name, "0123456789") == "" {
		return ""
	}
	return name
}

// hooks replaces hooks, which are functions of this process, by ops that print.
func hooks(m *stablehlo.Module) {
	var found []*stablehlo.Block
	for op := range m.Walk() {
		if op.Str("call_target_name") == "nx.host" && !slices.Contains(found, op.Block()) {
			found = append(found, op.Block())
		}
	}
	for _, b := range found {
		var ops []*stablehlo.Op
		old := b.Ops
		b.SetOps(nil)
		for _, op := range old {
			if op.Str("call_target_name") != "nx.host" || len(op.Results) > 0 {
				ops = append(ops, op)
				continue
			}
			for _, x := range op.Operands {
				if host, ok := op.Attr("nx.host").(stablehlo.HostAttr); ok && x.Name() == "" {
					x.SetName(identifier(strings.TrimPrefix(host.Name, "the hook ")))
				}
				ops = append(ops, stablehlo.NewOp(stablehlo.OpInterpPrint, []*stablehlo.Value{x}, nil))
			}
		}
		for _, op := range ops {
			b.Append(op)
		}
	}
}
