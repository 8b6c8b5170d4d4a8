package xla

import (
	"context"
	"maps"
	"time"

	"github.com/go-nx/nx/distributed"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
)

// keys is the part of a group's store that a client's plugin has, so that plugins of two clients
// do not take each other's keys.
type keys struct {
	group  *distributed.Group
	client string
}

func (k keys) Get(key string, timeout time.Duration) ([]byte, error) {
	return k.group.Get(k.client+"/"+key, timeout)
}

func (k keys) TryGet(key string) ([]byte, error) { return k.group.TryGet(k.client + "/" + key) }

func (k keys) Put(key string, value []byte) error { return k.group.Put(k.client+"/"+key, value) }

// ofGroup adds the number of this process to the options to create a client. TPU plugins find it themselves,
// and the CPU plugin has no such options.
func (c *core) ofGroup(options map[string]any) map[string]any {
	if c.platform == "tpu" || c.platform == "host" {
		return options
	}
	all := map[string]any{"node_id": int64(c.group.ID()), "num_nodes": int64(c.group.Size())}
	maps.Copy(all, options)
	return all
}

// Process returns the index of this process among those that share the client's devices, from 0, as reported
// by the plugin. [Client.Devices] are only those of this process, [Client.AllDevices] of all.
func (c *Client) Process() int { return c.client.Process() }

// groupErr returns why the processes that share the devices cannot continue, or nil.
func (c *core) groupErr() error {
	if c.group == nil {
		return nil
	}
	return c.group.Err()
}

// noticeTime is how long after a plugin's error a process that was lost may not be known yet.
const noticeTime = time.Second

// lostCause returns that a process is lost where a plugin's error may come of it: the plugin may
// notice before the group does.
func (c *core) lostCause(e *pjrt.Error) error {
	if c.group == nil {
		return nil
	}
	switch e.Code {
	case abi.Unavailable, abi.Internal, abi.Unknown, abi.Aborted, abi.Cancelled, abi.DeadlineExceeded:
	default:
		return nil
	}
	select {
	case <-c.group.Lost():
		return c.group.Err()
	case <-time.After(noticeTime):
		return nil
	}
}

// untilLost returns a context that also ends, with that error, when a process is lost: otherwise waiting for
// results that need all processes would never end.
func (c *core) untilLost(ctx context.Context) (context.Context, func()) {
	if c.group == nil {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-c.group.Lost():
			cancel(c.group.Err())
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}
