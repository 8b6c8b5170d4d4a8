package exec

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/program"
)

// slice is a parameter of a kernel that is a slice of its buffer.
type slice struct {
	param  int
	starts []start
}

// start is a start index of a slice, in memory.
type start struct {
	root          int
	isWide        bool // 64 bits
	limit, stride int64
}

// slicesOf returns the slices of a kernel that have elements.
func (x *Executable) slicesOf(n *program.Kernel) (out []slice) {
	for _, s := range n.Slices {
		p := n.Kernel.Params[s.Param]
		if p.Elems == 0 {
			continue
		}
		part := slice{param: s.Param}
		for _, at := range s.Starts {
			part.starts = append(part.starts, start{x.layout.Root[n.Ins[at.Index]], x.isWide(n.Ins[at.Index]), at.Limit,
				at.Stride * int64(p.Type.Size())})
		}
		out = append(out, part)
	}
	return out
}

func (x *Executable) isWide(index int) bool { return x.prog.Buffers[index].Type.DType() == dtype.S64 }

// offset returns the offset of the slice in its buffer.
func (s *slice) offset(in *instance) (bytes int64) {
	for i := range s.starts {
		at := &s.starts[i]
		var index int64
		if p := in.bufs[at.root]; at.isWide {
			index = *(*int64)(p)
		} else {
			index = int64(*(*int32)(p))
		}
		bytes += min(max(index, 0), at.limit) * at.stride
	}
	return bytes
}

// bind sets the memory of a kernel's parameters. Arrays that it updates in part are copied first, unless their memory
// is reused.
func (k *compiledKernel) bind(in *instance, params []unsafe.Pointer) error {
	if err := k.updated.run(in, nil); err != nil {
		return err
	}
	for i, r := range k.params {
		params[i] = in.bufs[r]
	}
	k.moveSlices(in, params)
	return nil
}

// moveSlices offsets the parameters that are slices of buffers.
func (k *compiledKernel) moveSlices(in *instance, params []unsafe.Pointer) {
	for i := range k.slices {
		s := &k.slices[i]
		params[s.param] = unsafe.Add(params[s.param], s.offset(in))
	}
}

// windowsOf returns the slices of a kernel as windows of scalar code, by parameter.
func (x *Executable) windowsOf(n *program.Kernel) map[int]codegen.Window {
	out := map[int]codegen.Window{}
	for _, s := range n.Slices {
		p, root := n.Kernel.Params[s.Param], x.layout.Root[n.Params()[s.Param]]
		w := codegen.Window{Array: root, Part: root, Bytes: int(p.Elems) * p.Type.Size(), Elem: p.Type.Size(),
			Store: s.Array >= 0}
		for _, at := range s.Starts {
			w.Indices = append(w.Indices, codegen.WindowIndex{Buf: x.layout.Root[n.Ins[at.Index]],
				Type: x.prog.Buffers[n.Ins[at.Index]].Type.DType(), Limit: int(at.Limit),
				Stride: int(at.Stride) * p.Type.Size()})
		}
		out[s.Param] = w
	}
	return out
}
