package serve

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/core"
)

type laneKey struct{}

// Lane returns the number of the lane that a function is called on, from 0: it may choose a device by that. ctx is the
// function's.
func Lane(ctx context.Context) int {
	n, _ := ctx.Value(laneKey{}).(int)
	return n
}

// alone runs a request by itself, on the goroutine of its caller.
func (b *Batcher[X, Y]) alone(ctx context.Context, r *request[X, Y], lane int) (y Y, err error) {
	defer b.release(lane)
	got := false
	err = b.compute(ctx, lane, []*request[X, Y]{r}, func(outs []Y) bool {
		y, got = outs[0], true
		return false
	})
	if err == nil && !got {
		err = errNoResult
	}
	return y, err
}

// release gives a lane back, or goes on with what waits.
func (b *Batcher[X, Y]) release(lane int) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.rows > 0 {
		go b.work(lane)
		return
	}
	b.lanes, b.busy = append(b.lanes, lane), b.busy-1
	b.finished()
}

// work runs batches on a lane while there are any.
func (b *Batcher[X, Y]) work(lane int) {
	for {
		batch := b.next(lane)
		if batch == nil {
			return
		}
		b.run(lane, batch)
	}
}

// next takes the next batch; if there is none, it gives the lane back.
func (b *Batcher[X, Y]) next(lane int) []*request[X, Y] {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for b.rows > 0 {
		q := b.order[0]
		if wait := b.o.delay - time.Since(q.list[0].since); wait > 0 && q.rows < b.o.size && !b.closed {
			b.await(wait)
			continue
		}
		batch, ended := q.take(b.o.size)
		for _, r := range ended {
			b.rows, b.bytes = b.rows-r.rows, b.bytes-r.bytes
			b.stats.Dropped++
			r.out.end(context.Cause(r.ctx))
		}
		for _, r := range batch {
			b.rows, b.bytes = b.rows-r.rows, b.bytes-r.bytes
		}
		b.forget(0)
		if len(q.list) > 0 { // the other queues first
			b.queues[q.key] = q
			b.order = append(b.order, q)
		}
		if len(batch) > 0 {
			b.count(q.key, batch, time.Now())
			return batch
		}
	}
	b.lanes, b.busy = append(b.lanes, lane), b.busy-1
	b.finished()
	return nil
}

// await waits for another request, at most d.
func (b *Batcher[X, Y]) await(d time.Duration) {
	if b.arrived == nil {
		b.arrived = make(chan struct{})
	}
	arrived := b.arrived
	b.mutex.Unlock()
	defer b.mutex.Lock()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-arrived:
	case <-t.C:
	}
}

// run computes a batch, and again each request by itself if that fails.
func (b *Batcher[X, Y]) run(lane int, batch []*request[X, Y]) {
	err := b.together(lane, batch)
	if err == nil {
		return
	}
	if len(batch) == 1 || batch[0].out.started() {
		for _, r := range batch {
			r.out.end(err)
		}
		return
	}
	warned := false
	for _, r := range batch {
		if r.ctx.Err() != nil {
			r.out.end(context.Cause(r.ctx))
			continue
		}
		if !warned {
			warned = true
			b.retried(len(batch), err)
		}
		if err := b.together(lane, []*request[X, Y]{r}); err != nil {
			r.out.end(err)
		}
	}
}

// retried counts and reports a batch that is computed again request by request.
func (b *Batcher[X, Y]) retried(requests int, err error) {
	b.mutex.Lock()
	b.stats.Retried++
	b.mutex.Unlock()
	b.o.logger.Warn("serve: a batch failed, and is computed again request by request", "requests", requests, "error",
		err)
}

// together computes a batch; without an error each request has got its results.
func (b *Batcher[X, Y]) together(lane int, batch []*request[X, Y]) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var left atomic.Int64
	left.Store(int64(len(batch)))
	for _, r := range batch { // the batch stops when every caller has left
		defer context.AfterFunc(r.ctx, func() {
			if left.Add(-1) == 0 {
				stop()
			}
		})()
	}
	err := b.compute(ctx, lane, batch, func(outs []Y) bool {
		for i, r := range batch {
			r.out.add(outs[i])
		}
		return ctx.Err() == nil
	})
	if err != nil {
		return err
	}
	for _, r := range batch {
		r.out.end(nil)
	}
	return nil
}

// compute calls the function for the rows of requests, and yield with their results.
func (b *Batcher[X, Y]) compute(ctx context.Context, lane int, batch []*request[X, Y], yield func([]Y) bool) error {
	parts, counts, rows := make([]X, len(batch)), make([]int, len(batch)), 0
	for i, r := range batch {
		parts[i], counts[i] = r.x, r.rows
		rows += r.rows
	}
	n := b.o.padded(rows)
	x, whole := parts[0], len(batch) == 1 && n == rows
	if !whole {
		var err error
		if x, err = caught(func() X { return core.JoinRows("serve.Do", parts, n) }); err != nil {
			return err
		}
	}
	var wrong error
	err := b.call(ctx, lane, x, func(y Y) bool {
		if b.o.whole {
			return yield([]Y{y})
		}
		got, err := caught(func() int { got, _ := core.CountRows("the result", y); return got })
		switch {
		case err != nil:
			wrong = fmt.Errorf("serve: the result of the function: %w", err)
			return false
		case got != n:
			wrong = fmt.Errorf("serve: the function returned %d rows for %d", got, n)
			return false
		case whole:
			return yield([]Y{y})
		}
		return yield(core.CutRows("serve.Do", y, counts))
	})
	return cmp.Or(wrong, err)
}

// caught calls f, and returns misuse of an op as an error.
func caught[T any](f func() T) (t T, err error) {
	defer nx.Catch(&err)
	return f(), nil
}

// call runs the function on a lane.
func (b *Batcher[X, Y]) call(ctx context.Context, lane int, x X, yield func(Y) bool) error {
	if b.o.lanes > 1 {
		ctx = context.WithValue(ctx, laneKey{}, lane)
	}
	start := time.Now()
	err := b.guarded(ctx, x, yield)
	took := time.Since(start)
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.stats.Compute.add(took.Seconds())
	switch {
	case err != nil:
		b.stats.Failed++
	case b.batch == 0:
		b.batch = took
	default:
		b.batch += (took - b.batch) / 8
	}
	return err
}

// guarded runs the function; its panics are errors.
func (b *Batcher[X, Y]) guarded(ctx context.Context, x X, yield func(Y) bool) (err error) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if e, ok := r.(error); ok {
			err = fmt.Errorf("serve: the function panicked: %w", e)
		} else {
			err = fmt.Errorf("serve: the function panicked: %v", r)
		}
		b.o.logger.Error("serve: the function panicked", "error", err, "stack", string(debug.Stack()))
	}()
	return b.f(ctx, x, yield)
}
