package command

import "github.com/spf13/cobra"

// newVet runs nx-vet, a separate program, since the analysis of Go programs would add an eighth to the size of
// this one.
func newVet(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "vet [PACKAGE...]",
		Short: "Find mistakes in Go programs that use nx (runs nx-vet)",
		Long: `Vet reports mistakes in Go programs that use nx which compile: divisions of integer
constants in operands (nx.Mul(1/2, t)), functions compiled again in a loop, compiled
methods that are bound to a receiver, and writes to outer variables in traced
functions. It runs the program nx-vet, which is searched in the folder of nx and in the
PATH, and which runs "go vet" with itself as the tool, so packages and flags are those of
the go command, and results are cached; "go vet -vettool=$(which nx-vet)" is equivalent.
Install it by

  ` + installOf("nx-vet") + `

With -upgrade first, it rewrites the Go files of folders for the names and arguments that
package nx has now, and prints each change.

Exit status 1: there are such mistakes, or the packages do not compile.`,
		Example:            examples("nx vet ./...", "nx vet -upgrade .", "go vet -vettool=$(which nx-vet) ./..."),
		DisableFlagParsing: true, // they are those of go vet
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && (args[0] == "-h" || args[0] == "--help") {
				return cmd.Help()
			}
			return s.runExternal(cmd.Context(), "nx-vet", args)
		},
	}
}
