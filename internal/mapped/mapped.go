// Package mapped shows files as memory: pages that nobody looks at take none, and those
// that are read can be let go again without being written anywhere.
package mapped

import (
	"os"
	"runtime"
)

// File is a file in memory. The memory is given back some time after nothing refers to
// the File any more; slices of Data do not count, so whoever keeps one keeps the File.
//
// Nobody may make the file shorter as long: the pages behind its end are not there.
type File struct {
	// Data is the content. What is written to it does not reach the file.
	Data []byte
}

// Open maps a file. The error is errors.ErrUnsupported where files cannot be mapped.
func Open(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	m := &File{}
	if m.Data, err = mapFile(f, info.Size()); err != nil {
		return nil, err
	}
	if len(m.Data) > 0 {
		runtime.AddCleanup(m, unmap, m.Data)
	}
	return m, nil
}
