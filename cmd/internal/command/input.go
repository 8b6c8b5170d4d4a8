package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The most bytes of a program that are read, so that a device or a pipe without
// end is an error and not the end of the memory. Of a file the size is known
// before, so that its text is held only once.
const (
	maxFile   = 8 << 30 // a constant of 1 GiB takes two as text
	maxStream = 1 << 28
)

// readText reads a program from a file, or from standard input when path is
// "-". It returns when ctx ends, even if the file is a pipe that never does.
func (s *Streams) readText(ctx context.Context, path string) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := s.readAll(path)
		done <- result{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (s *Streams) readAll(path string) ([]byte, error) {
	if path == "-" {
		return readStream(s.in, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError("read", path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fileError("read", path, err)
	case info.IsDir():
		return nil, fmt.Errorf("cannot read %s: it is a folder: name a file in it", path)
	case !info.Mode().IsRegular():
		return readStream(f, path)
	case info.Size() > maxFile:
		return nil, tooLarge(path, maxFile)
	}
	text := make([]byte, info.Size())
	n, err := io.ReadFull(f, text)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF { // it may shrink meanwhile
		return nil, fileError("read", path, err)
	}
	return text[:n], nil
}

func readStream(r io.Reader, path string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxStream+1))
	if err != nil {
		return nil, fileError("read", path, err)
	}
	if len(text) > maxStream {
		return nil, tooLarge(path, maxStream)
	}
	return text, nil
}

func tooLarge(path string, limit int64) error {
	return fmt.Errorf("cannot read %s: a program must have at most %d MiB", path, limit>>20)
}

// fileError reports what could not be done to which file, without the system call;
// nil when err is.
func fileError(verb, path string, err error) error {
	if err == nil {
		return nil
	}
	err = cause(err)
	hint := ""
	if errors.Is(err, fs.ErrNotExist) {
		hint = ": check the path"
	} else if errors.Is(err, fs.ErrPermission) {
		hint = ": check its permissions"
	}
	return fmt.Errorf("cannot %s %s: %w%s", verb, path, err, hint)
}

// cause returns the message of an error of the operating system, without the call and the path.
func cause(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		return l.Err
	}
	return err
}

// findPrograms returns the files named, and the .mlir files in the folders
// named and below them, each folder's in lexical order.
func findPrograms(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		if arg == "-" {
			files = append(files, arg)
			continue
		}
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return nil, fileError("read", arg, err)
		case !info.IsDir():
			files = append(files, arg)
			continue
		}
		before := len(files)
		if files, err = appendPrograms(files, arg); err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("there is no .mlir file in %s or below it: name a folder with programs", arg)
		}
	}
	return files, nil
}

func appendPrograms(files []string, dir string) ([]string, error) {
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err != nil {
			return fileError("read", path, err)
		}
		if filepath.Ext(name) != ".mlir" || d.IsDir() {
			return nil
		}
		// A link to a file counts, a pipe or a dangling link does not.
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return nil
		}
		files = append(files, path)
		return nil
	})
	return files, err
}
