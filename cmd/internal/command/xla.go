package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"
)

// xlaInstall says how the program of the commands of XLA comes to be there.
const xlaInstall = "go install github.com/go-nx/nx/cmd/nx-xla@latest"

// newXLA runs nx-xla: what opens libraries is a program of its own, so that this one stays a
// single static file.
func newXLA(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "xla COMMAND",
		Short: "List, install and examine plugins of XLA (runs nx-xla)",
		Long: `Xla runs the program nx-xla, which lists, installs and examines plugins of XLA (the
compilers of GPUs and TPUs), and compiles programs by them. It is searched beside nx and
in the PATH; it comes by

  ` + xlaInstall,
		Example:            examples("nx xla list", "nx xla install cuda13", "nx xla doctor"),
		DisableFlagParsing: true, // they are the other program's
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.runXLA(cmd.Context(), args)
		},
	}
}

// errOfXLA is the error of a command whose --backend is a client of XLA, in a program without
// them: nx-xla runs the same command line.
var errOfXLA = errors.New("the backend is one of nx-xla")

// runXLA runs nx-xla.
func (s *Streams) runXLA(ctx context.Context, args []string) error {
	path, err := findXLA()
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, path, args...)
	c.Stdin, c.Stdout, c.Stderr = s.in, s.out, s.err
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // files are left whole
	c.WaitDelay = grace
	return c.Run()
}

// findXLA returns the program nx-xla.
func findXLA() (string, error) {
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), "nx-xla")); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath("nx-xla")
	if err != nil {
		return "", fmt.Errorf("xla: there is no program nx-xla beside nx or in the PATH: %s", xlaInstall)
	}
	return path, nil
}
