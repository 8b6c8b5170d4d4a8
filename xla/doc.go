// Package xla computes with Google's XLA, on any device with a PJRT plugin: CUDA, ROCm, TPU and others. It
// needs no cgo and no C compiler: the plugin is a library, which this package finds where pip installs it.
//
//	import "github.com/go-nx/nx/xla"
//
//	cuda, err := xla.Open("cuda")          // or NX_CLIENT=cuda, and no line of code
//	step := nx.Jit(Step, nx.On(cuda))
//	params, err = nx.Transfer(params, cuda.Devices()[0])
//
// Importing the package registers the names of its clients and changes nothing else: programs continue to
// compute with package cpu until they name a client, or [nx.SetDefault] or the environment variable NX_CLIENT
// does. A client is started on first use.
//
// For the search for plugins see [Open]. Errors of a plugin are an [*Error]; a missing client is a
// [*NotFoundError], which lists every searched location, and the command that installs a plugin.
//
// A program that imports this package is linked dynamically, since plugins need the C library. docs/xla.md
// describes how to install plugins, and how to handle their errors.
package xla
