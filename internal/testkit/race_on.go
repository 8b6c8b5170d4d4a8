//go:build race

package testkit

// Race reports whether the race detector is on, under which a sync.Pool drops some of its objects, so that
// allocations cannot be counted.
const Race = true
