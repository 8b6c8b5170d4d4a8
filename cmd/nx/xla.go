package main

import (
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
func newXLA(s *streams) *cobra.Command {
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
			path, err := findXLA()
			if err != nil {
				return err
			}
			c := exec.CommandContext(cmd.Context(), path, args...)
			c.Stdin, c.Stdout, c.Stderr = s.in, s.out, s.err
			err = c.Run()
			if _, failed := errors.AsType[*exec.ExitError](err); failed {
				return errFailed
			}
			return err
		},
	}
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
