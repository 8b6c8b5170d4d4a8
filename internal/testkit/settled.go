package testkit

import (
	"runtime"
	"time"
)

// Settled returns what a counter of live memory says when the tensors of earlier tests are collected, whose
// memory is given back a while after they are.
func Settled(read func() int64) int64 {
	n, same := read(), 0
	for range 400 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		if m := read(); m != n {
			n, same = m, 0
		} else if same++; same == 5 {
			break
		}
	}
	return n
}
