package data

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
)

// Lines is a source of the lines of a file, which is indexed when it is opened and read line by line afterwards.
type Lines struct {
	file *os.File
	ends []int64 // of each line, without what ends it
	from []int64
}

// OpenLines opens a file of lines, which end with \n or \r\n. Empty lines are left out.
func OpenLines(path string) (*Lines, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	l := &Lines{file: f}
	r := bufio.NewReaderSize(f, 1<<20)
	var at int64
	for {
		line, err := r.ReadSlice('\n')
		n := int64(len(line))
		start := at
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = r.ReadSlice('\n')
			n += int64(len(line))
		}
		at += n
		if err != nil && !errors.Is(err, io.EOF) {
			f.Close()
			return nil, err
		}
		end := at
		if bytes.HasSuffix(line, []byte("\n")) {
			end--
			if bytes.HasSuffix(line, []byte("\r\n")) {
				end--
			}
		}
		if end > start {
			l.from, l.ends = append(l.from, start), append(l.ends, end)
		}
		if err != nil {
			return l, nil
		}
	}
}

// Len is the number of lines.
func (l *Lines) Len() int { return len(l.ends) }

// At returns line i without its end.
func (l *Lines) At(_ context.Context, i int, _ *rand.Rand) ([]byte, error) {
	line := make([]byte, l.ends[i]-l.from[i])
	if _, err := l.file.ReadAt(line, l.from[i]); err != nil {
		return nil, fmt.Errorf("%s: the file has changed since it was opened: %w", l.file.Name(), err)
	}
	return line, nil
}

// Close closes the file.
func (l *Lines) Close() error { return l.file.Close() }

// JSONL is a source of the JSON values of lines. Fields that E does not have are errors, as a mistyped name would be
// zeros otherwise.
func JSONL[E any](lines *Lines) Source[E] {
	return Map[[]byte, E](lines, func(line []byte, _ *rand.Rand) (e E, err error) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&e); err != nil {
			return e, fmt.Errorf("%s: %w", lines.file.Name(), err)
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return e, fmt.Errorf("%s: the line has more than one value", lines.file.Name())
		}
		return e, nil
	})
}
