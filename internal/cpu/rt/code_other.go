//go:build !amd64

package rt

import (
	"fmt"
	"runtime"
	"unsafe"
)

func (f *Function) start() {}

// Call panics: there are no functions on this platform.
func (f *Function) Call(unsafe.Pointer) { panic(ErrNoCode) }

// CallFlushing panics: there are no functions on this platform.
func (f *Function) CallFlushing(unsafe.Pointer) { panic(ErrNoCode) }

func testCode() error { return fmt.Errorf("there is no code generator for %s", runtime.GOARCH) }
