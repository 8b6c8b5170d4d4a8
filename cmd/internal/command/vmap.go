package command

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/internal/atomicfile"
	"github.com/go-nx/nx/internal/vmap"
	"github.com/go-nx/nx/stablehlo"
)

// vmapper is the state of one nx vmap.
type vmapper struct {
	*Streams
	size    int64
	in, out []string
	file    string
	sizes   map[string]string // of a model of ONNX
}

func newVmap(s *Streams) *cobra.Command {
	v := &vmapper{Streams: s}
	cmd := &cobra.Command{
		Use:   "vmap [flags] FILE",
		Short: "Batch a program: apply @main to many inputs at once",
		Long: `Vmap prints a program whose @main takes batches instead of single arguments and
applies @main of FILE to every element of the batch. The batch is the first axis of
each argument and result, unless --in and --out set an axis for each: a number,
negative from the end, or "-" for an argument that all elements share, or a result
that does not depend on the batch. "-" instead of FILE reads standard input.`,
		Example: examples(
			"nx vmap --size 32 model.mlir > batched.mlir",
			"nx vmap --size 32 --in -,0 --out 1 model.mlir | nx run - --in x.npz"),
		Args:              wantArgs(1, 1, `one file, or "-"`),
		ValidArgsFunction: mlirFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.Int64Var(&v.size, "size", 0, "the `number` of elements in a batch (required)")
	f.StringSliceVar(&v.in, "in", nil, `the `+"`axes`"+` of the batch in the arguments, "-" for shared ones`)
	f.StringSliceVar(&v.out, "out", nil, "the `axes` of the batch in the results")
	f.StringVarP(&v.file, "output", "o", "", "write to this `file` instead of standard output")
	f.StringToStringVar(&v.sizes, "shape", nil, "sizes of a model of ONNX: `name=number`, or x=1x3x224x224")
	_ = cmd.MarkFlagRequired("size") // fails only for an unknown flag
	return cmd
}

func (v *vmapper) run(ctx context.Context, path string) error {
	m, err := v.readModule(ctx, path, lowering{sizes: v.sizes})
	if err != nil {
		return err
	}
	f, err := findEntry(path, m)
	if err != nil {
		return err
	}
	in, err := batchAxes("--in", "argument", v.in, f.Type().Ins)
	if err != nil {
		return err
	}
	out, err := batchAxes("--out", "result", v.out, f.Type().Outs)
	if err != nil {
		return err
	}
	batched, err := vmap.Batch(m, entry, v.size, in, out)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if v.file != "" {
		return fileError("write", v.file, atomicfile.Write(v.file, func(w io.Writer) error {
			return stablehlo.Print(w, batched, stablehlo.PrintOptions{})
		}))
	}
	return written(stablehlo.Print(v.Streams.out, batched, stablehlo.PrintOptions{}))
}

// batchAxes reads an axis for each value of the given types; an empty list means the first axis of each.
func batchAxes(flag, what string, text []string, types []stablehlo.Type) ([]int, error) {
	axes := make([]int, len(types))
	if len(text) == 0 {
		return axes, nil
	}
	if len(text) != len(types) {
		return nil, fmt.Errorf("vmap: %s gives %d axes (%s), and @%s has %d %ss", flag, len(text),
			strings.Join(text, ","), entry, len(types), what)
	}
	for i, s := range text {
		if s == "-" {
			axes[i] = vmap.Shared
			continue
		}
		axis, err := strconv.Atoi(s)
		rank := 0
		if t, ok := types[i].(*stablehlo.TensorType); ok {
			rank = t.Rank()
		}
		if axis < 0 {
			axis += rank + 1
		}
		if err != nil || axis < 0 || axis > rank {
			return nil, fmt.Errorf(`vmap: %s: %q is not an axis of %s %d: give a number from %d to %d, or "-"`,
				flag, s, what, i, -rank-1, rank)
		}
		axes[i] = axis
	}
	return axes, nil
}
