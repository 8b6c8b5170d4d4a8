// Package arrayfile has what the formats of arrays and tensors share: files that are read at any place, and the sizes
// of arrays that headers claim.
package arrayfile

import (
	"fmt"
	"io"
	"os"
)

// Closer closes the file that [Open] opened. The zero Closer has none.
type Closer struct{ file *os.File }

// Close closes the file.
func (c *Closer) Close() error {
	if c.file == nil {
		return nil
	}
	return c.file.Close()
}

// Open opens the named file, returns what read makes of it, and stores the file in its closer. After an error of read,
// which gets the name, the file is closed.
func Open[F any](name string, read func(r io.ReaderAt, size int64) (*F, error), closer func(*F) *Closer) (*F, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	f, err := read(file, info.Size())
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	closer(f).file = file
	return f, nil
}
