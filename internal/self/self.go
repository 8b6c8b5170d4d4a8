// Package self opens the running executable.
package self

import (
	"os"
	"os/exec"
	"runtime"
)

// Open opens the running executable, by the first word of its command line where the system does not say which it is,
// as Linux without /proc does not.
func Open() (*os.File, error) {
	if runtime.GOOS == "linux" { // also if another file has its name now
		if f, err := os.Open("/proc/self/exe"); err == nil {
			return f, nil
		}
	}
	name, err := os.Executable()
	if err == nil {
		return os.Open(name)
	}
	if name, lookErr := exec.LookPath(os.Args[0]); lookErr == nil {
		return os.Open(name)
	}
	return nil, err
}
