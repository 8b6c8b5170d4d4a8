package core

import "sync"

// callQueue runs functions one after another on a goroutine of its own, which lives as long
// as there are any, and ends by itself. A function that ends the goroutine ends only itself.
type callQueue struct {
	mu     sync.Mutex
	queue  []func()
	runner string // the goroutine, "" when there is none; "?" when it begins
}

// add runs f after all that were added before.
func (q *callQueue) add(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, f)
	if q.runner == "" {
		q.runner = "?"
		go q.run()
	}
}

// goroutine returns the goroutine that runs the functions.
func (q *callQueue) goroutine() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.runner
}

func (q *callQueue) run() {
	more := true
	defer func() {
		if more {
			go q.run()
		}
	}()
	me := goroutine()
	for {
		q.mu.Lock()
		q.runner = me
		if len(q.queue) == 0 {
			q.queue, q.runner, more = nil, "", false
			q.mu.Unlock()
			return
		}
		f := q.queue[0]
		q.queue = q.queue[1:]
		q.mu.Unlock()
		f()
	}
}
