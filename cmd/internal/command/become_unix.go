//go:build unix

package command

import (
	"context"
	"fmt"
	"os"
	"syscall"
)

// become replaces this process by a program, which gets all signals then, with the same ID of the process.
func (s *Streams) become(ctx context.Context, path string, args []string) error {
	if s.out != os.Stdout || s.err != os.Stderr || s.in != os.Stdin { // a test
		return s.start(ctx, path, args)
	}
	err := syscall.Exec(path, append([]string{path}, args...), os.Environ())
	return fmt.Errorf("starting %s: %w", path, err)
}
