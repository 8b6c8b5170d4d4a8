package rt

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unsafe"
)

// perfMap has the names of functions for Linux's perf: a file of lines "address size name", written if NX_PERF is set.
var perfMap = symbolFile{path: perfMapPath()}

func perfMapPath() string {
	if os.Getenv("NX_PERF") == "" {
		return ""
	}
	return filepath.Join("/tmp", fmt.Sprintf("perf-%d.map", os.Getpid()))
}

// symbolFile is a map of perf; a path of "" means no file.
type symbolFile struct {
	path string
	mu   sync.Mutex
}

// add appends functions. It ignores write errors: perf shows addresses then.
func (s *symbolFile) add(fs []*Function) {
	if s.path == "" {
		return
	}
	var lines strings.Builder
	for _, f := range fs {
		name := strings.Map(func(r rune) rune {
			if r < ' ' {
				return '_'
			}
			return r
		}, f.Name)
		fmt.Fprintf(&lines, "%x %x nx:%s\n", unsafe.Pointer(unsafe.SliceData(f.code)), len(f.code), name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if file, err := os.OpenFile(s.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
		file.WriteString(lines.String())
		file.Close()
	}
}
