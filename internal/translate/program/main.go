// Command program is half of a program that package translate makes: the other half is a function that calls a
// definition. It builds the graph of the definition and writes it as StableHLO.
//
// Both are files of one package, with the translated definitions: the names here begin with zz, so that definitions
// may have any others.
package main

import (
	zzerrors "errors"
	zzfmt "fmt"
	zzos "os"
	zzruntime "runtime"
	zzslices "slices"
	zzstrconv "strconv"
	zzstrings "strings"

	zznx "github.com/go-nx/nx"
	zzdiag "github.com/go-nx/nx/diag"
	zzstablehlo "github.com/go-nx/nx/stablehlo"
	zztree "github.com/go-nx/nx/tree"
)

// zzResult is a tensor among the results of a definition.
type zzResult struct {
	name string
	zznx.Tensor
}

// zzMain writes the program of f, or the reason why there is none, to the file that the first argument names. The
// second is "grad=0,2" where the derivatives with respect to these tensors are wanted, else "". A name and a type,
// f32[3,4], follow for each tensor.
func zzMain(f func(in []zznx.Tensor) []zzResult) {
	file, mode, rest := zzos.Args[1], zzos.Args[2], zzos.Args[3:]
	text, err := zzLower(f, mode, rest)
	if err != nil {
		text = "error\n" + err.Error()
	} else {
		text = "ok\n" + text
	}
	if err := zzos.WriteFile(file, []byte(text), 0o600); err != nil {
		zzfmt.Fprintln(zzos.Stderr, err)
		zzos.Exit(1)
	}
}

func zzLower(f func(in []zznx.Tensor) []zzResult, mode string, rest []string) (text string, err error) {
	var names []string
	var in []zznx.Tensor
	for i := 0; i < len(rest); i += 2 {
		t, err := zzZeros(rest[i+1])
		if err != nil {
			return "", err
		}
		names, in = append(names, rest[i]), append(in, t)
	}
	if list, ok := zzstrings.CutPrefix(mode, "grad="); ok {
		f = zzGrad(f, names, list)
	}
	var results []string
	l, err := zznx.Lower(func(in []zznx.Tensor) (out []zznx.Tensor) {
		defer func() { zzCatch(recover()) }()
		results = nil
		for _, r := range f(in) {
			results, out = append(results, r.name), append(out, r.Tensor)
		}
		return out
	}, zznx.Args(in))
	if err != nil {
		return "", zzUsers(err)
	}
	m := l.Module()
	zzName(m, names, results)
	zzHooks(m)
	var b zzstrings.Builder
	err = zzstablehlo.Print(&b, m, zzstablehlo.PrintOptions{Locations: true})
	return b.String(), err
}

// zzZeros returns a tensor of a type that is written as f32[3,4].
func zzZeros(text string) (t zznx.Tensor, err error) {
	name, sizes, _ := zzstrings.Cut(zzstrings.TrimSuffix(text, "]"), "[")
	var d zznx.DType
	if err := d.UnmarshalText([]byte(name)); err != nil {
		return t, err
	}
	var shape zznx.Shape
	for s := range zzstrings.SplitSeq(sizes, ",") {
		if s == "" {
			continue
		}
		n, err := zzstrconv.Atoi(s)
		if err != nil {
			return t, err
		}
		shape = append(shape, n)
	}
	return zznx.Zeros(shape, d), nil
}

// zzGrad returns the derivatives of the sum of all results that are real floats.
func zzGrad(f func(in []zznx.Tensor) []zzResult, names []string, list string) func(in []zznx.Tensor) []zzResult {
	var wrt []int
	for s := range zzstrings.SplitSeq(list, ",") {
		i, _ := zzstrconv.Atoi(s)
		wrt = append(wrt, i)
	}
	return func(in []zznx.Tensor) (out []zzResult) {
		var p []zznx.Tensor
		for _, i := range wrt {
			p = append(p, in[i])
		}
		grads := zznx.Grad(func(p []zznx.Tensor) zznx.Tensor {
			all := zzslices.Clone(in)
			for k, i := range wrt {
				all[i] = p[k]
			}
			return zzSum(f(all))
		})(p)
		for k, g := range grads {
			out = append(out, zzResult{names[wrt[k]], g})
		}
		return out
	}
}

