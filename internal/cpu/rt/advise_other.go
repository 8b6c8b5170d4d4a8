//go:build !linux

package rt

// adviseHuge does nothing: other systems choose the size of pages themselves.
func adviseHuge([]byte) {}
