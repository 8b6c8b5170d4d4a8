package amd64

import (
	"sync"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Loops returns the loops, as machine code, of the elementary functions that machine code
// computes otherwise than plain Go ([functions.FusedOf]): with them, what is left to plain Go
// has the same bits. The loop is nil of other instructions. One is made when it is first asked
// for and kept.
func Loops(w Width) func(in *kernel.Instr) func(dst, x []float32) {
	var mu sync.Mutex
	loops := map[kernel.Op]func(dst, x []float32){}
	return func(in *kernel.Instr) func(dst, x []float32) {
		if functions.FusedOf(in) == nil {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		if loops[in.Op] == nil {
			loop, err := newLoop(w, in.Op)
			if err != nil { // no memory for code: executables fail to get it, too
				return nil
			}
			loops[in.Op] = loop
		}
		return loops[in.Op]
	}
}

// newLoop makes machine code of a function of F32.
func newLoop(w Width, op kernel.Op) (func(dst, x []float32), error) {
	const n = maxCall // any number of elements can be computed
	k := &kernel.Kernel{Name: op.String(), Dims: []int64{n},
		Params: []kernel.Param{{Type: dtype.F32, Elems: n}, {Type: dtype.F32, Elems: n}}}
	at := func(param int) kernel.Access { return kernel.Access{Param: param, Strides: []int64{1}} }
	from := at(0)
	x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: &from})
	y := k.Body.Add(kernel.Instr{Op: op, Type: dtype.F32, Args: [3]kernel.Value{x}})
	k.Stores = []kernel.Store{{Value: y, Type: dtype.F32, At: at(1)}}
	p := plan.Of(k)
	f, err := Assemble(w, k, p, false)
	if err != nil {
		return nil, err
	}
	c := newCode(Generator{Width: w}, k, p, f)
	if c.f, err = keep(k.Name, f.Text, f.InstructionBytes); err != nil {
		return nil, err
	}
	type call struct {
		Scratch
		params [2]unsafe.Pointer
	}
	calls := sync.Pool{New: func() any { return new(call) }}
	return func(dst, x []float32) {
		m := calls.Get().(*call)
		m.params = [2]unsafe.Pointer{unsafe.Pointer(unsafe.SliceData(x)), unsafe.Pointer(unsafe.SliceData(dst))}
		c.RunElems(len(x), m.params[:], &m.Scratch)
		clear(m.params[:])
		calls.Put(m)
	}, nil
}
