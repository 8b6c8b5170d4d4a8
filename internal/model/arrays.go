package model

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/gguf"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/encoding/nxterm"
	"github.com/go-nx/nx/encoding/pytorch"
	"github.com/go-nx/nx/encoding/safetensors"
	"github.com/go-nx/nx/internal/files"
	"github.com/go-nx/nx/internal/mapped"
	"github.com/go-nx/nx/stablehlo"
)

// Array is an array of a file, read on demand.
type Array struct {
	File, Name string
	Header     npy.Header
	// Axes holds the names of the axes, or nil. The first Vectors of them are vectorised.
	Axes    []string
	Vectors int
	// Unnamed is set when the format has no names: Name is that of the file.
	Unnamed bool
	Read    func() (npy.Array, error)
	// Map returns the mapped array, which is valid as long as the file is reachable; nil if that is not
	// possible.
	Map func() (a *npy.Array, owner *mapped.File)
	// Split has the integers and the scales of an array that the file has in blocks, one scale for 32 elements of a
	// row; nil for others.
	Split *[2]Array
}

// Get returns the array with elements of type d: in a mapped file, which must be kept, if the caller can use that and
// it is possible, else read, with a nil file.
func (a *Array) Get(d dtype.Type, mapping bool) (data npy.Array, owner *mapped.File, err error) {
	if mapping && a.Map != nil {
		if m, owner := a.Map(); m != nil {
			err = owner.Guard(func() (err error) {
				data, err = Elements(*m, d)
				return err
			})
			return data, owner, err
		}
	}
	if data, err = a.Read(); err == nil {
		data, err = Elements(data, d)
	}
	return data, nil, err
}

// mapping maps a file on the first access to its arrays.
type mapping func() (*mapped.File, error)

func newMapping(fsys fs.FS, file string) mapping {
	return sync.OnceValues(func() (*mapped.File, error) { return mapped.OpenIn(fsys, file) })
}

// of returns how to map the array whose elements are a section of the file, if each bit pattern is an element
// and has the same layout in memory. Archives of NumPy are not aligned, so most of their arrays begin at an
// unaligned offset.
func (m mapping) of(h npy.Header, section *io.SectionReader) func() (*npy.Array, *mapped.File) {
	if section == nil {
		return nil
	}
	_, at, size := section.Outer()
	item := h.DType.Size()
	if h.DType == dtype.Bool || h.DType.Bits() < 8 || item == 0 || size == 0 ||
		!mapped.AnyAddress && at%int64(h.DType.Real().Size()) != 0 {
		return nil
	}
	return func() (*npy.Array, *mapped.File) {
		f, err := m()
		if err != nil || at+size > int64(len(f.Data)) {
			return nil, nil
		}
		return &npy.Array{Header: h, Data: f.Data[at : at+size : at+size]}, f
	}
}

// OpenArrays lists the arrays of a file: .safetensors, .npz, .nx, .gguf, .npy, whose array has the name of the file,
// .pt, .pth or .bin of PyTorch, or those of the files that an index names, .safetensors.index.json. They can be read
// until close is called or the context ends; its cause is in the error.
func OpenArrays(ctx context.Context, file string) (list []Array, close func() error, err error) {
	return OpenArraysIn(ctx, nil, file)
}

// OpenArraysIn is [OpenArrays] of a file in a file system, nil for that of the operating system.
func OpenArraysIn(ctx context.Context, fsys fs.FS, file string) (list []Array, close func() error, err error) {
	if isIndex(file) {
		return openShards(ctx, fsys, file)
	}
	err = openArrays(ctx, fsys, file, &close, func(r io.ReaderAt, size int64) (err error) {
		list, err = arraysOf(fsys, file, r, size)
		return err
	})
	return list, close, err
}

// openArrays calls read for an open file, which stays open unless there is an error.
func openArrays(ctx context.Context, fsys fs.FS, file string, close *func() error,
	read func(r io.ReaderAt, size int64) error) error {
	// Open waits for the writer of a pipe.
	if info, err := files.Stat(fsys, file); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: arrays are read from files, not from this", file)
	}
	f, err := files.Open(fsys, file)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		if err = read(stoppable{ctx, f}, info.Size()); err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
	}
	if err != nil {
		f.Close()
		return err
	}
	*close = f.Close
	return nil
}

