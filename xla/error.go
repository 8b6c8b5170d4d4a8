package xla

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
)

// Error is an error of a plugin.
type Error struct {
	Client   string // "cuda"
	Doing    string // the operation: "compiling"
	Function string // of the C API: PJRT_Client_Compile
	Code     string // Abseil's: INVALID_ARGUMENT
	Message  string // the plugin's own words
	Plugin   string // its file
	API      string // the version of the C API that the plugin speaks
	OurAPI   string // the one that this package speaks
	Hint     string // what to do, where that is known
}

func (e *Error) Error() string {
	text := fmt.Sprintf("xla: %s by %s: %s: %s (%s of %s, PJRT API %s; this program has %s)",
		e.Doing, e.Client, e.Code, strings.TrimSpace(e.Message), e.Function, e.Plugin, e.API, e.OurAPI)
	if e.Hint != "" {
		text += "\n    hint: " + e.Hint
	}
	return text
}

// OutOfMemoryError is an [Error] of a device without enough memory.
type OutOfMemoryError struct {
	cause                *Error
	needed, inUse, limit int64
}

func (e *OutOfMemoryError) Error() string { return e.cause.Error() }

// OutOfMemory returns bytes: those requested, 0 if the plugin does not report them, those of the client's
// buffers, and the capacity of the device.
func (e *OutOfMemoryError) OutOfMemory() (needed, inUse, limit int64) {
	return e.needed, e.inUse, e.limit
}

// Unwrap returns the error of the plugin.
func (e *OutOfMemoryError) Unwrap() error { return e.cause }

// NotAddressableError is the error of reading a full tensor that has shards only on devices of other
// processes.
type NotAddressableError struct {
	Client         string
	Parts, Missing int
}

// Error reports how many parts are elsewhere, and what to do.
func (e *NotAddressableError) Error() string {
	return fmt.Sprintf("xla: %d of the %d parts of a tensor of %s are only on devices of other processes"+
		"\n    hint: shard.Split returns the local parts; for the full tensor on all processes, or another sharding, "+
		"return it from shard.Jit with the sharding {}, or with the other one", e.Missing, e.Parts, e.Client)
}

// fail wraps the error of a plugin; other errors stay as they are.
func (c *core) fail(doing string, err error) error {
	var p *pjrt.Error
	if !errors.As(err, &p) {
		if err == nil {
			return nil
		}
		return fmt.Errorf("xla: %s by %s: %w", doing, c.name, err)
	}
	if lost := c.lostCause(p); lost != nil {
		return fmt.Errorf("%w (%s by %s: %s)", lost, doing, c.name, strings.TrimSpace(p.Message))
	}
	e := newError(c.name, doing, p)
	if p.Code != abi.ResourceExhausted {
		return e
	}
	m := &OutOfMemoryError{cause: e, inUse: c.inUse.Load()}
	if c.client != nil {
		if stats, err := c.client.Devices()[0].MemoryStats(); err == nil {
			m.limit = stats.Limit
		}
	}
	fmt.Sscanf(afterAllocate(p.Message), "%d", &m.needed)
	return m
}

// afterAllocate returns the text after the word "allocate": XLA prints the bytes there.
func afterAllocate(message string) string {
	_, after, _ := strings.Cut(message, "allocate ")
	return after
}

func newError(client, doing string, p *pjrt.Error) *Error {
	return &Error{Client: client, Doing: doing, Function: p.Function, Code: pjrt.CodeName(p.Code), Message: p.Message,
		Plugin: p.Plugin, API: p.API.String(), OurAPI: pjrt.Ours.String(), Hint: hintOf(p)}
}

// hints are advice on known words in the errors of plugins.
var hints = []struct{ words, hint string }{
	{"No visible GPU devices", "check the GPU and its driver with nvidia-smi; CUDA_VISIBLE_DEVICES may hide the GPU"},
	{"No jellyfish device found", "this machine has no TPU"},
	{"libtpu multi-process lockfile", "another process uses the TPU; only one can"},
	{"CUDNN_STATUS", "the versions of cuDNN and of the plugin must match, and the device must have free memory"},
	{"No FFI handler registered for", "the program calls a function that the plugin does not provide"},
	{"Custom emitter for", "the program calls a function that the plugin does not provide"},
	{"libdevice not found", "pip install nvidia-nvvm, or set CUDA_HOME to the folder of the CUDA toolkit"},
	{"ptxas", "pip install nvidia-cuda-nvcc, or set CUDA_HOME to the folder of the CUDA toolkit"},
	{"No such compile option", "the plugin does not know this flag of XLA"},
	{"size: expected", "the plugin is newer than this program: take the plugin of an older release"},
}

func hintOf(p *pjrt.Error) string {
	for _, h := range hints {
		if strings.Contains(p.Message, h.words) {
			return h.hint
		}
	}
	if p.Code == abi.ResourceExhausted {
		return "release tensors that are not needed (nx.Release), donate arguments (nx.Donate), or take smaller batches"
	}
	return ""
}

// Place is where a plugin was searched.
type Place struct {
	Path string
	Why  string // the origin of the path and the result: "PYTHONPATH: not there"
}

// NotFoundError is the error of a client for which there is no plugin.
type NotFoundError struct {
	Client  string
	Places  []Place
	Install string // a command, or what else to do
}

func (e *NotFoundError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "xla: no plugin for the client %s was found; searched:", e.Client)
	for _, p := range e.Places {
		fmt.Fprintf(&b, "\n    %s (%s)", p.Path, p.Why)
	}
	if len(e.Places) == 0 {
		b.WriteString(" nothing, since no location is configured")
	}
	fmt.Fprintf(&b, "\n    hint: %s", e.Install)
	return b.String()
}
