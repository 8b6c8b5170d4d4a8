package testkit

import (
	"context"
	"sync/atomic"
)

// Countdown is a context that ends after a number of checks: the same point of a computation on every machine.
type Countdown struct {
	context.Context
	left atomic.Int64
}

// NewCountdown returns a context that ends when Err has been called n times.
func NewCountdown(n int64) *Countdown {
	c := &Countdown{Context: context.Background()}
	c.left.Store(n)
	return c
}

// Err counts down.
func (c *Countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Left returns how many times Err may still be called, below 0 when the context ended.
func (c *Countdown) Left() int64 { return c.left.Load() }
