//go:build !unix

package command

import (
	"context"
	"os/exec"
)

// become runs a program, which ends by itself after Ctrl-C of the console that both have.
func (s *Streams) become(_ context.Context, path string, args []string) error {
	endsItself.Store(true)
	c := exec.Command(path, args...)
	c.Stdin, c.Stdout, c.Stderr = s.in, s.out, s.err
	return c.Run()
}
