package amd64

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/move"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/scalar"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

func init() { regalloc.CheckAllocations() }

// Memory is the memory that code of a kernel may access, besides the operands.
type Memory struct{ Args, Tile, Pad, Reduces []byte }

// Emulated returns code of a kernel that run executes, and its function.
func Emulated(g Generator, k *kernel.Kernel, p *plan.Plan, s codegen.Scratch,
	run func(f *compiler.Function, args unsafe.Pointer, m Memory)) (codegen.Code, *compiler.Function, error) {
	p = planOf(g.Width, k, p)
	f, err := compiler.Assemble(g.Width, k, p, true)
	if err != nil {
		return nil, nil, err
	}
	c := newCode(g, k, p, f)
	c.emulate = func(f *compiler.Function, args *arguments) {
		m := s.(*Scratch)
		run(f, unsafe.Pointer(args), Memory{
			unsafe.Slice((*byte)(unsafe.Pointer(args)), unsafe.Sizeof(*args)), m.tile,
			unsafe.Slice((*byte)(unsafe.Pointer(&m.pad)), unsafe.Sizeof(m.pad)), m.reduceMem})
	}
	c.transposeFn = func(kind move.TransposeForm, args *move.TransposeArguments) {
		text, n, err := move.AssembleTranspose(g.Width, kind)
		if err != nil {
			panic(err)
		}
		run(&compiler.Function{Text: text, InstructionBytes: n}, unsafe.Pointer(args), Memory{
			Args: unsafe.Slice((*byte)(unsafe.Pointer(args)), unsafe.Sizeof(*args)), Tile: s.(*Scratch).tile})
	}
	c.strideFn = func(kind move.StrideKind, args *move.StrideArguments) {
		text, n, err := move.StrideCode(kind)
		if err != nil {
			panic(err)
		}
		run(&compiler.Function{Text: text, InstructionBytes: n}, unsafe.Pointer(args), Memory{
			Args: unsafe.Slice((*byte)(unsafe.Pointer(args)), unsafe.Sizeof(*args)), Tile: s.(*Scratch).tile})
	}
	if len(f.Reduces) > 0 {
		fc, err := newReduceCode(g, c)
		return fc, f, err
	}
	return c, f, nil
}

// HasShortRows reports whether a call takes short rows directly.
func HasShortRows(f *compiler.Function) bool { return f.RowDims != nil }

// Has reports whether an instruction is supported in at least one width, in kernels of such instructions.
func Has(body *kernel.Body, in kernel.Instr) bool {
	k := &kernel.Kernel{Dims: []int64{4096}}
	types := map[kernel.Value]kernel.Value{}
	for _, a := range in.Args[:in.Op.NumArgs()] {
		t := body.Instrs[a].Register()
		at := kernel.Access{Param: len(k.Params), Strides: []int64{1}}
		k.Params = append(k.Params, kernel.Param{Type: t, Elems: 4096})
		types[a] = k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: &at})
	}
	for i, a := range in.Args[:in.Op.NumArgs()] {
		in.Args[i] = types[a]
	}
	v := k.Body.Add(in)
	if k.Body.Check(v, 1) != nil {
		return false
	}
	t := in.Register()
	k.Stores = []kernel.Store{{Value: v, Type: t, At: kernel.Access{Param: len(k.Params), Strides: []int64{1}}}}
	k.Params = append(k.Params, kernel.Param{Type: t, Elems: 4096})
	for _, w := range []target.Width{target.V256, target.V512} {
		if _, err := compiler.Assemble(w, k, plan.Of(k), false); err == nil {
			return true
		}
	}
	return false
}

// EmulatedScalar returns the code of a loop, compiled so far, that run executes with the memory of its file. The error
// is ErrUnsupported if the fallback code would be used.
func EmulatedScalar(c codegen.ScalarCompiler, run func(text, mem []byte) error) (codegen.ScalarCode, error) {
	code, err := scalar.Assemble(c.(*scalar.Compiler), true)
	if err != nil {
		return nil, err
	}
	code.Emulate = func(mem []byte) error { return run(code.Text, mem) }
	return code, nil
}

