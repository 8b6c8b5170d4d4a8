package amd64

import (
	"errors"
	"fmt"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
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
	c.transposeFn = func(kind transposeForm, args *transposeArguments) {
		text, n, err := assembleTranspose(g.Width, kind)
		if err != nil {
			panic(err)
		}
		run(&Function{Text: text, InstructionBytes: n}, unsafe.Pointer(args), Memory{
			Args: unsafe.Slice((*byte)(unsafe.Pointer(args)), unsafe.Sizeof(*args)), Tile: s.(*Scratch).tile})
	}
	c.strideFn = func(kind strideKind, args *strideArguments) {
		text, n, err := strideCode(kind)
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
	for _, w := range []Width{V256, V512} {
		if _, err := Assemble(w, k, plan.Of(k), false); err == nil {
			return true
		}
	}
	return false
}

// GemmMemory has the arguments of code of a gemm step, and its memory besides the operands.
type GemmMemory struct{ Args, Lines, Sums []byte }

// EmulatedGemm returns the micro-kernels of a width that run executes.
func EmulatedGemm(w Width, run func(text []byte, args unsafe.Pointer, m GemmMemory)) rt.GemmSteps {
	s := newGemmSteps(w)
	emulateWith(s.f32, run)
	emulateWith(s.f64, run)
	emulateWith(s.rounded32, run)
	emulateWith(s.rounded64, run)
	emulateWith(s.int32, run)
	p := s.all
	if s.narrow != nil {
		bf16 := newBF16Step()
		emulateWith(&bf16.gemmStep, run)
		p.BF16 = bf16
	}
	return p
}

// EmulatedAMX returns the bf16 step in AMX tiles that run executes.
func EmulatedAMX(run func(text []byte, args unsafe.Pointer, m GemmMemory)) rt.Dot2Step {
	s := newAMXStep(asm.TDPBF16PS)
	emulateWith(&s.gemmStep, run)
	return s
}

// EmulatedInt8 returns the int8 steps that run executes, in AMX tiles or in vectors.
func EmulatedInt8(inTiles bool, run func(text []byte, args unsafe.Pointer, m GemmMemory)) rt.Dot4Steps {
	steps := newVNNISteps()
	if inTiles {
		steps = newAMXInt8Steps()
	}
	for _, s := range steps {
		emulateWith(dot4Gemm(s), run)
	}
	return steps
}

// dot4Gemm returns the gemmStep of an int8 step.
func dot4Gemm(s rt.Dot4Step) *gemmStep[float32] {
	if tiles, ok := s.(*amxInt8Step); ok {
		return &tiles.gemmStep
	}
	return &s.(*vnniStep).gemmStep
}

func emulateWith[T float32 | float64](s *gemmStep[T], run func([]byte, unsafe.Pointer, GemmMemory)) {
	all := &gemmArgs{}
	scratch := scratchOf[T](all)
	s.args.New = func() any { return all }
	s.emulate = func(c *stepCode, args unsafe.Pointer) {
		run(c.text, args, GemmMemory{unsafe.Slice((*byte)(unsafe.Pointer(all)), unsafe.Sizeof(*all)),
			rt.Bytes(scratch.lines[:]), rt.Bytes(scratch.sums[:])})
	}
}

// GemmCodes returns all code of the steps of a width, by name.
func GemmCodes(w Width) (map[string][]byte, error) {
	codes := map[string][]byte{}
	s := newGemmSteps(w)
	err := gemmCodes(s.f32, codes)
	if err == nil {
		err = gemmCodes(s.f64, codes)
	}
	if err == nil {
		err = errors.Join(gemmCodes(s.rounded32, codes), gemmCodes(s.rounded64, codes), gemmCodes(s.int32, codes))
	}
	if s.narrow == nil {
		return codes, err
	}
	if err == nil {
		err = errors.Join(gemmCodes(&newBF16Step().gemmStep, codes), gemmCodes(&newAMXBF16Step().gemmStep, codes))
	}
	for _, steps := range []rt.Dot4Steps{newAMXInt8Steps(), newVNNISteps()} {
		for _, s := range steps {
			if err == nil {
				err = gemmCodes(dot4Gemm(s), codes)
			}
		}
	}
	return codes, err
}

func gemmCodes[T float32 | float64](s *gemmStep[T], codes map[string][]byte) error {
	for _, key := range s.keys() {
		c, err := s.assemble(key)
		if err != nil {
			return err
		}
		codes[s.name(key)] = c.text[:c.instructionBytes]
	}
	return nil
}

// EmulatedScans returns the steps of scans of a width that run executes.
func EmulatedScans(w Width, run func(text []byte, args unsafe.Pointer, all, before []byte)) rt.ScanSteps {
	s := (&scanSteps{w: w})
	s.each(func(step *scanStep) {
		step.emulateWith(run)
	})
	return s
}

// ScanCodes returns all code of the scans of a width, by name.
func ScanCodes(w Width) (map[string][]byte, error) {
	codes := map[string][]byte{}
	var err error
	(&scanSteps{w: w}).each(func(step *scanStep) {
		if err == nil {
			err = step.codes(codes)
		}
	})
	return codes, err
}

// each visits all steps.
func (s *scanSteps) each(visit func(step *scanStep)) {
	for op := range s.ops() {
		of := &s.ops()[op]
		visit(of.f32)
		visit(of.f64)
		visit(of.i32)
		if of.i64 != nil {
			visit(of.i64)
		}
	}
}

func (s *scanStep) emulateWith(run func(text []byte, args unsafe.Pointer, all, before []byte)) {
	s.emulate = func(key scanKey, c *stepCode, args *scanArgs) {
		p, n := unsafe.Pointer(args), 0
		if key.vecs > 0 {
			n = int(key.vecs-1)*s.w.vectorBytes() + args.cols*s.size
		}
		run(c.text, p, unsafe.Slice((*byte)(p), unsafe.Sizeof(*args)), unsafe.Slice((*byte)(args.before), n))
	}
}

func (s *scanStep) codes(to map[string][]byte) error {
	for _, key := range s.keys() {
		c, err := s.assemble(key)
		if err != nil {
			return err
		}
		to[fmt.Sprintf("%s %d", s.name(key), s.size)] = c.text[:c.instructionBytes]
	}
	return nil
}

// EmulatedCombines returns the steps of scatters of a width that run executes.
func EmulatedCombines(w Width, run func(text []byte, args unsafe.Pointer, all []byte)) rt.CombineSteps {
	s := &combineSteps{offsetSteps: offsetSteps{w: w}}
	s.each(func(step *combineStep) {
		step.emulate = func(c *stepCode, args *combineArgs) {
			p := unsafe.Pointer(args)
			run(c.text, p, unsafe.Slice((*byte)(p), unsafe.Sizeof(*args)))
		}
	})
	s.offsetSteps.emulate = func(c *stepCode, args *offsetArgs) {
		p := unsafe.Pointer(args)
		run(c.text, p, unsafe.Slice((*byte)(p), unsafe.Sizeof(*args)))
	}
	return s
}

// CombineCodes returns all code of the scatters of a width, by name.
func CombineCodes(w Width) (map[string][]byte, error) {
	codes := map[string][]byte{}
	var err error
	steps := &combineSteps{offsetSteps: offsetSteps{w: w}}
	for n := range numOffsetKinds {
		k := offsetKind{4 + n%2*4, n&2 != 0, n&4 != 0}
		if k.strided && w == V256 {
			continue
		}
		c, err := steps.offsetSteps.assemble(k)
		if err != nil {
			return nil, err
		}
		codes[k.name()] = c.text[:c.instructionBytes]
	}
	steps.each(func(step *combineStep) {
		for part := range step.code {
			for vecs := 1; vecs <= step.maxVecs() && err == nil; vecs++ {
				if part >= combineElement && vecs > 1 {
					continue
				}
				var c *stepCode
				if c, err = step.assemble(part, vecs); err == nil {
					codes[fmt.Sprintf("%s %d", step.name(part, vecs), step.size)] = c.text[:c.instructionBytes]
				}
			}
		}
	})
	return codes, err
}

// each visits all steps.
func (s *combineSteps) each(visit func(step *combineStep)) {
	for _, of := range s.ops() {
		for _, step := range []*combineStep{of.f32, of.f64, of.s32, of.u32, of.s64, of.u64, of.f16, of.bf16, of.c64,
			of.packs[rt.CombineS8], of.packs[rt.CombineU8], of.packs[rt.CombineS16], of.packs[rt.CombineU16]} {
			if step != nil {
				visit(step)
			}
		}
	}
}

// EmulatedFourier returns the steps of Fourier transforms of a width that run executes. The operands are all memory
// that code may access besides its arguments.
func EmulatedFourier(w Width,
	run func(text []byte, args unsafe.Pointer, all []byte, operands [][]byte)) rt.FourierSteps {
	return &fourierSteps{w: w, emulate: func(key fourierKey, c *stepCode, args unsafe.Pointer, all *fourierArgs) {
		run(c.text, args, unsafe.Slice((*byte)(unsafe.Pointer(all)), unsafe.Sizeof(*all)), all.operands(key))
	}}
}

// operands returns the memory that arguments point to.
func (a *fourierArgs) operands(key fourierKey) [][]byte {
	of := func(p unsafe.Pointer, bytes int) []byte { return unsafe.Slice((*byte)(p), bytes) }
	switch key.kind {
	case twiddleKind:
		row := 16 * int(key.lanes) * a.twiddle.vectors
		return [][]byte{of(a.twiddle.x, a.twiddle.rows*row), of(a.twiddle.outer, 16*a.twiddle.rows),
			of(a.twiddle.inner, (a.twiddle.rows-1)*a.twiddle.innerStep+row)}
	case moveKind:
		from, to := 16*int(key.lanes), 16*int(key.lanes)
		if key.flags&fromSingle != 0 {
			from /= 2
		}
		if key.flags&toSingle != 0 {
			to /= 2
		}
		for i, n := range a.move.counts {
			from += (n - 1) * a.move.fromSteps[i]
			to += (n - 1) * a.move.toSteps[i]
		}
		return [][]byte{of(a.move.from, from), of(a.move.to, to)}
	}
	r, all := int(key.kind), a.pass.points*a.pass.yStep
	return [][]byte{of(a.pass.x, (r-1)*a.pass.xStep+all), of(a.pass.y, r*all),
		of(a.pass.roots, (r-1)*((a.pass.points-1)*a.pass.rootStep+a.pass.rootAt)+16)}
}

// FourierCodes returns all code of the Fourier transforms of a width, by name.
func FourierCodes(w Width) (map[string][]byte, error) {
	codes := map[string][]byte{}
	for _, key := range (&fourierSteps{w: w}).keys() {
		c, err := assembleFourier(key)
		if err != nil {
			return nil, err
		}
		codes[key.name()] = c.text[:c.instructionBytes]
	}
	return codes, nil
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

// EmulatedSorts returns the steps of radix sorts that run executes. The operands are all memory that code may access
// besides its arguments.
func EmulatedSorts(run func(text []byte, args unsafe.Pointer, all []byte, operands [][]byte)) rt.SortSteps {
	return &sortSteps{emulate: func(c *stepCode, a *sortArgs, size int) {
		of := func(p unsafe.Pointer, bytes int) []byte { return unsafe.Slice((*byte)(p), bytes) }
		operands := [][]byte{of(a.from, a.n*size)}
		if a.counters != nil {
			operands = append(operands, of(a.counters, 4*(a.mask+1)))
		}
		if a.to != nil && a.to != a.from {
			operands = append(operands, of(a.to, a.n*size))
		}
		run(c.text, unsafe.Pointer(a), unsafe.Slice((*byte)(unsafe.Pointer(a)), unsafe.Sizeof(*a)), operands)
	}}
}

// SortCodes returns all code of radix sorts, by name.
func SortCodes() (map[string][]byte, error) {
	codes := map[string][]byte{}
	for kind := range numSortKinds {
		for _, size := range []int{4, 8} {
			c, err := assembleSort(kind, size)
			if err != nil {
				return nil, err
			}
			codes[sortName(kind, size)] = c.text[:c.instructionBytes]
		}
	}
	return codes, nil
}

// SetSlowDivide sets whether the division instruction is considered slow, and returns the previous value.
func SetSlowDivide(isSlow bool) (old bool) {
	old, divideIsSlow = divideIsSlow, isSlow
	return old
}

// AssembleChosen returns the code that [Generator.Compile] makes of a kernel, and its plan; if there is code with
// non-temporal stores, only that.
func AssembleChosen(w Width, k *kernel.Kernel, p *plan.Plan) (*Function, *plan.Plan, error) {
	f, chosen, err := assembleTiles(w, k, choosePlan(w, k, p), true, nil)
	if errors.Is(err, ErrUnsupported) {
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
