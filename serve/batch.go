package serve

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/telemetry"
	"github.com/go-nx/nx/tree"
)

// Batcher computes the rows of many callers together. It is safe for concurrent use, and has goroutines only while
// batches are computed.
type Batcher[X, Y any] struct {
	f    func(ctx context.Context, x X, yield func(Y) bool) error
	once bool // f has one result
	o    options

	unread atomic.Int64 // requests that were answered, and whose callers have not run since

	mutex   sync.Mutex
	queues  map[queueKey]*queue[X, Y]
	order   []*queue[X, Y] // those that are not empty, the next one first
	rows    int            // that wait
	bytes   int64          // likewise
	lanes   []int          // that are free
	busy    int            // lanes
	crowded bool           // the last batch had several requests
	arrived chan struct{}  // closed when a request comes or leaves, for a lane that waits for more
	closed  bool
	idle    chan struct{} // closed when all is computed, after Close
	warm    map[compiled]bool
	stats   Stats
	batch   time.Duration // a moving average of how long a batch takes
}

// compiled is a form that the function was called for.
type compiled struct {
	shapes string
	rows   int
}

// Batch returns a batcher of a function of containers, whose tensors have a first axis of rows: a compiled one, as
// [nx.Jit] returns it, which computes each row by itself. X and Y are tensors or containers of tensors; other fields of
// X are equal for the requests of a batch.
//
// The function may have been compiled before or compile itself at its first call for a number of rows; [Batcher.Warm]
// makes it do so.
func Batch[X, Y any](f func(x X) Y, opts ...Option) *Batcher[X, Y] {
	return BatchContext(func(_ context.Context, x X) (y Y, err error) {
		defer nx.Catch(&err)
		return f(x), nil
	}, opts...)
}

// BatchContext is [Batch] of a function that takes a context and returns an error, such as a call of [nx.Model]. The
// context ends when those of all requests of the batch have ended.
func BatchContext[X, Y any](f func(ctx context.Context, x X) (Y, error), opts ...Option) *Batcher[X, Y] {
	return newBatcher(func(ctx context.Context, x X, yield func(Y) bool) error {
		y, err := f(ctx, x)
		if err != nil {
			return err
		}
		yield(y)
		return nil
	}, true, opts)
}

// Stream returns a batcher of a function that returns several results for a batch, one after another: the tokens of
// texts. Each has the rows of the batch. [Batcher.Stream] returns those of a request.
func Stream[X, Y any](f func(ctx context.Context, x X) iter.Seq2[Y, error], opts ...Option) *Batcher[X, Y] {
	return newBatcher(func(ctx context.Context, x X, yield func(Y) bool) error {
		for y, err := range f(ctx, x) {
			if err != nil {
				return err
			}
			if !yield(y) {
				return nil
			}
		}
		return nil
	}, false, opts)
}

func newBatcher[X, Y any](f func(ctx context.Context, x X, yield func(Y) bool) error, once bool,
	opts []Option) *Batcher[X, Y] {
	b := &Batcher[X, Y]{f: f, once: once, o: read(opts), queues: map[queueKey]*queue[X, Y]{}, warm: map[compiled]bool{}}
	if t := b.o.keyed; t != nil && t != reflect.TypeFor[X]() {
		panic(fmt.Errorf("serve: Key takes a function of %v for a batcher of %v", reflect.TypeFor[X](), t))
	}
	for h, bounds := range map[*Histogram][]float64{&b.stats.QueueTime: seconds, &b.stats.Compute: seconds,
		&b.stats.BatchRows: rows, &b.stats.Padding: shares} {
		h.Bounds, h.Counts = bounds, make([]int64, len(bounds)+1)
	}
	for i := range b.o.lanes {
		b.lanes = append(b.lanes, i)
	}
	return b
}

// Do computes the rows of x, with those of other callers. The result has the rows of x.
//
// The error is that of the function, of the context, [ErrOverloaded] or [ErrClosed]; an
// argument without rows is an error, too. A batch that fails is computed again request by request, so that a request
// fails by its own fault.
func (b *Batcher[X, Y]) Do(ctx context.Context, x X) (y Y, err error) {
	defer nx.Catch(&err)
	if ctx == nil {
		ctx = context.Background()
	}
	r, err := b.request(ctx, x)
	if err != nil {
		return y, err
	}
	if r.rows > b.o.size {
		return b.parts(ctx, x, r.rows)
	}
	y, ran, err := b.one(r)
	if telemetry.Enabled() {
		b.report(ctx, r, ran, err)
	}
	return y, err
}

