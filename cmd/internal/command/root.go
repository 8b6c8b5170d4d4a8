// Package command is the command line of nx: commands that check, run, format, inspect and time
// StableHLO programs. cmd/nx has all of them; cmd/nx-xla has those that run programs, for the
// clients of package xla, which cmd/nx does not link.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
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

// Streams are the three files of a program, and the name that its messages begin with.
type Streams struct {
	in       io.Reader
	out, err io.Writer
	name     string
}

// Program is a command line: its name, and a function that returns its commands.
type Program struct {
	Name string
	Root func(*Streams) *cobra.Command
}

// Nx is the command line of cmd/nx.
var Nx = Program{"nx", newRoot}

// Failure wraps an error of the operation, rather than of the command line: the exit status is 1.
func Failure(err error) error { return programError{err} }

// OfPrograms returns the commands that run programs by the client that --backend names.
func OfPrograms(s *Streams) []*cobra.Command {
	return []*cobra.Command{newRun(s), newCheck(s), newBench(s)}
}

// Run executes one command line and returns the exit status.
func (p Program) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := &Streams{stdin, stdout, stderr, p.Name}
	root := p.Root(s)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Version = currentVersion().String()
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w: %q shows the flags", err, c.CommandPath()+" --help")
	})
	err := root.ExecuteContext(ctx)
	if errors.Is(err, errOfXLA) {
		err = s.runExternal(ctx, "nx-xla", args)
	}
	if errors.Is(err, errOfGRPC) {
		var path string
		if path, err = findExternal("nx-grpc"); err == nil {
			err = s.become(ctx, path, args)
		}
	}
	if err == nil {
		return exitOK
	}
	return s.end(ctx, err)
}

// end reports an error and returns the exit status.
func (s *Streams) end(ctx context.Context, err error) int {
	var child *exec.ExitError
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(s.err, s.name+": interrupted")
		return exitInterrupted
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.As(err, &child) && child.ExitCode() > 0: // it has printed the reason
		return child.ExitCode()
	}
	s.report(err)
	if _, failed := errors.AsType[programError](err); failed {
		return exitFailed
	}
	return exitUsage
}

func newRoot(s *Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "nx",
		Short: "Check, run, format and inspect StableHLO programs",
		Long: `nx checks, runs, formats and inspects StableHLO programs: the text that JAX,
PyTorch and TensorFlow export.

Exit status: 0 all is well; 1 a program failed; 2 the command line or an input
is wrong; 130 interrupted. Errors go to standard error, results to standard output.`,
		Example: `  nx check testdata/            run every self-checking program in a folder
  nx run model.mlir --in x.npz  run @main and print its results
  nx run ./defs.F --in x.npz    the same of a numerical definition, a function in Go
  nx inspect model.mlir         signatures, ops, work and memory
  nx help run                   more about one command`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return noCommand(c, args[0])
		},
	}
	root.AddCommand(OfPrograms(s)...)
	root.AddCommand(newFmt(s), newInspect(s), newConvert(s), newChat(s), newServe(s), newBundle(s), newVmap(s),
		newVet(s), newDefn(s), newDoctor(s), newNew(s), newXLA(s), newVersion(s))
	root.SetOut(s.out) // of completions, which are made for it
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

// refineHelp makes help for an unknown command an error.
func refineHelp(c *cobra.Command) {
	c.Example = examples("nx help", "nx help run")
	c.Args = func(c *cobra.Command, args []string) error {
		if found, rest, err := c.Root().Find(args); err != nil || found == c.Root() && len(rest) > 0 {
			return noCommand(c.Root(), strings.Join(args, " "))
		}
		return nil
	}
}

// refineCompletion makes completions for an unknown shell an error.
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

// noCommand reports that there is no command of that name.
func noCommand(root *cobra.Command, name string) error {
	hint := `"nx help" lists the commands`
	for root.SuggestionsMinimumDistance = 1; root.SuggestionsMinimumDistance <= 2; root.SuggestionsMinimumDistance++ {
		if near := root.SuggestionsFor(name); len(near) > 0 { // the nearest, not the first of the alphabet
			hint = fmt.Sprintf("did you mean %q?", near[0])
			break
		}
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
func wantArgs(min, max int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= min && (max < 0 || len(args) <= max) {
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