// zzSum returns the only result that is a real float, or the sum of all.
func zzSum(results []zzResult) zznx.Tensor {
	var real []zznx.Tensor
	for _, r := range results {
		if r.DType().IsFloat() {
			real = append(real, r.Tensor)
		}
	}
	if len(real) == 0 {
		panic(&zznx.Error{Detail: "no result is a tensor of real floats: there is no gradient"})
	}
	if len(real) == 1 {
		return real[0]
	}
	sum := zznx.Sum(real[0])
	for _, r := range real[1:] {
		sum = zznx.Add(sum, zznx.Sum(r))
	}
	return sum
}

// zzCatch makes an error of a panic, with the line of the definition.
func zzCatch(value any) {
	switch value.(type) {
	case nil:
		return
	case *zznx.Error:
		panic(value)
	}
	e := &zznx.Error{Detail: zzfmt.Sprintf("panic: %v", value)}
	callers := make([]uintptr, 64)
	frames := zzruntime.CallersFrames(callers[:zzruntime.Callers(3, callers)])
	for more := true; more && e.File == ""; {
		var f zzruntime.Frame
		f, more = frames.Next()
		own := zzIsCall(f.File) || zzstrings.HasPrefix(f.Function, "main.zz")
		if zzstrings.HasPrefix(f.Function, "main.") && !own {
			e.File, e.Line = f.File, f.Line
		}
	}
	panic(e)
}

// zzUsers leaves out of an error the lines of the other half of the program.
func zzUsers(err error) error {
	var e *zznx.Error
	if zzerrors.As(err, &e) {
		e.Callers = zzslices.DeleteFunc(e.Callers, func(p zzdiag.Position) bool { return zzIsCall(p.File) })
		if zzIsCall(e.File) {
			e.File, e.Line = "", 0
		}
	}
	return err
}

// zzIsCall reports whether a file is the other half of the program.
func zzIsCall(file string) bool { return zzstrings.HasSuffix(file, "nx-call.go") }

// zzAppend appends the tensors of a result.
func zzAppend(out []zzResult, name string, value any) []zzResult {
	if t, ok := value.(zznx.Tensor); ok {
		return append(out, zzResult{name, t})
	}
	for path, t := range zztree.Leaves(value) {
		full := name
		if full != "" && !zzstrings.HasPrefix(path, "[") {
			full += "."
		}
		out = append(out, zzResult{full + path, t})
	}
	return out
}

// zzStatic shows a static result.
func zzStatic(name string, value any) { zzfmt.Fprintf(zzos.Stderr, "%s = %v\n", name, value) }

// zzName gives the arguments and results names, as JAX does.
func zzName(m *zzstablehlo.Module, names, results []string) {
	f, _ := m.Func("main")
	for i, a := range f.Args() {
		if names[i] != "" {
			a.Loc = &zzstablehlo.NameLoc{Name: names[i]}
		}
	}
	for i, r := range results {
		if r != "" {
			f.SetResultAttr(i, "jax.result_info", zzstablehlo.StringAttr(r))
		}
	}
}

// zzIdentifier returns the name of a hook as that of a value.
func zzIdentifier(name string) string {
	name = zzstrings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if zzstrings.Trim(name, "0123456789") == "" {
		return ""
	}
	return name
}

// zzHooks replaces hooks, which are functions of this process, by ops that print.
func zzHooks(m *zzstablehlo.Module) {
	var found []*zzstablehlo.Block
	for op := range m.Walk() {
		if op.Str("call_target_name") == "nx.host" && !zzslices.Contains(found, op.Block()) {
			found = append(found, op.Block())
		}
	}
	for _, b := range found {
		var ops []*zzstablehlo.Op
		old := b.Ops
		b.SetOps(nil)
		for _, op := range old {
			if op.Str("call_target_name") != "nx.host" || len(op.Results) > 0 {
				ops = append(ops, op)
				continue
			}
			for _, x := range op.Operands {
				if host, ok := op.Attr("nx.host").(zzstablehlo.HostAttr); ok && x.Name() == "" {
					x.SetName(zzIdentifier(zzstrings.TrimPrefix(host.Name, "the hook ")))
				}
				ops = append(ops, zzstablehlo.NewOp(zzstablehlo.OpInterpPrint, []*zzstablehlo.Value{x}, nil))
			}
		}
		for _, op := range ops {
			b.Append(op)
		}
	}
}
