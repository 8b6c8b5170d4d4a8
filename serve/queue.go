package serve

import (
	"context"
	"time"
)

// request is a call of Do, or a part of it.
type request[X, Y any] struct {
	ctx    context.Context
	cancel context.CancelFunc
	x      X
	rows   int
	bytes  int64
	since  time.Time
	out    *results[Y]
}

// queue has requests whose rows have the same shapes, in the order in which they came.
type queue[X, Y any] struct {
	key  string
	list []*request[X, Y]
	rows int
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
