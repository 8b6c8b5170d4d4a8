// Command nx-xla is what nx is for the clients of package xla: it runs programs by plugins of XLA,
// lists, installs and examines plugins, and compiles for devices that need not be there. "nx xla"
// and "nx run --backend xla:cuda" run it.
//
// Exit status: 0 when all is well, 1 when something failed, 2 when the command line is wrong,
// 130 when interrupted.
package main

import (
	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cmd/internal/command"
)

func main() { program.Main() }

var program = command.Program{Name: "nx-xla", Root: newRoot}

func newRoot(s *command.Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "nx-xla",
		Short: "Run programs by plugins of XLA, and list, install and examine these",
		Long: `nx-xla runs StableHLO programs with plugins of XLA (the compilers of GPUs and TPUs), lists,
installs and examines plugins, and compiles ahead of time for devices that are not present.

Exit status: 0 all is well; 1 something failed; 2 the command line or an input is wrong;
130 interrupted.`,
		Example: "  nx-xla list\n  nx-xla run model.mlir --in in.npz --backend xla:cuda",
	}
	root.AddCommand(newList(), newInstall(), newCompile(), newDoctor())
	root.AddCommand(command.OfPrograms(s)...)
	return root
}