func arraysOf(fsys fs.FS, file string, r io.ReaderAt, size int64) (list []Array, err error) {
	m := newMapping(fsys, file)
	add := func(name string, h npy.Header, section *io.SectionReader, read func() (npy.Array, error)) {
		list = append(list, Array{File: file, Name: name, Header: h, Read: read, Map: m.of(h, section)})
	}
	switch kindOf(file, r) {
	case ".safetensors":
		f, err := safetensors.New(r, size)
		if err != nil {
			return nil, err
		}
		for _, info := range f.Infos() {
			h := npy.Header{DType: info.DType, Shape: info.Shape}
			section, err := f.Section(info.Name)
			if err != nil {
				return nil, err
			}
			add(info.Name, h, section, func() (npy.Array, error) {
				t, err := f.Tensor(info.Name)
				return npy.Array{Header: h, Data: t.Data}, err
			})
		}
	case ".pt":
		f, err := pytorch.New(r, size)
		if err != nil {
			return nil, err
		}
		for _, info := range f.Infos() {
			h := npy.Header{DType: info.DType, Shape: info.Shape}
			name := info.Name
			if name == "" {
				name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
			}
			add(name, h, f.Section(info.Name), func() (npy.Array, error) {
				t, err := f.Tensor(info.Name)
				return npy.Array{Header: h, Data: t.Data}, err
			})
			list[len(list)-1].Unnamed = info.Name == ""
		}
	case ".gguf":
		f, err := gguf.New(r, size)
		if err != nil {
			return nil, err
		}
		for _, info := range f.Infos() {
			h := npy.Header{DType: info.Type.DType(), Shape: info.Shape}
			var section *io.SectionReader // of what lies in the file as in memory
			if elems, _ := info.Type.Blocks(); elems == 1 {
				if section, err = f.Section(info.Name); err != nil {
					return nil, err
				}
			}
			if h.DType == dtype.Invalid { // the error comes when it is read
				h.DType = dtype.F32
			}
			add(info.Name, h, section, func() (npy.Array, error) {
				t, err := f.Tensor(info.Name)
				return npy.Array{Header: h, Data: t.Data}, err
			})
			list[len(list)-1].Split = splitOf(file, f, info)
		}
	case ".npy":
		f, err := npy.NewFile(r, size)
		if err != nil {
			return nil, err
		}
		a := arrayOf(fsys, file, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), f)
		a.Unnamed = true
		list = append(list, a)
	case ".nx":
		data := make([]byte, size)
		if _, err := io.ReadFull(io.NewSectionReader(r, 0, size), data); err != nil {
			return nil, err
		}
		tensors, err := nxterm.Read(data)
		if err != nil {
			return nil, err
		}
		for _, t := range tensors {
			a := npy.New(t.DType, t.Shape, t.Data)
			list = append(list, Array{File: file, Name: t.Name, Header: a.Header, Axes: t.Names, Vectors: t.Vectors,
				Read: func() (npy.Array, error) { return a, nil }})
		}
	default:
		z, err := npy.NewZip(r, size)
		if err != nil {
			return nil, err
		}
		for _, name := range z.Names() {
			h, err := z.Header(name)
			if err != nil {
				return nil, err
			}
			add(name, h, z.Section(name), func() (npy.Array, error) { return z.Array(name) })
		}
	}
	return list, nil
}

// splitOf are the parts of a matrix in blocks, nil for other tensors.
func splitOf(file string, f *gguf.File, info gguf.Info) *[2]Array {
	if info.Type != gguf.Q8_0 && info.Type != gguf.Q4_0 || len(info.Shape) != 2 {
		return nil
	}
	integers := npy.Header{DType: dtype.S8, Shape: info.Shape}
	if info.Type == gguf.Q4_0 {
		integers = npy.Header{DType: dtype.U8, Shape: []int{info.Shape[0], info.Shape[1] / 2}}
	}
	scales := npy.Header{DType: dtype.F32, Shape: []int{info.Shape[0], info.Shape[1] / 32}}
	return &[2]Array{
		{File: file, Name: info.Name, Header: integers, Read: func() (npy.Array, error) {
			q, _, err := f.Split(info.Name)
			return npy.Array{Header: integers, Data: q.Data}, err
		}},
		{File: file, Name: info.Name + " (scales)", Header: scales, Read: func() (npy.Array, error) {
			_, s, err := f.Split(info.Name)
			return npy.Array{Header: scales, Data: s.Data}, err
		}},
	}
}

