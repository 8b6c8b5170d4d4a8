// Package lazy has values that are computed when they are first used.
package lazy

import (
	"sync"
	"sync/atomic"
)

// Value is computed by the first call of Get. Unlike a variable of sync.OnceValue, one runs no code when the
// program starts, and the linker leaves out what only the function of Get refers to, if the program does not reach
// that call.
type Value[T any] struct {
	computed atomic.Pointer[T]
	mu       sync.Mutex
}

// Get returns the value. The function must be the same in all calls and must not call Get.
func (v *Value[T]) Get(compute func() T) T {
	if p := v.computed.Load(); p != nil {
		return *p
	}
	return v.first(compute)
}

func (v *Value[T]) first(compute func() T) T {
	v.mu.Lock()
	defer v.mu.Unlock()
	if p := v.computed.Load(); p != nil {
		return *p
	}
	x := compute()
	v.computed.Store(&x)
	return x
}
