package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cmd/internal/command"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
	"github.com/go-nx/nx/xla"
)

func newCompile() *cobra.Command {
	var client, topology, target, to string
	cmd := &cobra.Command{
		Use:   "compile FILE.mlir --topology TOPOLOGY",
		Short: "Compile a program ahead of time, for devices of another machine",
		Long: `Compile compiles the function @main of a program with a plugin, for devices that need not
be present, and shows its memory usage. --out saves it for xla.Client.LoadCompiled.

Topologies of CUDA are GPUs by name (` + strings.Join(xla.Targets(), ", ") + `), with a shape where there are
several: h200:1x1x4. Those of TPUs are v5e:2x2 and others that the plugin knows.`,
		Example: "  nx-xla compile step.mlir --topology h200 --out step.xla\n" +
			"  nx-xla compile step.mlir --client tpu --topology v5e:2x2",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var opts []xla.Option
			if target != "" {
				text, err := os.ReadFile(target)
				if err != nil {
					return command.Failure(err)
				}
				opts = append(opts, xla.Target(string(text)))
			}
			m, err := read(args[0])
			if err != nil {
				return command.Failure(err)
			}
			c, err := xla.CompileFor(cmd.Context(), client, topology, m, opts...)
			if err != nil {
				return command.Failure(err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d × %s: arguments %d, results %d, temporary %d, code %d bytes per device\n",
				len(c.Devices), c.Devices[0], c.ArgumentSize, c.ResultSize, c.TemporarySize, c.CodeSize)
			return save(c, to)
		},
	}
	cmd.Flags().StringVar(&client, "client", "cuda", "whose plugin compiles")
	cmd.Flags().StringVar(&topology, "topology", "h200", "the devices to compile for")
	cmd.Flags().StringVar(&target, "target", "", "a file that describes the GPU, as xla.Target takes it")
	cmd.Flags().StringVar(&to, "out", "", "the file to write")
	return cmd
}

// read reads a program, text or bytecode.
func read(path string) (*stablehlo.Module, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if portable.IsBytecode(data) {
		return portable.Read(path, data)
	}
	return stablehlo.Parse(path, data)
}

// save writes a compiled program to a file, if there is one to write.
func save(c *xla.Compiled, to string) error {
	if to == "" {
		return nil
	}
	saved, err := c.Save()
	if err == nil {
		err = os.WriteFile(to, saved, 0o644)
	}
	if err != nil {
		return command.Failure(err)
	}
	return nil
}