// stoppable reads until a context ends.
type stoppable struct {
	ctx context.Context
	r   io.ReaderAt
}

// stoppableStep is the maximum that is read between checks of the context.
const stoppableStep = 8 << 20

func (s stoppable) ReadAt(b []byte, off int64) (n int, err error) {
	for {
		if s.ctx.Err() != nil {
			return n, context.Cause(s.ctx)
		}
		k, err := s.r.ReadAt(b[n:min(len(b), n+stoppableStep)], off+int64(n))
		if n += k; err != nil || n == len(b) {
			return n, err
		}
	}
}

// kindOf returns the extension for the format of a file: its own, or that of its first bytes. The default is
// an archive.
func kindOf(file string, r io.ReaderAt) string {
	ext := strings.ToLower(filepath.Ext(file))
	switch ext {
	case ".safetensors", ".npz", ".npy", ".nx", ".gguf":
		return ext
	case ".pt", ".pth", ".bin":
		return ".pt"
	}
	var head [9]byte
	n, _ := r.ReadAt(head[:], 0)
	switch {
	case strings.HasPrefix(string(head[:n]), "\x93NUMPY"):
		return ".npy"
	case strings.HasPrefix(string(head[:n]), "GGUF"):
		return ".gguf"
	case n == len(head) && head[8] == '{':
		return ".safetensors"
	}
	return ".npz"
}

// Value opens the .npy file of a parameter, as [OpenArrays] does.
func (q *Param) Value(ctx context.Context) (a Array, close func() error, err error) {
	err = openArrays(ctx, q.fsys, q.File, &close, func(r io.ReaderAt, size int64) error {
		f, err := npy.NewFile(r, size)
		if err == nil {
			a = arrayOf(q.fsys, q.File, q.Name, f)
		}
		return err
	})
	return a, close, err
}

// arrayOf is the array of an .npy file.
func arrayOf(fsys fs.FS, file, name string, f *npy.File) Array {
	return Array{File: file, Name: name, Header: f.Header(), Read: f.Array,
		Map: newMapping(fsys, file).of(f.Header(), f.Section())}
}

// ForeignToNumPy reports the types of numbers that travel as their bits.
func ForeignToNumPy(d dtype.Type) bool {
	return d == dtype.BF16 || d.IsFloat() && d.Bits() <= 8 || d.IsInteger() && d.Bits() < 8
}

// Holds reports whether items with header h are elements of type d, or their bits; [Elements] checks these.
func Holds(h npy.Header, d dtype.Type) bool {
	switch {
	case h.DType == d:
		return true
	case d == dtype.Bool: // which Nx of Elixir does not have
		return h.DType == dtype.U8 || h.Void == 1
	case !ForeignToNumPy(d):
		return false
	case d.Size() == 2:
		return h.DType == dtype.U16 || h.Void == 2
	}
	return h.DType == dtype.U8 || h.Void == 1 || h.DType == dtype.S8 && d.IsSigned()
}

// Fits reports whether a shape is one of those that dims allows.
func Fits(shape []int, dims []int64) bool {
	if len(shape) != len(dims) {
		return false
	}
	for i, d := range dims {
		if d != stablehlo.Dynamic && int64(shape[i]) != d {
			return false
		}
	}
	return true
}

// CastHint returns advice on the default types of NumPy, "" when they are not the problem.
func CastHint(h npy.Header, t *stablehlo.TensorType) string {
	if !Fits(h.Shape, t.Dims) {
		return ""
	}
	switch d := t.DType(); {
	case h.DType == dtype.S64 && d == dtype.S32:
		return ": NumPy makes integers int64: save x.astype(np.int32)"
	case h.DType == dtype.F64 && d == dtype.F32:
		return ": NumPy makes floats float64: save x.astype(np.float32)"
	}
	return ""
}

// Elements returns the bits of an array the element type d.
func Elements(a npy.Array, d dtype.Type) (npy.Array, error) {
	if a.DType == d {
		return a, nil // it holds elements of that type, checked when it was read
	}
	if d.Bits() < 8 {
		for i, b := range a.Data {
			stored := []byte{0}
			d.StoreBits(stored, 0, uint64(b))
			if b != stored[0] && b>>d.Bits() != 0 { // a negative one need not be sign-extended
				return a, fmt.Errorf("element %d is the byte 0x%02x, which is not a value of %s", i, b, d)
			}
		}
	}
	return a.As(d)
}
