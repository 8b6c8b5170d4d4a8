package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/go-nx/nx/vet"
)

func newVet(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "vet [PACKAGE...]",
		Short: "Find mistakes in Go programs that use nx",
		Long: `Vet reports mistakes in Go programs that use nx which compile: divisions of integer
constants beside tensors (nx.Mul(1/2, t)), functions compiled anew in a loop, compiled
methods that are bound to a receiver, and writes to variables from outside in traced
functions. It runs "go vet" with itself as the tool, so packages are those of the go
command, and results are cached; "go vet -vettool=$(which nx)" does the same.

Exit status 1: there are such mistakes, or the packages do not compile.`,
		Example: examples("nx vet ./...", "go vet -vettool=$(which nx) ./..."),
		RunE: func(cmd *cobra.Command, args []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				args = []string{"."}
			}
			c := exec.CommandContext(cmd.Context(), "go", append([]string{"vet", "-vettool=" + self}, args...)...)
			c.Stdin, c.Stdout, c.Stderr = s.in, s.out, s.err
			err = c.Run()
			var failed *exec.ExitError
			switch {
			case errors.As(err, &failed):
				return errFailed
			case err != nil:
				return fmt.Errorf("vet: %w: it needs the go command", err)
			}
			return nil
		},
	}
}

// AsVetTool serves go vet, when the arguments are those by which it calls its tool, and
// does not return then.
func AsVetTool(args []string) {
	isOption := func(a string) bool { return strings.HasPrefix(a, "-") }
	last := len(args) - 1
	if last >= 0 && !slices.ContainsFunc(args[:last], func(a string) bool { return !isOption(a) }) &&
		(args[last] == "-V=full" || args[last] == "-flags" || !isOption(args[last]) &&
			strings.HasSuffix(args[last], ".cfg")) {
		unitchecker.Main(vet.Analyzers()...)
	}
}
