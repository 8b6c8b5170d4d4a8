package serve

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// results are what a request gets: one result of Do, several of a stream. They wait for a slow reader, so that others
// of its batch need not.
type results[Y any] struct {
	mutex sync.Mutex
	first [1]Y
	list  []Y
	err   error
	done  bool
	any   bool // a result was added
	left  bool // the reader has left
	// changed has an element if something was added since it was last received from.
	changed chan struct{}
	// unread counts the results of many that are done, and whose readers have not run since; counted tells whether
	// this one is among them.
	unread  *atomic.Int64
	counted bool
}

func (r *results[Y]) init(unread *atomic.Int64) {
	r.list, r.changed, r.unread = r.first[:0], make(chan struct{}, 1), unread
}

// maxBehind is how many results of a stream may wait for its reader.
const maxBehind = 1024

var errBehind = fmt.Errorf("serve: the reader of a stream is %d results behind", maxBehind)

// add adds a result of a stream, and reports whether there is a reader for more.
func (r *results[Y]) add(y Y) bool {
	r.mutex.Lock()
	switch {
	case r.done || r.left:
	case len(r.list) >= maxBehind:
		r.close(errBehind)
	default:
		r.list, r.any = append(r.list, y), true
	}
	reads := !r.done && !r.left
	r.mutex.Unlock()
	r.wake()
	return reads
}

// finish adds the only result.
func (r *results[Y]) finish(y Y) {
	r.mutex.Lock()
	r.list, r.any = append(r.list, y), true
	r.close(nil)
	r.mutex.Unlock()
	r.wake()
}

// close is the end with the mutex locked.
func (r *results[Y]) close(err error) {
	if r.done {
		return
	}
	r.done, r.err = true, err
	if !r.left {
		r.counted = true
		r.unread.Add(1)
	}
}

// seen counts that the reader runs, with the mutex locked.
func (r *results[Y]) seen() {
	if r.counted {
		r.counted = false
		r.unread.Add(-1)
	}
}

// leave says that the reader has left, and reports whether there are no more results to come.
func (r *results[Y]) leave() (done bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.left = true
	r.seen()
	return r.done
}

// end says that there are no more results, by an error or nil.
func (r *results[Y]) end(err error) {
	r.mutex.Lock()
	r.close(err)
	r.mutex.Unlock()
	r.wake()
}

// started reports whether there was a result.
func (r *results[Y]) started() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.any
}

// over reports whether there are no more results to come.
func (r *results[Y]) over() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.done
}

func (r *results[Y]) wake() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

// next returns the next result; ok is false at the end, of which err is the error.
func (r *results[Y]) next(ctx context.Context) (y Y, ok bool, err error) {
	for {
		r.mutex.Lock()
		r.seen()
		switch {
		case len(r.list) > 0:
			y = r.list[0]
			var none Y
			r.list[0] = none
			r.list = r.list[1:]
			r.mutex.Unlock()
			return y, true, nil
		case r.done:
			err = r.err
			r.mutex.Unlock()
			return y, false, err
		}
		r.mutex.Unlock()
		select {
		case <-r.changed:
		case <-ctx.Done():
			return y, false, context.Cause(ctx)
		}
	}
}
