//go:build windows && (amd64 || arm64)

package ffi

import "golang.org/x/sys/windows"

// Library is a library that was opened. None is closed: plugins leave threads behind.
type Library struct{ handle windows.Handle }

// Open opens a library; its dependencies are also searched in its folder.
func Open(path string) (Library, error) {
	const flags = windows.LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | windows.LOAD_LIBRARY_SEARCH_DEFAULT_DIRS
	handle, err := windows.LoadLibraryEx(path, 0, flags)
	return Library{handle}, err
}

// Symbol returns the address of a symbol.
func (l Library) Symbol(name string) (uintptr, error) { return windows.GetProcAddress(l.handle, name) }
