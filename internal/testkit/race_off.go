//go:build !race

package testkit

// Race reports whether the race detector is on, under which a sync.Pool drops a part of
// what it is given, so that allocations cannot be counted.
const Race = false
