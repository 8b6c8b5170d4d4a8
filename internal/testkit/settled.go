package testkit

import (
	"runtime"
	"time"
)

// Settled returns the value of a counter of live memory after the tensors of earlier tests are collected and
// freed.
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
