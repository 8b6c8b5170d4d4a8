//go:build !amd64

package callsite

const haveLinked = false

func linked() uintptr { return 0 }
