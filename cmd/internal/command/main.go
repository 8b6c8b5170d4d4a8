package command

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-nx/nx/internal/atomicfile"
)

// grace is the time for a command to stop after a signal. After that it may be blocked in the system, by a
// full pipe or a disk.
const grace = 700 * time.Millisecond

// endsItself is set by a command that ends in its own time after a signal. A second signal ends any.
var endsItself atomic.Bool

// Main executes the command line of the process and ends it.
func (p Program) Main() {
	p, err := p.orBundled()
	if err != nil {
		fmt.Fprintln(os.Stderr, filepath.Base(os.Args[0])+":", err)
		os.Exit(exitFailed)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second Ctrl-C ends the process at once
		if endsItself.Load() {
			return
		}
		time.Sleep(grace)
		atomicfile.Abandon()
		fmt.Fprintln(os.Stderr, p.Name+": interrupted")
		os.Exit(exitInterrupted)
	})
	limitMemory()
	os.Exit(p.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
