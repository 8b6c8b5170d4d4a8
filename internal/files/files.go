// Package files reads files of a file system of package io/fs, whose names have slashes, or those of the operating
// system where the file system is nil.
package files

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// File is an open file.
type File interface {
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

// Open opens a file. One of a file system whose files cannot be read at any place is read to memory.
func Open(fsys fs.FS, name string) (File, error) {
	if fsys == nil {
		return os.Open(name)
	}
	f, err := fsys.Open(slashed(name))
	if err != nil {
		return nil, err
	}
	if r, ok := f.(File); ok {
		return r, nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return inMemory{bytes.NewReader(data), info}, err
}

// inMemory is a file that was read.
type inMemory struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f inMemory) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f inMemory) Close() error               { return nil }

// Stat describes a file or a folder.
func Stat(fsys fs.FS, name string) (fs.FileInfo, error) {
	if fsys == nil {
		return os.Stat(name)
	}
	return fs.Stat(fsys, slashed(name))
}

// ReadFile returns the content of a file.
func ReadFile(fsys fs.FS, name string) ([]byte, error) {
	if fsys == nil {
		return os.ReadFile(name)
	}
	return fs.ReadFile(fsys, slashed(name))
}

// ReadDir returns the entries of a folder, by name.
func ReadDir(fsys fs.FS, name string) ([]fs.DirEntry, error) {
	if fsys == nil {
		return os.ReadDir(name)
	}
	return fs.ReadDir(fsys, slashed(name))
}

// slashed is a name as file systems have it.
func slashed(name string) string { return path.Clean(filepath.ToSlash(name)) }
