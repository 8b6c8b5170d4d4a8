package serve

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
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
func (b *Batcher[X, Y]) alone(r *request[X, Y], lane int) (y Y, err error) {
	defer b.release(lane)
	got := false
	err = b.compute(r.ctx, lane, &r.batch, func(outs []Y) bool {
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
		b.gather()
		batch := b.next(lane)
		if batch == nil {
			return
		}
		b.run(lane, batch)
	}
}

// gather lets the callers of the last batch run, whose next requests belong to the next one: otherwise it would be of
// those only that came while the last was computed, and two halves of the callers would take turns for ever.
func (b *Batcher[X, Y]) gather() {
	runtime.Gosched()
	if b.unread.Load() == 0 {
		return
	}
	b.mutex.Lock()
	most, full := min(b.batch/16, time.Millisecond), b.rows >= b.o.size
	b.mutex.Unlock()
	for start := time.Now(); !full && b.unread.Load() > 0 && time.Since(start) < most; {
		runtime.Gosched()
	}
	runtime.Gosched()
}

// next takes the next batch; if there is none, it gives the lane back.
func (b *Batcher[X, Y]) next(lane int) *batch[X, Y] {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for b.rows > 0 {
		q := b.order[0]
		if wait := b.o.delay - time.Since(q.list[0].since); wait > 0 && q.rows < b.o.size && !b.closed {
			b.await(wait)
			continue
		}
		list, ended := q.take(q.limit(&b.o))
		for _, r := range ended {
			b.rows, b.bytes = b.rows-r.rows, b.bytes-r.bytes
			b.stats.Dropped++
			r.out.end(context.Cause(r.ctx))
		}
		rows := 0
		for _, r := range list {
			b.rows, b.bytes, rows = b.rows-r.rows, b.bytes-r.bytes, rows+r.rows
		}
		b.order = slices.Delete(b.order, 0, 1)
		if len(q.list) > 0 { // the other queues first
			b.order = append(b.order, q)
		}
		if len(list) > 0 {
			c := &batch[X, Y]{q: q, list: list, rows: rows, pad: b.o.padded(rows)}
			b.count(c, time.Now())
			return c
		}
	}
	b.lanes, b.busy = append(b.lanes, lane), b.busy-1
	b.finished()
	return nil
}

// await waits until requests come or leave or the batcher is closed, at most d.
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
func (b *Batcher[X, Y]) run(lane int, c *batch[X, Y]) {
	err := b.together(lane, c)
	if err == nil {
		return
	}
	if len(c.list) == 1 || c.list[0].out.started() {
		for _, r := range c.list {
			r.out.end(err)
		}
		return
	}
	warned := false
	for _, r := range c.list {
		if r.ctx.Err() != nil {
			r.out.end(context.Cause(r.ctx))
			continue
		}
		if !warned {
			warned = true
			b.retried(len(c.list), err)
		}
		one := &batch[X, Y]{q: c.q, list: []*request[X, Y]{r}, rows: r.rows, pad: b.o.padded(r.rows), taken: c.taken}
		if err := b.together(lane, one); err != nil {
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
func (b *Batcher[X, Y]) together(lane int, c *batch[X, Y]) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	defer watch(c.list, stop)()
	err := b.compute(ctx, lane, c, func(outs []Y) bool {
		read := false
		for i, r := range c.list {
			if b.once {
				r.out.finish(outs[i])
			} else if r.out.add(outs[i]) {
				read = true
			}
		}
		return read && ctx.Err() == nil
	})
	if err != nil {
		return err
	}
	if !b.once {
		for _, r := range c.list {
			r.out.end(nil)
		}
	}
	return nil
}

// watch calls stop when the callers of all requests have left, until done is called. It watches one of them at a time,
// as most batches end before any caller leaves.
func watch[X, Y any](list []*request[X, Y], stop func()) (done func()) {
	for _, r := range list {
		if r.ctx.Done() == nil {
			return func() {} // this one stays
		}
	}
	var mutex sync.Mutex
	var forget func() bool
	ended := false
	var next func()
	next = func() {
		mutex.Lock()
		defer mutex.Unlock()
		if ended {
			return
		}
		for i, r := range list {
			if r.ctx.Err() == nil {
				list = list[i:]
				forget = context.AfterFunc(r.ctx, next)
				return
			}
		}
		stop()
	}
	next()
	return func() {
		mutex.Lock()
		defer mutex.Unlock()
		if ended = true; forget != nil {
			forget()
		}
	}
}

// compute calls the function for the rows of requests, and yield with their results.
func (b *Batcher[X, Y]) compute(ctx context.Context, lane int, c *batch[X, Y], yield func([]Y) bool) error {
	for _, r := range c.list {
		r.ran = c
	}
	x, whole := c.list[0].x, len(c.list) == 1 && c.pad == c.rows
	var counts []int
	if !whole {
		parts := make([]X, len(c.list))
		counts = make([]int, len(c.list))
		for i, r := range c.list {
			parts[i], counts[i] = r.x, r.rows
		}
		var err error
		if x, err = caught(func() X { return core.JoinRows("serve.Do", parts, c.pad) }); err != nil {
			return err
		}
	}
	var wrong error
	err := b.call(ctx, lane, c, x, func(y Y) bool {
		if b.o.whole {
			return yield([]Y{y})
		}
		got, err := rowsOf(y)
		switch {
		case err != nil:
			wrong = fmt.Errorf("serve: the result of the function: %w", err)
			return false
		case got != c.pad:
			wrong = fmt.Errorf("serve: the function returned %d rows for %d", got, c.pad)
			return false
		case whole:
			return yield([]Y{y})
		}
		return yield(core.CutRows("serve.Do", y, counts))
	})
	return cmp.Or(wrong, err)
}

func rowsOf[Y any](y Y) (rows int, err error) {
	defer nx.Catch(&err)
	rows, _, _ = core.ScanRows("the result", y, nil)
	return rows, nil
}

// caught calls f, and returns misuse of an op as an error.
func caught[T any](f func() T) (t T, err error) {
	defer nx.Catch(&err)
	return f(), nil
}

// call runs the function on a lane.
func (b *Batcher[X, Y]) call(ctx context.Context, lane int, c *batch[X, Y], x X, yield func(Y) bool) error {
	if b.o.lanes > 1 {
		ctx = context.WithValue(ctx, laneKey{}, lane)
	}
	c.from = time.Now()
	err := b.guarded(ctx, x, func(y Y) bool {
		c.to = time.Now()
		return yield(y)
	})
	took := time.Since(c.from)
	if b.once && err == nil {
		took = c.to.Sub(c.from) // without the time to cut the result
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.stats.Compute.add(took.Seconds())
	if err != nil {
		b.stats.Failed++
		return err
	}
	i, _ := slices.BinarySearch(b.o.pad, c.pad)
	if c.q.took[i] == 0 { // it may have been compiled meanwhile
		c.q.took[i] = -1
		return nil
	}
	for _, average := range []*time.Duration{&b.batch, &c.q.took[i]} {
		if *average <= 0 {
			*average = took
		} else {
			*average += (took - *average) / 8
		}
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
