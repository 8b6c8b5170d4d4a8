package command

import "github.com/spf13/cobra"

// newDefn runs defn, a separate program, as [newVet] does: it reads and checks packages of Go.
func newDefn(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "defn [COMMAND] [PACKAGE...]",
		Short: "Translate numerical definitions (runs defn)",
		Long: `Defn runs the program defn, which writes numerical definitions, Go functions with operators
on tensors, as functions of package nx, checks them, watches them, and lowers one of them. Where
the module has it as a tool ("go get -tool github.com/go-nx/nx/cmd/defn") it is that one; else it
is searched in the folder of nx and in the PATH. Install it by

  ` + installOf("defn") + `

"nx run" and "nx inspect" run one definition without writing a file.`,
		Example: examples("nx defn ./...", "nx defn vet ./...", "nx defn watch ./...",
			"nx defn lower --args 'f32[3][4]' ./defs.Softmax"),
		DisableFlagParsing: true, // they are the other program's
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && (args[0] == "-h" || args[0] == "--help") {
				return cmd.Help()
			}
			return s.runDefn(cmd.Context(), args)
		},
	}
}
