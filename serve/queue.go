package serve

import (
	"context"
	"slices"
	"time"
)

// request is a call of Do, or a part of it.
type request[X, Y any] struct {
	ctx    context.Context
	cancel context.CancelFunc // of a stream
	x      X
	rows   int
	bytes  int64
	shapes []byte // identify the types of rows; usually they are in place
	place  [48]byte
	key    any // of the option Key
	since  time.Time
	out    results[Y]
	ran    *batch[X, Y] // the last batch that it was in, set before a result is there

	// The batch of a request that runs on the goroutine of its caller, and its memory.
	batch batch[X, Y]
	alone [1]*request[X, Y]
}

// queueKey identifies a queue.
type queueKey struct {
	shapes string
	key    any
}

// queue has requests whose rows have the same shapes, in the order in which they came.
type queue[X, Y any] struct {
	key  queueKey
	list []*request[X, Y]
	rows int
	turn int
	took []time.Duration // moving averages of how long batches take, by the sizes of Pad; not positive is not known
}

// batch is what a lane computes together.
type batch[X, Y any] struct {
	q         *queue[X, Y]
	list      []*request[X, Y]
	rows, pad int // pad is the number of rows with those of zeros

	taken, from, to time.Time // from and to are those of the call of the function
}

// limit returns how many rows the next batch should have of those that wait: all that fit, or as many as fill a smaller
// compiled size if the device computes more rows a second so, as with many rows of zeros it does.
func (q *queue[X, Y]) limit(o *options) int {
	all := min(q.rows, o.size)
	i, _ := slices.BinarySearch(o.pad, all)
	q.turn++
	if q.took[i] <= 0 || q.turn%32 == 0 { // now and then measure the large one again
		return o.size
	}
	limit, rate := o.size, 1.05*float64(all)/float64(q.took[i])
	for k, rows := range o.pad[:i] {
		if q.took[k] > 0 && float64(rows)/float64(q.took[k]) > rate {
			limit, rate = max(rows, q.list[0].rows), float64(rows)/float64(q.took[k])
		}
	}
	return limit
}

// put adds a request.
func (q *queue[X, Y]) put(r *request[X, Y]) {
	q.list = append(q.list, r)
	q.rows += r.rows
}

// take removes requests of at most size rows from the front, and those whose context has ended, to which it returns
// that. There is at least one if any is left.
func (q *queue[X, Y]) take(size int) (batch, ended []*request[X, Y]) {
	rows, i := 0, 0
	for ; i < len(q.list); i++ {
		r := q.list[i]
		if r.ctx.Err() != nil {
			ended = append(ended, r)
			q.rows -= r.rows
			continue
		}
		if rows+r.rows > size {
			break
		}
		rows += r.rows
		q.rows -= r.rows
		batch = append(batch, r)
	}
	clear(q.list[:i])
	if q.list = q.list[i:]; len(q.list) == 0 {
		q.list = nil
	}
	return batch, ended
}

// drop removes a request that was not taken, and reports whether it was there.
func (q *queue[X, Y]) drop(r *request[X, Y]) bool {
	for i, other := range q.list {
		if other == r {
			q.list = append(q.list[:i:i], q.list[i+1:]...)
			q.rows -= r.rows
			return true
		}
	}
	return false
}
