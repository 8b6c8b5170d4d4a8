package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cmd/internal/version"
	"github.com/go-nx/nx/stablehlo"
)

// versionInfo is what nx version prints.
type versionInfo struct {
	version.Info
	StableHLO string `json:"stablehlo"`
}

// String is what --version prints after the name of the program.
func (v versionInfo) String() string {
	return v.Sources() + ", StableHLO " + v.StableHLO + ", " + v.Target()
}

func newVersion(s *Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of nx, of StableHLO and of Go",
		Long: `Version prints the version of nx with the revision of its sources, of the StableHLO specification
it implements and of the Go it was built with, and the platform it was built for. So does the flag --version.`,
		Example: examples(
			"nx version",
			"nx version --json"),
		Args: wantArgs(0, 0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			v := currentVersion()
			if asJSON {
				return printJSON(s.out, v)
			}
			_, err := fmt.Fprintf(s.out, "%s version %s\n", c.Root().Name(), v)
			return written(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

func currentVersion() versionInfo {
	return versionInfo{version.Current(), stablehlo.Current().String()}
}
