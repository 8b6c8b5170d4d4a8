package nx

import "sync"

// inOrder runs functions one after another on a goroutine of its own, which lives as long
// as there are any: nobody has to end it.
type inOrder struct {
	mu      sync.Mutex
	queue   []func()
	running bool
}

// add runs f after all that were added before.
func (q *inOrder) add(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, f)
	if !q.running {
		q.running = true
		go q.run()
	}
}

func (q *inOrder) run() {
	for {
		q.mu.Lock()
		if len(q.queue) == 0 {
			q.queue, q.running = nil, false
			q.mu.Unlock()
			return
		}
		f := q.queue[0]
		q.queue = q.queue[1:]
		q.mu.Unlock()
		f()
	}
}
