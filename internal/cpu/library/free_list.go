package library

import "sync"

// freeList is a pool of values of a type. Tasks of workers outlive the stack, and a call in a loop must not allocate.
type freeList[T any] struct{ idle sync.Pool }

// get returns a value with arbitrary contents.
func (t *freeList[T]) get() *T {
	if v, ok := t.idle.Get().(*T); ok {
		return v
	}
	return new(T)
}

// put takes a value back. It must not point at memory of the call.
func (t *freeList[T]) put(v *T) { t.idle.Put(v) }
