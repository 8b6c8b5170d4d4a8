package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// The exit statuses.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130 // 128 + SIGINT, as shells have it
)

// errFailed ends a command with exitFailed when its report is already printed.
var errFailed = errors.New("failed")

// programError is a failure of the program that was run, rather than of its
// text or of the command line: exitFailed.
type programError struct{ error }

func (e programError) Unwrap() error { return e.error }

// streams are the three files of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run executes one command line and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := &streams{stdin, stdout, stderr}
	root := newRoot(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var failure programError
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "nx: interrupted")
		return exitInterrupted
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.As(err, &failure):
		s.report(err)
		return exitFailed
	}
	s.report(err)
	return exitUsage
}

func newRoot(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "nx",
		Short: "Check, run, format and inspect StableHLO programs",
		Long: `nx checks, runs, formats and inspects StableHLO programs: the text that JAX,
PyTorch and TensorFlow export.

Exit status: 0 all is well; 1 a program failed; 2 the command line or an input
is wrong; 130 interrupted. Errors go to standard error, results to standard output.`,
		Example: `  nx check testdata/            run every self-checking program in a folder
  nx run model.mlir --in x.npz  run @main and print its results
  nx inspect model.mlir         signatures, ops, work and memory
  nx help run                   more about one command`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return noCommand(c, args[0])
		},
		SuggestionsMinimumDistance: 2,
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w: %q shows the flags", err, c.CommandPath()+" --help")
	})
	root.AddCommand(newCheck(s), newRun(s), newFmt(s), newInspect(s), newVmap(s), newBench(s), newVet(s),
		newDoctor(s), newXLA(s), newVersion(s))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			refineHelp(c)
		case "completion":
			refineCompletion(c)
		}
	}
	return root
}

// refineHelp makes help of what is no command an error.
func refineHelp(c *cobra.Command) {
	c.Example = examples("nx help", "nx help run")
	c.Args = func(c *cobra.Command, args []string) error {
		if found, rest, err := c.Root().Find(args); err != nil || found == c.Root() && len(rest) > 0 {
			return noCommand(c.Root(), strings.Join(args, " "))
		}
		return nil
	}
}

// refineCompletion makes completions for what is no shell an error.
func refineCompletion(c *cobra.Command) {
	c.Example = examples("source <(nx completion bash)", "nx completion fish | source")
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("there are no completions for %q: the shells are bash, fish, powershell, zsh", args[0])
		}
		return c.Help()
	}
}

// noCommand says that there is no command of that name.
func noCommand(root *cobra.Command, name string) error {
	hint := `"nx help" lists the commands`
	if near := root.SuggestionsFor(name); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %q?", near[0])
	}
	return fmt.Errorf("there is no command %q: %s", name, hint)
}

// exclude refuses two flags together.
func exclude(c *cobra.Command, a, b string) error {
	if c.Flags().Changed(a) && c.Flags().Changed(b) {
		return fmt.Errorf("%s: --%s and --%s exclude each other", c.Name(), a, b)
	}
	return nil
}

// wantArgs refuses fewer than least or more than most arguments (most < 0: any number).
func wantArgs(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= least && (most < 0 || len(args) <= most) {
			return nil
		}
		return fmt.Errorf("%s: want %s, got %d arguments: %q shows how",
			c.Name(), what, len(args), c.CommandPath()+" --help")
	}
}

// mlirFiles completes arguments to the names of programs.
func mlirFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"mlir"}, cobra.ShellCompDirectiveFilterFileExt
}

// examples indents the lines of a help text's examples.
func examples(lines ...string) string { return "  " + strings.Join(lines, "\n  ") }
