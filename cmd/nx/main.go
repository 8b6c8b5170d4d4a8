// Command nx checks, runs, formats and inspects StableHLO programs.
//
// Run "nx help" for its commands. Exit status: 0 when all is well, 1 when a
// program failed, 2 when the command line or an input is wrong, 130 when
// interrupted.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-nx/nx/internal/atomicfile"
)

// grace is how long a command may take to stop by itself after a signal. What it may
// be stuck in then is the system: a pipe that nobody reads, a disk.
const grace = 700 * time.Millisecond

func main() {
	asVetTool(os.Args[1:])
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second Ctrl-C ends the process at once
		time.Sleep(grace)
		atomicfile.Abandon()
		fmt.Fprintln(os.Stderr, "nx: interrupted")
		os.Exit(exitInterrupted)
	})
	limitMemory()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
