//go:build !amd64

package rt

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
)

func (f *Function) start() {}

// Call panics: this platform has no functions.
func (f *Function) Call(unsafe.Pointer) { panic(ErrNoCode) }

// CallFlushing panics: this platform has no functions.
func (f *Function) CallFlushing(unsafe.Pointer) { panic(ErrNoCode) }

// HostFeatures returns no features: this is another processor.
func HostFeatures() amd64.Feature { return 0 }

// HasFastDot2BF16 returns false.
func HasFastDot2BF16() bool { return false }

// HasSlowDivide returns false: there are no vectors.
func HasSlowDivide() bool { return false }

func testCode() error { return fmt.Errorf("code generation for %s is not supported", runtime.GOARCH) }
