package command

import (
	"errors"

	"github.com/spf13/cobra"
)

// newXLA runs nx-xla, a separate program, since opening libraries needs dynamic linking, and this program is a
// single static file.
func newXLA(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "xla COMMAND",
		Short: "List, install and examine plugins of XLA (runs nx-xla)",
		Long: `Xla runs the program nx-xla, which lists, installs and examines plugins of XLA (the
compilers of GPUs and TPUs), and compiles programs with them. It is searched in the
folder of nx and in the PATH. Install it by

  ` + installOf("nx-xla"),
		Example:            examples("nx xla list", "nx xla install cuda13", "nx xla doctor"),
		DisableFlagParsing: true, // they are the other program's
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.runExternal(cmd.Context(), "nx-xla", args)
		},
	}
}

// errOfXLA is the error of a command whose --backend is a client of XLA, in a program without
// them: nx-xla runs the same command line.
var errOfXLA = errors.New("the backend is one of nx-xla")
