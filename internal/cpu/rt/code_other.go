//go:build !amd64

package rt

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
)

func (f *Function) start() {}

// Call panics: there are no functions on this platform.
func (f *Function) Call(unsafe.Pointer) { panic(ErrNoCode) }

// CallFlushing panics: there are no functions on this platform.
func (f *Function) CallFlushing(unsafe.Pointer) { panic(ErrNoCode) }

// HostFeatures returns nothing: this is another processor.
func HostFeatures() amd64.Feature { return 0 }

// HasFastDot2BF16 reports that no instruction does.
func HasFastDot2BF16() bool { return false }

// HasSlowDivide reports that there are no vectors.
func HasSlowDivide() bool { return false }

func testCode() error { return fmt.Errorf("there is no code generator for %s", runtime.GOARCH) }
