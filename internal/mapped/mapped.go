// Package mapped maps files to memory: unused pages take no memory, and pages that were read can be dropped
// without being written.
package mapped

import (
	"os"
	"runtime"
)

// File is a file in memory. It is unmapped some time after the File becomes unreachable; slices of Data do not
// count, so keep the File as long as them.
//
// The file must not be truncated meanwhile: access to pages beyond its end crashes.
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
