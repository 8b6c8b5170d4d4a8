package amd64

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/move"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Memory is the memory that code of a kernel may access, besides the operands.
type Memory struct{ Args, Tile, Pad, Reduces []byte }

// Emulated returns code of a kernel that run executes, and its function.
func Emulated(g Generator, k *kernel.Kernel, p *plan.Plan, s codegen.Scratch,
	run func(f *Function, args unsafe.Pointer, m Memory)) (codegen.Code, *Function, error) {
	p = choosePlan(g.Width, k, p)
	f, err := Assemble(g.Width, k, p, true)
	if err != nil {
		return nil, nil, err
	}
	c := newCode(g, k, p, f)
	c.emulate = func(f *Function, args *arguments) {
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
		run(&Function{Text: text, InstructionBytes: n}, unsafe.Pointer(args), Memory{
			Args: unsafe.Slice((*byte)(unsafe.Pointer(args)), unsafe.Sizeof(*args)), Tile: s.(*Scratch).tile})
	}
	c.strideFn = func(kind move.StrideKind, args *move.StrideArguments) {
		text, n, err := move.StrideCode(kind)
		if err != nil {
			panic(err)
		}
		run(&Function{Text: text, InstructionBytes: n}, unsafe.Pointer(args), Memory{
			Args: unsafe.Slice((*byte)(unsafe.Pointer(args)), unsafe.Sizeof(*args)), Tile: s.(*Scratch).tile})
	}
	if len(f.reduces) > 0 {
		fc, err := newReduceCode(g, c)
		return fc, f, err
	}
	return c, f, nil
}

// HasShortRows reports whether a call takes short rows directly.
func (f *Function) HasShortRows() bool { return f.rowDims != nil }

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
		if _, err := Assemble(w, k, plan.Of(k), false); err == nil {
			return true
		}
	}
	return false
}

// EmulatedScalar returns the code of a loop, compiled so far, that run executes with the memory of its file. The error
// is ErrUnsupported if the fallback code would be used.
func EmulatedScalar(c codegen.ScalarCompiler, run func(text, mem []byte) error) (codegen.ScalarCode, error) {
	code, err := assembleScalar(c.(*ScalarCompiler), true)
	if err != nil {
		return nil, err
	}
	code.emulate = func(mem []byte) error { return run(code.text, mem) }
	return code, nil
}

// SetSlowDivide sets whether the division instruction is considered slow, and returns the previous value.
func SetSlowDivide(isSlow bool) (old bool) {
	old, divideIsSlow = divideIsSlow, isSlow
	return old
}

// AssembleChosen returns the code that [Generator.Compile] makes of a kernel, and its plan; if there is code with
// non-temporal stores, only that.
func AssembleChosen(w target.Width, k *kernel.Kernel, p *plan.Plan) (*Function, *plan.Plan, error) {
	f, chosen, err := assembleTiles(w, k, choosePlan(w, k, p), true, nil)
	if errors.Is(err, target.ErrUnsupported) {
		f, chosen, err = assembleTiles(w, k, p, true, nil)
	}
	if err == nil && f.streamed != nil {
		f = f.streamed
	}
	return f, chosen, err
}

// Convention describes how the caller runs the code.
func (f *Function) Convention(p *plan.Plan) string {
	s := fmt.Sprintf("%s, %d elements", p.Form, f.lanes)
	for _, is := range []struct {
		set  bool
		text string
	}{
		{f.fullVectors, "only full vectors"}, {f.multiRow && f.rowDims == nil, "several rows"},
		{f.rowDims != nil, fmt.Sprintf("short rows in %v", f.rowDims)}, {f.bailsOut, "may bail out"},
	} {
		if is.set {
			s += ", " + is.text
		}
	}
	for i, a := range f.addressing {
		what := "load"
		switch {
		case i >= p.Stores:
			what = "store"
		case a.mode == accessIota:
			what = "index"
		}
		s += fmt.Sprintf("\n  %d: %s", i, what)
		if p.Accesses[i].Param >= 0 {
			s += fmt.Sprintf(" p%d", p.Accesses[i].Param)
		}
		s += " " + [...]string{accessUnused: "unused", accessContiguous: "contiguous", accessBroadcast: "broadcast",
			accessGathered: "gathered", accessIota: "iota", accessStaged: "staged",
			accessTransposed: "transposed"}[a.mode]
		if a.reg != 0 {
			s += " at " + a.reg.String()
		}
	}
	return s
}

// argNames are the names of the arguments of code, with their byte offsets.
var argNames = []struct {
	at   int
	name string
	list bool // one for each access or dimension
}{{argCount, "count", false}, {argDone, "done", false}, {argAddresses, "address", true}, {argStrides, "stride", true},
	{argRows, "rows", false}, {argRow, "row", false}, {argRowFlag, "row flag", false}, {argLanes, "lanes", false},
	{argStack, "stack", false}, {argResults, "results", false}, {argGroups, "groups", false},
	{argTiles, "tiles", false}, {argFirst, "first", false}, {argStarts, "start", true}, {argSteps, "step", true},
	{argRowsLeft, "rows left", true}}

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
	code, err := assembleScalar(c.(*ScalarCompiler), true)
	if err != nil {
		return nil, 0, err
	}
	return code.text, code.instructionBytes, nil
}
