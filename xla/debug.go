package xla

import (
	"context"
	"log/slog"
	"time"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/pjrt"
)

func (c *Client) debug(what string, args ...any) {
	if c.log != nil {
		c.log.Debug("xla: "+what, append([]any{slog.String("client", c.name)}, args...)...)
	}
}

// logRun logs that a call was started, and, from a goroutine, how long it waited and ran.
func (c *Client) logRun(start time.Time, arguments, results []*pjrt.Event) {
	c.debug("started", "took", time.Since(start))
	go func() {
		ctx, stop := c.untilLost(context.Background())
		defer stop()
		err := awaitEvents(ctx, arguments)
		begun := time.Now()
		if err == nil {
			err = awaitEvents(ctx, results)
		}
		if err != nil {
			c.debug("failed", "error", c.fail("running", err))
			return
		}
		c.debug("ran", "waiting", begun.Sub(start), "running", time.Since(begun))
	}()
}

// readyEvents returns the events of contents on the client's devices.
func readyEvents(list []backend.Buffer) (events []*pjrt.Event) {
	add := func(b *buffer) {
		if e, err := b.b.Ready(); err == nil { // users of the buffer get the error
			events = append(events, e)
		}
	}
	for _, b := range list {
		switch b := b.(type) {
		case *buffer:
			add(b)
		case *tensorPart:
			add(b.buffer)
		case *sharded:
			for _, p := range b.own() {
				add(p)
			}
		}
	}
	return events
}

func awaitEvents(ctx context.Context, events []*pjrt.Event) error {
	for _, e := range events {
		if err := e.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}
