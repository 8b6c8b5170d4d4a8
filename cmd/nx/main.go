// Command nx checks, runs, formats and inspects StableHLO programs.
//
// Run "nx help" for its commands. Exit status: 0 when all is well, 1 when a
// program failed, 2 when the command line or an input is wrong, 130 when
// interrupted.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	limitMemory()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
