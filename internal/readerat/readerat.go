// Package readerat opens files that are read at any place, such as archives and tables of tensors.
package readerat

import (
	"fmt"
	"io"
	"os"
)

// Open opens the named file and returns what read makes of it, with the file, which the caller closes. After an error
// of read, which gets the name, the file is closed.
func Open[F any](name string, read func(r io.ReaderAt, size int64) (F, error)) (f F, file *os.File, err error) {
	file, err = os.Open(name)
	if err != nil {
		return f, nil, err
	}
	info, err := file.Stat()
	if err == nil {
		if f, err = read(file, info.Size()); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	if err != nil {
		file.Close()
		return f, nil, err
	}
	return f, file, nil
}
