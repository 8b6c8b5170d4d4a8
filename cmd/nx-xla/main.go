// Command nx-xla lists, installs and examines plugins of XLA, and compiles programs by them for
// devices that need not be there. "nx xla" runs it.
//
// Exit status: 0 when all is well, 1 when something failed, 2 when the command line is wrong.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// failure is an error of what was done, rather than of the command line.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// run executes a command line and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "nx-xla:", strings.TrimSpace(err.Error()))
	if errors.As(err, new(failure)) {
		return 1
	}
	return 2
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "nx-xla",
		Short: "List, install and examine plugins of XLA, and compile by them",
		Long: `nx-xla lists, installs and examines plugins of XLA (the compilers of GPUs and TPUs),
and compiles programs by them for devices that need not be there.

Exit status: 0 all is well; 1 something failed; 2 the command line is wrong.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(newList(), newInstall(), newCompile(), newDoctor())
	return root
}
