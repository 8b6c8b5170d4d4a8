//go:build !unix

package diskcache

import "io/fs"

// Folders below a user's profile are closed to others by their access lists,
// which the modes of Go do not show.
func ownedByUser(fs.FileInfo) bool { return true }

func isAccessibleByOthers(fs.FileInfo) bool { return false }
