package xla

import (
	"fmt"

	"github.com/go-nx/nx/internal/pjrt"
)

// RegisterFFI registers a function of a library as a custom call target for the programs of a client: an
// XLA_FFI_Handler, which C++ defines by XLA_FFI_DEFINE_HANDLER_SYMBOL. It needs only the client's plugin, no
// device, so that [CompileFor] compiles such programs, too. Register before compiling; the library stays open.
//
//	err := xla.RegisterFFI("cuda", "rms_norm", "/opt/kernels/librms.so", "RmsNorm")
//
// Errors: those of [Open] without a plugin, an [*Error] when the plugin rejects the function, or an error that
// names the missing library or function.
func RegisterFFI(client, target, library, symbol string) error {
	configured, err := configuration(client)
	if err != nil {
		return err
	}
	c, plugin, _, err := load(client, configured)
	if err != nil {
		return err
	}
	if err := plugin.RegisterHandler(target, ffiPlatform(configured, plugin), library, symbol); err != nil {
		return c.fail(fmt.Sprintf("registering the function %s of %s as %s", symbol, library, target), err)
	}
	return nil
}

// ffiPlatform is what XLA calls the devices of a client where it looks up functions.
func ffiPlatform(o ClientOptions, p *pjrt.Plugin) string {
	switch _, cuda := p.Attributes()["cuda_version"]; {
	case cuda || o.Platform == "cuda":
		return "CUDA"
	case o.Platform == "rocm":
		return "ROCM"
	}
	return "Host"
}
