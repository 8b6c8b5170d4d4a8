//go:build amd64 && !linux

package rt

// allowTiles returns false: only Linux is supported.
func allowTiles() bool { return false }
