// Package atomicfile writes files that are complete or absent: a reader never
// sees a part of one, and a failure leaves the old content as it was.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

// Write calls write with a buffered writer and replaces the content of the named file with its output. Until
// all of it is on disk it is in a temporary file in the same directory, which is removed after an error.
//
// A symbolic link is followed. A name that exists and is not a regular file, such as a terminal or a pipe, is
// written to directly.
func Write(name string, write func(io.Writer) error) error { return writeMode(name, 0o666, write) }

// WriteExecutable is [Write] of a program, which all users of a new file may execute, as far as the umask allows.
func WriteExecutable(name string, write func(io.Writer) error) error {
	return writeMode(name, 0o777, write)
}

func writeMode(name string, perm os.FileMode, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			return writeDirectly(name, write)
		}
		perm = info.Mode().Perm() | perm&0o111&(info.Mode().Perm()>>2)
	}
	f, err := createTemp(name, perm)
	if err != nil {
		return err
	}
	begin(f.Name())
	err = errUnfinished // of a write that panics, or ends its goroutine
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
		if err = end(f.Name(), name, err); err == nil {
			syncFolder(filepath.Dir(name))
		}
	}()
	if err = fill(f, write); err == nil {
		err = f.Sync()
	}
	return err
}

var errUnfinished = errors.New("the content was not written completely")

// unfinished are the files of other names that are being written.
var unfinished = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

func begin(temp string) {
	unfinished.Lock()
	defer unfinished.Unlock()
	unfinished.names[temp] = true
}

// end returns a complete file its name, or removes one that is not.
func end(temp, name string, err error) error {
	unfinished.Lock()
	defer unfinished.Unlock()
	delete(unfinished.names, temp)
	if err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		os.Remove(temp) // the first error is more informative than a failure to clean up
	}
	return err
}

// syncFolder makes the new name of a file last through a loss of power, on systems that can open folders. The content
// is on disk already, and readers see it, so that there is no error to tell.
func syncFolder(name string) {
	if d, err := os.Open(name); err == nil {
		d.Sync()
		d.Close()
	}
}

// Abandon removes temporary files, for a process that ends at once: no file is completed after that.
func Abandon() {
	unfinished.Lock() // for ever
	for temp := range unfinished.names {
		os.Remove(temp)
	}
}

// fill writes through a buffer to f.
func fill(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

func writeDirectly(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = fill(f, write)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// createTemp creates a file of a free name in the directory of the named
// one. Unlike os.CreateTemp it leaves the permissions to perm and the umask.
func createTemp(name string, perm os.FileMode) (*os.File, error) {
	const tries = 100
	var f *os.File
	var err error
	for range tries {
		temp := fmt.Sprintf("%s.%08x.tmp", name, rand.Uint32())
		f, err = os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !os.IsExist(err) {
			break
		}
	}
	return f, err
}
