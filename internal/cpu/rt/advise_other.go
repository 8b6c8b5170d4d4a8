//go:build !linux

package rt

// adviseHuge does nothing: other systems choose page sizes themselves.
func adviseHuge([]byte) {}
