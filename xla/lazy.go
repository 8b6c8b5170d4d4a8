package xla

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
)

// TransferLevel reports which tensors of other clients programs take.
type TransferLevel int

// The levels.
const (
	// OptIn takes them where the client is configured with AutomaticTransfers.
	OptIn TransferLevel = iota
	// Always takes them whatever the client's configuration says.
	Always
	// Never refuses them whatever the client's configuration says.
	Never
)

// LazyTransfers reports whether programs take tensors of other clients, such as package cpu, and transfer them
// to the device on demand: an argument is copied when the program first uses it, and its copy is freed after
// the last use. Unused arguments are never copied; neither are those that only Go functions use, and an
// argument used after such a function is copied when that has returned. Results stay on the device. The
// default is OptIn.
func LazyTransfers(level TransferLevel) Option {
	return option(func(_ *core, o *options) error {
		if level < OptIn || level > Never {
			return fmt.Errorf("xla: the level of lazy transfers must be OptIn, Always or Never, got %d", level)
		}
		o.lazy = level
		return nil
	})
}

// transfersAutomatically reports whether programs take tensors of other clients.
func (c *Client) transfersAutomatically() bool {
	return c.lazy == Always || c.lazy == OptIn && c.automaticTransfers
}

// MovesFrom reports whether programs may be called with tensors on a device: those of the client, and others
// according to [LazyTransfers].
func (c *Client) MovesFrom(d backend.Device) bool {
	_, err := c.own(d)
	return err != nil && c.transfersAutomatically()
}

// hasUnused reports whether a function does not use all of its arguments.
func hasUnused(f stablehlo.Func) bool {
	used := map[*stablehlo.Value]bool{}
	for op := range f.Walk() {
		for _, v := range op.Operands {
			used[v] = true
		}
	}
	return slices.ContainsFunc(f.Args(), func(v *stablehlo.Value) bool { return !used[v] })
}

// deviceOf returns the device that a program with these arguments runs on: that of the first which is
// of the client, or the default one. Others is whether one is not of the client.
func (c *Client) deviceOf(args []backend.Buffer) (on *device, others bool) {
	on, _ = c.own(nil)
	for _, a := range slices.Backward(args) {
		d, ok := a.Device().(*device)
		own := ok && d.core == c.core
		others = others || !own
		if own && !c.pinned {
			on = d
		}
	}
	return on, others
}

// transferred returns arguments with copies of those that are of other clients, if they may be copied.
func (c *Client) transferred(ctx context.Context, args []backend.Buffer) (all, copies []backend.Buffer, err error) {
	if !c.transfersAutomatically() {
		return args, nil, nil
	}
	on, others := c.deviceOf(args)
	if !others {
		return args, nil, nil
	}
	all = slices.Clone(args)
	for i, a := range args {
		if c.owns(a) {
			continue
		}
		if all[i], err = copyOf(ctx, a, c, on); err != nil {
			return nil, copies, err
		}
		copies = append(copies, all[i])
	}
	return all, copies, nil
}

// owns reports whether a buffer is on a device of the client.
func (c *Client) owns(b backend.Buffer) bool {
	d, ok := b.Device().(*device)
	return ok && d.core == c.core
}
