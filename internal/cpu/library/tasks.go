package library

import "sync"

// tasks are values of a type for calls to use one after another: what a task of workers is
// made of outlives the stack, and a call in a loop shall not allocate.
type tasks[T any] struct{ idle sync.Pool }

// take returns a value with any content.
func (t *tasks[T]) take() *T {
	if v, ok := t.idle.Get().(*T); ok {
		return v
	}
	return new(T)
}

// give takes a value back. It is not to point at memory of the call.
func (t *tasks[T]) give(v *T) { t.idle.Put(v) }
