package command

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

// Main executes the command line of the process and ends it.
func (p Program) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second Ctrl-C ends the process at once
		time.Sleep(grace)
		atomicfile.Abandon()
		fmt.Fprintln(os.Stderr, p.Name+": interrupted")
		os.Exit(exitInterrupted)
	})
	limitMemory()
	os.Exit(p.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
