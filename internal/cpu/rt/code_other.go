//go:build !amd64 && !arm64

package rt

import (
	"fmt"
	"runtime"
	"unsafe"
)

// RunsAArch64 returns false: this is another processor.
func RunsAArch64() bool { return false }

func (f *Function) start() {}

// Call panics: this platform has no functions.
func (f *Function) Call(unsafe.Pointer) { panic(ErrNoCode) }

// CallFlushing panics: this platform has no functions.
func (f *Function) CallFlushing(unsafe.Pointer) { panic(ErrNoCode) }

func testCode() error { return fmt.Errorf("code generation for %s is not supported", runtime.GOARCH) }

func syncCode(_, _ []byte) {}