// one computes a request of at most a batch. ran is its batch, if that has ended.
func (b *Batcher[X, Y]) one(r *request[X, Y]) (y Y, ran *batch[X, Y], err error) {
	lane, err := b.enter(r, true)
	if err != nil {
		return y, nil, err
	}
	if lane >= 0 {
		y, err = b.alone(r, lane)
		return y, r.ran, err
	}
	defer b.leave(r)
	y, ok, err := r.out.next(r.ctx)
	if !ok && !r.out.over() { // the caller has left
		return y, nil, err
	}
	if err == nil && !ok {
		err = errNoResult
	}
	return y, r.ran, err
}

var errNoResult = errors.New("serve: the function returned no result")

// parts computes a request that is larger than a batch.
func (b *Batcher[X, Y]) parts(ctx context.Context, x X, rows int) (y Y, err error) {
	var counts []int
	for left := rows; left > 0; left -= b.o.size {
		counts = append(counts, min(left, b.o.size))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	outs, errs := make([]Y, len(counts)), make([]error, len(counts))
	var wait sync.WaitGroup
	for i, part := range core.CutRows("serve.Do", x, counts) {
		wait.Go(func() {
			if outs[i], errs[i] = b.Do(ctx, part); errs[i] != nil {
				cancel()
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return y, err
		}
	}
	if err := errors.Join(errs...); err != nil {
		return y, err
	}
	return core.JoinRows("serve.Do", outs, rows), nil
}

// Stream computes the rows of x with those of other callers, and returns each result when it is there. Other callers do
// not wait for a slow reader, whose stream ends with an error when it is 1,024 results behind; a batch ends early when
// all have stopped reading. x has at most [Size] rows.
func (b *Batcher[X, Y]) Stream(ctx context.Context, x X) iter.Seq2[Y, error] {
	return func(yield func(Y, error) bool) {
		r, err := b.request(ctx, x)
		if err == nil && r.rows > b.o.size {
			err = fmt.Errorf("serve: a stream has at most %d rows, got %d", b.o.size, r.rows)
		}
		if err == nil {
			r.ctx, r.cancel = context.WithCancel(ctx) // when the reader leaves
			_, err = b.enter(r, false)
		}
		if err != nil {
			if r != nil && r.cancel != nil {
				r.cancel()
			}
			var none Y
			yield(none, err)
			return
		}
		defer b.leave(r)
		for {
			y, ok, err := r.out.next(r.ctx)
			if !ok && telemetry.Enabled() && r.out.over() {
				b.report(ctx, r, r.ran, err)
			}
			if !ok && err == nil || !yield(y, err) || err != nil {
				return
			}
		}
	}
}

// request describes the rows of an argument.
func (b *Batcher[X, Y]) request(ctx context.Context, x X) (r *request[X, Y], err error) {
	defer nx.Catch(&err)
	r = &request[X, Y]{ctx: ctx, x: x, rows: 1, since: time.Now()}
	if b.o.whole {
		for _, t := range tree.Leaves(x) {
			r.bytes += int64(t.Size() * t.DType().Size())
		}
	} else {
		var bytes int
		r.rows, bytes, r.shapes = core.ScanRows("serve.Do", x, r.place[:0])
		r.bytes = int64(bytes)
	}
	if r.rows == 0 {
		return nil, errors.New("serve: the argument has no rows")
	}
	if b.o.key != nil {
		r.key = b.o.key(x)
	}
	return r, nil
}

// maxQueues is how many empty queues are kept with the times of their batches.
const maxQueues = 256

// enter takes a request: in the queue, where lane is -1, or on a free lane by itself if it may.
func (b *Batcher[X, Y]) enter(r *request[X, Y], alone bool) (lane int, err error) {
	if r.ctx.Err() != nil {
		return -1, context.Cause(r.ctx)
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	q := b.queues[queueKey{string(r.shapes), r.key}]
	if q == nil {
		if len(b.queues) >= maxQueues {
			maps.DeleteFunc(b.queues, func(_ queueKey, q *queue[X, Y]) bool { return len(q.list) == 0 })
		}
		q = &queue[X, Y]{key: queueKey{string(r.shapes), r.key}, took: make([]time.Duration, len(b.o.pad))}
		b.queues[q.key] = q
	}
	switch {
	case b.closed:
		b.stats.Refused++
		return -1, ErrClosed
	case alone && len(b.lanes) > 0 && b.rows == 0 && !b.crowded && (b.o.delay == 0 || r.rows == b.o.size):
		r.alone[0] = r
		r.batch = batch[X, Y]{q: q, list: r.alone[:], rows: r.rows, pad: b.o.padded(r.rows)}
		b.count(&r.batch, r.since)
		return b.claim(), nil
	case b.rows+r.rows > b.o.rows || b.rows > 0 && b.bytes+r.bytes > b.o.bytes:
		b.stats.Refused++
		return -1, fmt.Errorf("%w: %d rows wait, of at most %d", ErrOverloaded, b.rows, b.o.rows)
	}
	if end, ok := r.ctx.Deadline(); ok && b.batch > 0 {
		ahead := time.Duration(1 + b.rows/(b.o.size*b.o.lanes))
		if time.Until(end) < ahead*b.batch {
			b.stats.Refused++
			return -1, fmt.Errorf("%w: a batch takes %v, %d are before this one, and its deadline is in %v",
				ErrOverloaded, b.batch, ahead-1, time.Until(end))
		}
	}
	r.out.init(&b.unread)
	if len(q.list) == 0 {
		b.order = append(b.order, q)
	}
	q.put(r)
	b.rows, b.bytes = b.rows+r.rows, b.bytes+r.bytes
	b.wake()
	if len(b.lanes) > 0 {
		go b.work(b.claim())
	}
	return -1, nil
}

// wake tells a lane that waits for more requests that something has changed.
func (b *Batcher[X, Y]) wake() {
	if b.arrived != nil {
		close(b.arrived)
		b.arrived = nil
	}
}

// claim takes a free lane.
func (b *Batcher[X, Y]) claim() (lane int) {
	n := len(b.lanes) - 1
	lane, b.lanes = b.lanes[n], b.lanes[:n]
	b.busy++
	return lane
}

// leave ends a request, which is dropped if it still waits.
func (b *Batcher[X, Y]) leave(r *request[X, Y]) {
	if r.cancel != nil {
		r.cancel()
	}
	if r.out.leave() {
		return
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for i, q := range b.order {
		if !q.drop(r) {
			continue
		}
		b.rows, b.bytes = b.rows-r.rows, b.bytes-r.bytes
		b.stats.Dropped++
		if len(q.list) == 0 {
			b.order = slices.Delete(b.order, i, i+1)
		}
		b.wake()
		b.finished()
		return
	}
}

// Close refuses requests from now on, and waits until those that were taken are answered, or until ctx ends: the
// error is its cause then.
func (b *Batcher[X, Y]) Close(ctx context.Context) error {
	b.mutex.Lock()
	if !b.closed {
		b.closed, b.idle = true, make(chan struct{})
		b.wake()
		b.finished()
	}
	idle := b.idle
	b.mutex.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// finished tells Close when nothing is left.
func (b *Batcher[X, Y]) finished() {
	if b.closed && b.busy == 0 && b.rows == 0 {
		select {
		case <-b.idle:
		default:
			close(b.idle)
		}
	}
}

// Warm calls the function for rows like those of x, for each of the sizes of [Pad], so that it compiles what requests
// need. Later requests of other shapes are answered, counted in [Stats] and reported to [Logger].
func (b *Batcher[X, Y]) Warm(ctx context.Context, x X) (err error) {
	defer nx.Catch(&err)
	if b.o.whole {
		return b.guarded(ctx, x, func(Y) bool { return true })
	}
	_, _, key := core.ScanRows("serve.Warm", x, []byte{})
	row := core.CutRows("serve.Warm", x, []int{1})[0]
	for _, n := range b.o.pad {
		filled := core.JoinRows("serve.Warm", []X{row}, n)
		if err := b.guarded(ctx, filled, func(Y) bool { return true }); err != nil {
			return fmt.Errorf("serve: warming up for %d rows: %w", n, err)
		}
		b.mutex.Lock()
		b.warm[compiled{string(key), n}] = true
		b.stats.Warm = len(b.warm)
		b.mutex.Unlock()
	}
	return nil
}
