package serve

import (
	"context"
	"sync"
)

// results are what a request gets: one result of Do, several of a stream. They wait for a slow reader, so that others
// of its batch need not.
type results[Y any] struct {
	mutex sync.Mutex
	list  []Y
	err   error
	done  bool
	any   bool // a result was added
	// changed has an element if something was added since it was last received from.
	changed chan struct{}
}

func newResults[Y any]() *results[Y] { return &results[Y]{changed: make(chan struct{}, 1)} }

func (r *results[Y]) add(y Y) {
	r.mutex.Lock()
	r.list, r.any = append(r.list, y), true
	r.mutex.Unlock()
	r.wake()
}

// end says that there are no more results, by an error or nil.
func (r *results[Y]) end(err error) {
	r.mutex.Lock()
	r.done, r.err = true, err
	r.mutex.Unlock()
	r.wake()
}

// started reports whether there was a result.
func (r *results[Y]) started() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.any
}

// ended reports whether there are no more results to come.
func (r *results[Y]) ended() bool {
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
