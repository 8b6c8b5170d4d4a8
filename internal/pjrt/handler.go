package pjrt

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
)

// RegisterHandler registers a C function of a library under the name target, by which programs call it: an
// XLA_FFI_Handler, as XLA_FFI_DEFINE_HANDLER_SYMBOL defines them. The plugin calls it immediately to query the
// version of its interface, and later on devices of a platform ("CUDA", "ROCM", "Host"). The library stays
// open.
func (p *Plugin) RegisterHandler(target, platform, library, symbol string) error {
	x := p.extension(abi.ExtensionFFI)
	if x == nil || x.StructSize < unsafe.Sizeof(abi.FFIExtension{}) {
		return fmt.Errorf("%s does not support FFI handlers (PJRT API %s)", p.path, p.version)
	}
	if info, err := os.Stat(library); err == nil { // else it may be where the system searches
		if err := checkELF(library, info.Size()); err != nil {
			return err
		}
	}
	lib, err := ffi.Open(library)
	if err != nil {
		return &LoadError{Path: library, What: "the system cannot load it", Err: err, Hint: hintOf(err)}
	}
	handler, err := lib.Symbol(symbol)
	if err != nil || handler == 0 {
		return &LoadError{Path: library, What: "it has no function " + symbol, Err: err,
			Hint: "nm -D shows the names of its functions"}
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	args := &abi.FFIRegisterHandlerArgs{StructSize: abi.FFIRegisterHandlerArgsSize, Handler: handler,
		TargetName: bytesOf(target, &pin), TargetNameSize: uintptr(len(target)),
		PlatformName: bytesOf(platform, &pin), PlatformNameSize: uintptr(len(platform))}
	register := (*abi.FFIExtension)(unsafe.Pointer(x)).RegisterHandler
	return p.takeError("PJRT_FFI_Register_Handler", abi.Error(ffi.Call(register, unsafe.Pointer(args))))
}

// extension returns an extension of the plugin, nil if it is absent.
func (p *Plugin) extension(t abi.ExtensionType) *abi.Extension {
	x := p.table.Extensions
	for range p.extensions {
		if x.Type == t {
			return x
		}
		x = x.Next
	}
	return nil
}
