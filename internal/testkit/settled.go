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
		collect()
		if m := read(); m != n {
			n, same = m, 0
		} else if same++; same == 5 {
			break
		}
	}
	return n
}

// collect frees unreachable memory: it waits until a cleanup that is queued with all others has run, which takes long
// on a loaded machine.
func collect() {
	done := make(chan struct{})
	runtime.AddCleanup(new([64]byte), func(done chan struct{}) { close(done) }, done)
	for range 10 {
		runtime.GC()
		select {
		case <-done:
			time.Sleep(time.Millisecond) // others may still run
			return
		case <-time.After(time.Second):
		}
	}
}
