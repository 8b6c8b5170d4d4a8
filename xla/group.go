package xla

import (
	"context"
	"maps"
	"time"

	"github.com/go-nx/nx/distributed"
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

// ofGroup adds to the options that a client is created with which process this is. Plugins of TPUs
// know it themselves, and the one for processors has no such options.
func (c *core) ofGroup(options map[string]any) map[string]any {
	if c.platform == "tpu" || c.platform == "host" {
		return options
	}
	all := map[string]any{"node_id": int64(c.group.ID()), "num_nodes": int64(c.group.Size())}
	maps.Copy(all, options)
	return all
}

// Process returns which of the processes that share the client's devices this is, from 0, as the
// plugin knows it. Devices are those of this process alone.
func (c *Client) Process() int { return c.client.Process() }

// lost returns why the processes that share the devices cannot go on, nil where they can.
func (c *core) lost() error {
	if c.group == nil {
		return nil
	}
	return c.group.Err()
}

// untilLost returns a context that also ends, with that error, when a process is lost: what waits
// for results that need all processes would wait for ever.
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
