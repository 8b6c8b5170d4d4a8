package command

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/internal/atomicfile"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// converter is the state of one nx convert.
type converter struct {
	*Streams
	out string
	lowering
}

func newConvert(s *Streams) *cobra.Command {
	c := &converter{Streams: s}
	cmd := &cobra.Command{
		Use:   "convert [flags] MODEL.onnx",
		Short: "Convert a model of ONNX to StableHLO",
		Long: `Convert writes a model of ONNX as a program of StableHLO for the sizes of its inputs: a
portable artifact, or text if the name of the file ends in .mlir. The weights are constants
of the program, and the names of nodes the locations of its ops.

Sizes that the model leaves open are set by --size batch=8, by the names that "nx inspect"
shows, or for a whole input, --size x=1x3x224x224. An input whose value decides shapes, or
the branch of an If, is set by --bind sr=16000: then it is not an argument.`,
		Example: examples(
			"nx convert model.onnx -o model.bc --size batch=1",
			"nx convert model.onnx -o model.mlir --size x=1x3x224x224"),
		Args:              wantArgs(1, 1, "one file"),
		ValidArgsFunction: mlirFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.StringVarP(&c.out, "out", "o", "", "write to this `file` (required)")
	addSizeFlag(cmd, &c.lowering)
	f.StringToStringVar(&c.sizes, "shape", nil, "the same as --size")
	_ = f.MarkHidden("shape")       // fails only for an unknown flag
	_ = cmd.MarkFlagRequired("out") // likewise
	return cmd
}

func (c *converter) run(ctx context.Context, path string) error {
	m, err := c.readModule(ctx, path, c.lowering)
	if err != nil {
		return err
	}
	err = atomicfile.Write(c.out, func(w io.Writer) error {
		if strings.HasSuffix(c.out, ".mlir") {
			return stablehlo.Print(w, m, stablehlo.PrintOptions{Locations: true})
		}
		return portable.Write(w, m, portable.WriteOptions{})
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, fileError("write", c.out, err))
	}
	return nil
}
