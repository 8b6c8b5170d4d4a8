package command

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/internal/atomicfile"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

func dims64(shape []int) []int64 {
	dims := make([]int64, len(shape))
	for i, d := range shape {
		dims[i] = int64(d)
	}
	return dims
}

// typeText names a type for printing, with its representation in a file: "bf16[2] (as u16 or V2)".
func typeText(t stablehlo.Type) string {
	tensor, ok := t.(*stablehlo.TensorType)
	if !ok {
		return t.String()
	}
	text := shortType(tensor)
	if d := tensor.DType(); model.ForeignToNumPy(d) {
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
	return fileError("write", path, err)
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
