package command

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/stablehlo"
)

// versionInfo is what nx version prints.
type versionInfo struct {
	Version   string `json:"version"`
	StableHLO string `json:"stablehlo"`
	Go        string `json:"go"`
	Platform  string `json:"platform"`
}

func newVersion(s *Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of nx, of StableHLO and of Go",
		Long: `Version prints the version of nx, of the StableHLO specification it implements and
of the Go it was built with, and the platform it was built for.`,
		Example: examples(
			"nx version",
			"nx version --json"),
		Args: wantArgs(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			v := currentVersion()
			if asJSON {
				return printJSON(s.out, v)
			}
			_, err := fmt.Fprintf(s.out, "nx %s, StableHLO %s, %s, %s\n", v.Version, v.StableHLO, v.Go, v.Platform)
			return written(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

func currentVersion() versionInfo {
	v := versionInfo{"(devel)", stablehlo.Current().String(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	return v
}
