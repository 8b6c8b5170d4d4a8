package command

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// installOf reports how a program that nx runs comes to be there.
func installOf(name string) string {
	if name == "nx-grpc" { // a module with a replacement, which go install does not take by its version
		return "git clone https://github.com/go-nx/nx && cd nx/cmd/nx-grpc && go install ."
	}
	return "go install github.com/go-nx/nx/cmd/" + name + "@latest"
}

// runExternal runs nx-xla, nx-vet or defn: commands of nx that are separate programs.
func (s *Streams) runExternal(ctx context.Context, name string, args []string) error {
	path, err := findExternal(name)
	if err != nil {
		return err
	}
	return s.start(ctx, path, args)
}

// start runs a program to its end.
func (s *Streams) start(ctx context.Context, path string, args []string) error {
	c := exec.CommandContext(ctx, path, args...)
	c.Stdin, c.Stdout, c.Stderr = s.in, s.out, s.err
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // it can finish its files
	c.WaitDelay = grace
	return c.Run()
}

// findExternal returns a program in the folder of nx or in the PATH.
func findExternal(name string) (string, error) {
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		command := strings.TrimPrefix(name, "nx-")
		return "", fmt.Errorf("%s: the program %s is neither next to nx nor in the PATH: %s", command, name,
			installOf(name))
	}
	return path, nil
}
