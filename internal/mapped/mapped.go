// Package mapped maps files to memory: unused pages take no memory, and pages that were read can be dropped
// without being written.
package mapped

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// File is a file in memory. It is unmapped some time after the File becomes unreachable; slices of Data do not
// count, so keep the File as long as them.
//
// A file that is truncated meanwhile has no contents beyond its end: access there is a fault of the processor, or
// reads zeros up to the end of a page. [File.Check] and [File.Guard] find that.
type File struct {
	// Data is the content. What is written to it does not reach the file.
	Data []byte

	name    string
	cleanup runtime.Cleanup
	file    *os.File // stays open: its size is that of the file that is mapped, whatever has the name now
	shared  bool     // others use the file, too
	offset  int64    // of Data in it
	pages   []byte   // what is mapped: Data, and what is before it in its first page
}

// Section is a part of a file that is open for as long as it is reachable, such as an entry of an archive. A file of a
// file system that has this method is mapped by [OpenIn].
type Section interface {
	Section() (file *os.File, offset, size int64)
}

// OpenIn maps a file of a file system, nil for that of the operating system, if its files are those of the latter or a
// [Section] of one. Otherwise the error is errors.ErrUnsupported.
func OpenIn(fsys fs.FS, name string) (*File, error) {
	if fsys == nil {
		return Open(name)
	}
	f, err := fsys.Open(path.Clean(filepath.ToSlash(name)))
	if err != nil {
		return nil, err
	}
	m := &File{name: name}
	size := int64(0)
	switch f := f.(type) {
	case *os.File:
		info, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		m.file, size = f, info.Size()
	case Section:
		m.file, m.offset, size = f.Section()
		m.shared = true
	default:
		f.Close()
		return nil, errors.ErrUnsupported
	}
	if err := m.mapPages(size); err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// mapPages maps size bytes from the offset on.
func (m *File) mapPages(size int64) error {
	before := m.offset % int64(os.Getpagesize())
	if size == 0 {
		return errors.ErrUnsupported
	}
	pages, err := mapFile(m.file, m.offset-before, before+size)
	if err != nil {
		return err
	}
	m.pages, m.Data = pages, pages[before:]
	m.cleanup = runtime.AddCleanup(m, unmap, pages)
	return nil
}

func (m *File) close() {
	if !m.shared {
		m.file.Close()
	}
}

// Open maps a file. The error is errors.ErrUnsupported where files cannot be mapped.
func Open(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	m := &File{name: name, file: f}
	info, err := f.Stat()
	if err == nil {
		err = m.mapPages(info.Size())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return m, nil
}

// Discard closes a file to whose data nothing refers, as of one that is refused: the garbage collector may take long to
// do so where little memory is allocated.
func (m *File) Discard() {
	m.cleanup.Stop()
	unmap(m.pages)
	m.Data, m.pages = nil, nil
	m.close()
}

// Check returns an error if the file has become smaller since it was mapped. It takes half a microsecond.
func (m *File) Check() error {
	size, err := sizeOf(m.file)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", m.name, err)
	case size < m.offset+int64(len(m.Data)):
		return m.errorf("was truncated to %d bytes while its %d bytes were mapped", size, m.offset+int64(len(m.Data)))
	}
	return nil
}

// Guard calls f, which reads the data, and returns its error. Where the file becomes smaller meanwhile, or cannot be
// read, it returns an error, also of a fault in f or in goroutines that f waits for, if these hand it on as a panic.
func (m *File) Guard(f func() error) (err error) {
	if err := m.Check(); err != nil {
		return err
	}
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if r := recover(); r != nil {
			offset, inside := m.faultAt(r)
			if !inside {
				panic(r)
			}
			if err = m.Check(); err == nil {
				err = m.errorf("could not be read at %d, though it has its %d bytes", offset, len(m.Data))
			}
		}
	}()
	err = f()
	if now := m.Check(); now != nil {
		return now // the cause of err, or f may have read zeros
	}
	return err
}

// faultAt returns the offset in the file of a fault, by the value of its panic.
func (m *File) faultAt(r any) (offset int, inside bool) {
	err, _ := r.(error)
	var fault interface{ Addr() uintptr }
	if !errors.As(err, &fault) {
		return 0, false
	}
	at := fault.Addr() - uintptr(unsafe.Pointer(unsafe.SliceData(m.Data)))
	return int(at), at < uintptr(len(m.Data))
}

func (m *File) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: the file "+format+": load it again, and replace files by renaming others to their names, "+
		"not by writing to them", append([]any{m.name}, args...)...)
}
