// Package xla computes by Google's XLA, on whatever device there is a PJRT plugin for:
// CUDA, ROCm, TPU and others. It needs no cgo and no C compiler: the plugin is a library,
// which this package finds where pip puts it.
//
//	import "github.com/go-nx/nx/xla"
//
//	cuda, err := xla.Open("cuda")          // or NX_CLIENT=cuda, and no line of code
//	step := nx.Jit(Step, nx.On(cuda))
//	params, err = nx.Transfer(params, cuda.Devices()[0])
//
// Importing the package makes the names of its clients known and changes nothing else:
// programs go on computing by package cpu until they name a client, or [nx.SetDefault] or
// the environment variable NX_CLIENT does. A client is started when it is first named.
//
// Where a plugin is searched: see [Open]. What a plugin fails with is an [*Error]; a client
// that is not there is a [*NotFoundError], which lists every place that was searched, and
// the command that installs a plugin.
//
// A program that imports this package is linked dynamically, since plugins need the C
// library. docs/xla.md says how to install plugins, and what to do about their errors.
package xla
