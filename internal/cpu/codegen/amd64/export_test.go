package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Memory is what code of a kernel may touch while it is called: beside the operands.
type Memory struct{ Args, Tile, Pad, Folds []byte }

// Emulated returns code of a kernel that run executes, and its text.
func Emulated(g Generator, k *kernel.Kernel, p *plan.Plan, s codegen.Scratch,
	run func(f *Function, args uintptr, m Memory)) (codegen.Code, *Function, error) {
	f, err := Assemble(g.Width, k, p, true)
	if err != nil {
		return nil, nil, err
	}
	c := newCode(g, k, p, f)
	c.emulate = func(f *Function, args *arguments) {
		m := s.(*Scratch)
		run(f, uintptr(unsafe.Pointer(args)), Memory{
			unsafe.Slice((*byte)(unsafe.Pointer(args)), unsafe.Sizeof(*args)), m.tile,
			unsafe.Slice((*byte)(unsafe.Pointer(&m.pad)), unsafe.Sizeof(m.pad)), m.folds})
	}
	if len(f.folds) > 0 {
		fc, err := newFoldCode(g, c)
		return fc, f, err
	}
	return c, f, nil
}

// Has reports whether there is code for an instruction in one width at least, for kernels of
// such instructions.
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
