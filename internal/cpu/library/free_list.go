package library

import "sync"

// freeList are values of a type for calls to use one after another: what a task of workers is
// made of outlives the stack, and a call in a loop shall not allocate.
type freeList[T any] struct{ idle sync.Pool }

// get returns a value with any content.
func (t *freeList[T]) get() *T {
	if v, ok := t.idle.Get().(*T); ok {
		return v
	}
	return new(T)
}

// put takes a value back. It is not to point at memory of the call.
func (t *freeList[T]) put(v *T) { t.idle.Put(v) }