// SetSlowDivide sets whether the division instruction is considered slow, and returns the previous value.
func SetSlowDivide(isSlow bool) (old bool) {
	old, compiler.SlowDivide = compiler.SlowDivide, isSlow
	return old
}

// AssembleChosen returns the code that [Generator.Compile] makes of a kernel, and its plan; if there is code with
// non-temporal stores, only that.
func AssembleChosen(w target.Width, k *kernel.Kernel, p *plan.Plan) (*compiler.Function, *plan.Plan, error) {
	f, chosen, err := compiler.AssembleTiles(w, k, planOf(w, k, p), true, nil)
	if errors.Is(err, target.ErrUnsupported) {
		f, chosen, err = compiler.AssembleTiles(w, k, p, true, nil)
	}
	if err == nil && f.Streamed != nil {
		f = f.Streamed
	}
	return f, chosen, err
}

// Convention describes how the caller runs the code.
func Convention(f *compiler.Function, p *plan.Plan) string {
	s := fmt.Sprintf("%s, %d elements", p.Form, f.Lanes)
	for _, is := range []struct {
		set  bool
		text string
	}{
		{f.FullVectors, "only full vectors"}, {f.MultiRow && f.RowDims == nil, "several rows"},
		{f.RowDims != nil, fmt.Sprintf("short rows in %v", f.RowDims)}, {f.BailsOut, "may bail out"},
	} {
		if is.set {
			s += ", " + is.text
		}
	}
	for i, a := range f.Addressing {
		what := "load"
		switch {
		case i >= p.Stores:
			what = "store"
		case a.Mode == compiler.AccessIota:
			what = "index"
		}
		s += fmt.Sprintf("\n  %d: %s", i, what)
		if p.Accesses[i].Param >= 0 {
			s += fmt.Sprintf(" p%d", p.Accesses[i].Param)
		}
		s += " " + [...]string{compiler.AccessUnused: "unused", compiler.AccessContiguous: "contiguous",
			compiler.AccessBroadcast: "broadcast",
			compiler.AccessGathered:  "gathered", compiler.AccessIota: "iota", compiler.AccessStaged: "staged",
			compiler.AccessTransposed: "transposed"}[a.Mode]
		if a.Reg != 0 {
			s += " at " + a.Reg.String()
		}
	}
	return s
}

// argNames are the names of the arguments of code, with their byte offsets.
var argNames = []struct {
	at   int
	name string
	list bool // one for each access or dimension
}{{compiler.ArgCount, "count", false}, {compiler.ArgDone, "done", false}, {compiler.ArgAddresses, "address", true},
	{compiler.ArgStrides, "stride", true},
	{compiler.ArgRows, "rows", false}, {compiler.ArgRow, "row", false}, {compiler.ArgRowFlag, "row flag", false},
	{compiler.ArgLanes, "lanes", false},
	{compiler.ArgStack, "stack", false}, {compiler.ArgResults, "results", false}, {compiler.ArgGroups, "groups", false},
	{compiler.ArgTiles, "tiles", false}, {compiler.ArgFirst, "first", false}, {compiler.ArgStarts, "start", true},
	{compiler.ArgSteps, "step", true},
	{compiler.ArgRowsLeft, "rows left", true}}

// ArgName returns the name of the argument of code at a byte offset.
func ArgName(offset int) string {
	i := len(argNames) - 1
	for argNames[i].at > offset {
		i--
	}
	if a := argNames[i]; a.list {
		return fmt.Sprintf("%s %d", a.name, (offset-a.at)/8)
	}
	return argNames[i].name
}

// ScalarText returns the code of a loop that is compiled so far, and the size of its instructions.
func ScalarText(c codegen.ScalarCompiler) (text []byte, instructionBytes int, err error) {
	code, err := scalar.Assemble(c.(*scalar.Compiler), true)
	if err != nil {
		return nil, 0, err
	}
	return code.Text, code.InstructionBytes, nil
}
