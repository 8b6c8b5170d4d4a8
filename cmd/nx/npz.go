package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/internal/atomicfile"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// readArguments reads the arguments of f from an archive that holds exactly
// these. Its error has a line for each argument that does not fit.
func readArguments(path string, f stablehlo.Func) ([]interp.Value, error) {
	z, err := npy.OpenZip(path)
	if err != nil {
		if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
			err = cannot("read", path, err)
		}
		return nil, err
	}
	defer z.Close()
	have := map[string]bool{}
	for _, name := range z.Names() {
		have[name] = true
	}
	var errs []error
	types := f.Type().Ins
	args := make([]interp.Value, len(types))
	for i, t := range types {
		name := fmt.Sprintf("arg%d", i)
		if args[i], err = readArgument(z, name, have[name], t); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
		}
		delete(have, name)
	}
	for _, name := range z.Names() {
		if have[name] {
			errs = append(errs, fmt.Errorf("%s: %s: @%s has no such argument: it takes %s",
				path, name, f.Name(), argumentNames(len(types))))
		}
	}
	return args, errors.Join(errs...)
}

func argumentNames(n int) string {
	switch n {
	case 0:
		return "none"
	case 1:
		return "arg0"
	}
	return fmt.Sprintf("arg0 to arg%d", n-1)
}

// readArgument reads one array; its type is checked before its data is read.
func readArgument(z *npy.Zip, name string, present bool, t stablehlo.Type) (interp.Value, error) {
	switch t := t.(type) {
	case stablehlo.TokenType:
		if present {
			return nil, fmt.Errorf("%s: the argument is a token, which takes no array: leave it out", name)
		}
		return interp.Token{}, nil
	case *stablehlo.TensorType:
		if !present {
			return nil, fmt.Errorf("%s: missing: want %s", name, typeText(t))
		}
		h, err := z.Header(name)
		if err != nil {
			return nil, err
		}
		if !holds(h, t.DType()) || !fits(h.Shape, t.Dims) {
			return nil, fmt.Errorf("%s: want %s, got %s", name, typeText(t), headerText(h))
		}
		a, err := z.Array(name)
		if err != nil {
			return nil, err
		}
		return asTensor(name, a, t)
	}
	return nil, fmt.Errorf("%s: an argument of type %s cannot be read from a file", name, t)
}

// asTensor gives the bits of an array the element type of the program.
func asTensor(name string, a npy.Array, t *stablehlo.TensorType) (interp.Value, error) {
	d := t.DType()
	if d.Bits() < 8 && d != dtype.Bool {
		for i, b := range a.Data {
			stored := []byte{0}
			d.StoreBits(stored, 0, uint64(b))
			if b != stored[0] && b>>d.Bits() != 0 { // a negative one need not be sign-extended
				return nil, fmt.Errorf("%s: element %d is the byte 0x%02x, which is no %s", name, i, b, d)
			}
		}
	}
	a, err := a.As(d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return interp.NewTensor(t.WithDims(dims64(a.Shape)...), a.Data)
}

// holds reports whether items as h says are elements of type d, or their bits.
func holds(h npy.Header, d dtype.Type) bool {
	switch {
	case h.DType == d:
		return true
	case !foreignToNumPy(d):
		return false
	case d.Size() == 2:
		return h.DType == dtype.U16 || h.Void == 2
	}
	return h.DType == dtype.U8 || h.Void == 1 || h.DType == dtype.S8 && d.IsSigned()
}

// foreignToNumPy reports the types that travel as their bits.
func foreignToNumPy(d dtype.Type) bool {
	return d == dtype.BF16 || d.IsFloat() && d.Bits() <= 8 || d.IsInteger() && d.Bits() < 8
}

// fits reports whether a shape is one of those that dims allows.
func fits(shape []int, dims []int64) bool {
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

func dims64(shape []int) []int64 {
	dims := make([]int64, len(shape))
	for i, d := range shape {
		dims[i] = int64(d)
	}
	return dims
}

// typeText names a type as results are printed, with what a file holds for it:
// "bf16[2] (as u16 or V2)".
func typeText(t stablehlo.Type) string {
	tensor, ok := t.(*stablehlo.TensorType)
	if !ok {
		return t.String()
	}
	text := shortType(tensor)
	if d := tensor.DType(); foreignToNumPy(d) {
		text += map[int]string{1: " (as u8 or V1)", 2: " (as u16 or V2)"}[d.Size()]
	}
	return text
}

func headerText(h npy.Header) string {
	var b strings.Builder
	b.WriteString(h.ItemType())
	for _, d := range h.Shape {
		fmt.Fprintf(&b, "[%d]", d)
	}
	return b.String()
}

// writeResults writes named results to an archive; tokens have no array.
func writeResults(ctx context.Context, path string, names []string, results []interp.Value) error {
	err := atomicfile.Write(path, func(w io.Writer) error {
		z := npy.NewZipWriter(stoppable{ctx, w})
		for i, v := range results {
			name := names[i]
			switch v := v.(type) {
			case interp.Token:
			case *interp.Tensor:
				shape, err := shapeInts(v.Type.Dims)
				if err != nil {
					return err
				}
				if err := z.Write(name, npy.New(v.Type.DType(), shape, v.Data)); err != nil {
					return err
				}
			default:
				return fmt.Errorf("%s is a tuple, which an archive cannot hold: leave out --out to see it", name)
			}
		}
		return z.Close()
	})
	return cannot("write", path, err)
}

func shapeInts(dims []int64) ([]int, error) {
	shape := make([]int, len(dims))
	for i, d := range dims {
		if d > math.MaxInt {
			return nil, fmt.Errorf("dimension %d of size %d is too large for this machine", i, d)
		}
		shape[i] = int(d)
	}
	return shape, nil
}
