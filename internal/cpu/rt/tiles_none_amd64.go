//go:build amd64 && !linux

package rt

// allowTiles reports that tile registers may not be used: how to ask is known for Linux alone.
func allowTiles() bool { return false }
