//go:build !amd64

package rt

// LastLevelCache returns 0: the size is not known here.
func LastLevelCache() int64 { return 0 }
