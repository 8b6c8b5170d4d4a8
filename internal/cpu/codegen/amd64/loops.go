package amd64

import (
	"sync"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Loops returns the loops, as machine code, of the elementary functions whose machine code differs from plain Go
// ([functions.FusedOf]): with them, the fallback tier computes the same bits. For other instructions the loop is nil.
// Loops are assembled at first use and kept.
func Loops(w target.Width) func(in *kernel.Instr) codegen.Loop {
	type function struct {
		op   kernel.Op
		name string
		t    dtype.Type
	}
	var mu sync.Mutex
	loops := map[function]codegen.Loop{}
	return func(in *kernel.Instr) codegen.Loop {
		if functions.FusedOf(in) == nil {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		f := function{in.Op, in.Func, in.Register()}
		if loops[f] == nil {
			loop, err := newLoop(w, in)
			if err != nil { // out of code memory, which compilations will report
				return nil
			}
			loops[f] = loop
		}
		return loops[f]
	}
}

// newLoop assembles the loop of a function.
func newLoop(w target.Width, in *kernel.Instr) (codegen.Loop, error) {
	const n = compiler.MaxCall // for any number of elements
	t := in.Register()
	k := &kernel.Kernel{Name: in.Op.String(), Dims: []int64{n},
		Params: []kernel.Param{{Type: t, Elems: n}, {Type: t, Elems: n}}}
	at := func(param int) kernel.Access { return kernel.Access{Param: param, Strides: []int64{1}} }
	from := at(0)
	x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: &from})
	y := k.Body.Add(kernel.Instr{Op: in.Op, Func: in.Func, Type: t, Args: [3]kernel.Value{x}})
	k.Stores = []kernel.Store{{Value: y, Type: t, At: at(1)}}
	p := plan.Of(k)
	f, err := compiler.Assemble(w, k, p, false)
	if err != nil {
		return nil, err
	}
	c := newCode(Generator{Width: w}, k, p, f)
	if c.f, err = target.AddShared(k.Name, f.Text, f.InstructionBytes); err != nil {
		return nil, err
	}
	type call struct {
		Scratch
		params [2]unsafe.Pointer
	}
	calls := sync.Pool{New: func() any { return new(call) }}
	return func(dst, x unsafe.Pointer, n int) {
		m := calls.Get().(*call)
		m.params = [2]unsafe.Pointer{x, dst}
		c.RunElems(n, m.params[:], &m.Scratch)
		clear(m.params[:])
		calls.Put(m)
	}, nil
}
