package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/xla"
)

func newDoctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check this machine for the requirements of plugins",
		Long: `Doctor checks the driver, the plugins and the versions of their libraries,
the tools that compile for GPUs, the stacks of threads, shared memory, and whether this is
process 1 of a container. It starts no devices. Each problem is followed by its remedy.
Include the output in a bug report.`,
		Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			for _, f := range xla.Diagnose() {
				fmt.Fprintf(cmd.OutOrStdout(), "%-18s %s\n", f.Name, f.Found)
				if f.Hint != "" {
					fmt.Fprintf(cmd.OutOrStdout(), "%-18s   → %s\n", "", f.Hint)
				}
			}
		},
	}
}
