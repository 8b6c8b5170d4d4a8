package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cmd/internal/command"
	"github.com/go-nx/nx/xla"
)

func newList() *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "list [CLIENT...]",
		Short: "Show clients, their plugins, devices and memory",
		Long: `List starts the devices of each configured client, or of the named ones, and shows the plugin, its versions, and each device with its memory. A client without
a plugin or without devices is shown with the reason.

Exit status 1: a named client does not start.`,
		Example: "  nx-xla list\n  nx-xla list cuda",
		RunE: func(cmd *cobra.Command, args []string) error {
			clients := args
			if len(args) == 0 {
				clients = xla.Clients()
			}
			var all error
			for _, name := range clients {
				err := list(cmd.OutOrStdout(), name, wait)
				if err != nil && len(args) > 0 {
					all = errors.Join(all, err)
				}
			}
			if all != nil {
				return command.Failure(all)
			}
			return nil
		},
	}
	cmd.Flags().DurationVar(&wait, "wait", 30*time.Second, "the time that a client may take to start")
	return cmd
}

// list prints a client, and returns why it does not start.
func list(out io.Writer, name string, wait time.Duration) error {
	type started struct {
		client *xla.Client
		err    error
	}
	done := make(chan started, 1)
	go func() {
		c, err := xla.Open(name)
		done <- started{c, err}
	}()
	var s started
	select {
	case s = <-done:
	case <-time.After(wait):
		s.err = fmt.Errorf("%s has not started within %v; a TPU plugin queries the metadata server of the machine, "+
			"unless TPU_SKIP_MDS_QUERY is 1", name, wait)
	}
	if s.err != nil {
		fmt.Fprintf(out, "%s: %s\n", name, summary(s.err))
		return s.err
	}
	platform, version := s.client.Platform()
	path, api, attributes := s.client.Plugin()
	fmt.Fprintf(out, "%s: %s %s\n", name, platform, strings.ReplaceAll(version, "\n", " "))
	fmt.Fprintf(out, "  plugin  %s\n  API     %s", path, api)
	if v, ok := attributes["stablehlo_current_version"].([]int64); ok && len(v) == 3 {
		fmt.Fprintf(out, ", StableHLO %d.%d.%d", v[0], v[1], v[2])
	}
	fmt.Fprintln(out)
	for _, d := range s.client.Devices() {
		info, err := s.client.Describe(d)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  %-7s %s", d, info.Kind)
		if info.Limit > 0 {
			fmt.Fprintf(out, ", %d MiB, %d MiB in use", info.Limit>>20, info.InUse>>20)
		}
		fmt.Fprintln(out)
	}
	return nil
}

// summary is an error in one line: of where a plugin was searched only what to do.
func summary(err error) string {
	if missing, ok := errors.AsType[*xla.NotFoundError](err); ok {
		return fmt.Sprintf("no plugin in %d locations; %s", len(missing.Places), missing.Install)
	}
	return strings.ReplaceAll(err.Error(), "\n", " ")
}
