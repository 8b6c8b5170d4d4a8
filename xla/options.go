package xla

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/diskcache"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
)

// options are those of a compilation.
type options struct {
	device    int  // the default one
	pinned    bool // [DeviceID] said so
	precision string
	flags     map[string]any
	log       *slog.Logger
	cache     *diskcache.Cache // or nil
	target    string           // the GPU of a topology
	lazy      TransferLevel
	local     bool // meshes are of this process's devices
}

// Option is an option of [Client.With].
type Option interface {
	apply(c *core, o *options) error
}

type option func(c *core, o *options) error

func (f option) apply(c *core, o *options) error { return f(c, o) }

// With returns a client that shares everything with c, but compiles with options. It panics when an option
// does not fit the client, such as a device that does not exist.
//
//	step := nx.Jit(Step, nx.On(cuda.With(xla.DeviceID(1), xla.Precision(xla.High))))
func (c *Client) With(opts ...Option) *Client {
	with := &Client{core: c.core, options: c.options}
	with.flags = maps.Clone(c.flags)
	for _, o := range opts {
		if err := o.apply(c.core, &with.options); err != nil {
			panic(&diag.Error{Code: diag.Code("device"), Op: "With", Detail: err.Error()})
		}
	}
	return with
}

// DeviceID makes a device the only one.
func DeviceID(n int) Option {
	return option(func(c *core, o *options) error {
		if n < 0 || n >= len(c.devices) {
			return fmt.Errorf("xla: the client %s has no device %d: it has %d", c.name, n, len(c.devices))
		}
		o.device, o.pinned = n, true
		return nil
	})
}

// PrecisionLevel is the precision of contractions and convolutions.
type PrecisionLevel string

// The levels, from the fastest to the most precise. Their meaning depends on the device: a GPU computes f32 by
// tf32 or f32, a TPU by one, three or six multiplications of bf16.
const (
	Default PrecisionLevel = "DEFAULT"
	High    PrecisionLevel = "HIGH"
	Highest PrecisionLevel = "HIGHEST"
)

// Precision sets the level of contractions and convolutions without one.
func Precision(level PrecisionLevel) Option {
	return option(func(_ *core, o *options) error {
		if !slices.Contains([]PrecisionLevel{Default, High, Highest}, level) {
			return fmt.Errorf("xla: the precision must be DEFAULT, HIGH or HIGHEST, got %q", level)
		}
		o.precision = string(level)
		return nil
	})
}

// Flag sets a flag of XLA, such as xla_gpu_autotune_level, for compilation: a bool, int64, float64 or string.
// The plugin rejects unknown flags.
func Flag(name string, value any) Option {
	return option(func(_ *core, o *options) error {
		if n, ok := value.(int); ok {
			value = int64(n)
		}
		switch value.(type) {
		case bool, int64, float64, string:
		default:
			return fmt.Errorf("xla: the value of the flag %s must be a bool, int64, float64 or string, got %T", name, value)
		}
		if o.flags == nil {
			o.flags = map[string]any{}
		}
		o.flags[name] = value
		return nil
	})
}

// DumpTo makes XLA write each program, in all its forms, to a folder.
func DumpTo(dir string) Option { return Flag("xla_dump_to", dir) }

// Debug logs times, as messages of the level debug: of tracing, translating and compiling when functions are
// compiled; with each call the time to start, and when its results are ready, the time of waiting for
// arguments that other calls computed, and of running.
func Debug(log *slog.Logger) Option {
	return option(func(_ *core, o *options) error { o.log = log; return nil })
}

// encode returns the options as a plugin takes them, for devices of these numbers.
func (o *options) encode(given map[string]any, devices []int) []byte {
	flags := maps.Clone(given)
	maps.Copy(flags, o.flags)
	return pjrt.CompileOptions{Flags: flags, Devices: devices}.Encode()
}

func isOutOfMemory(err error) bool {
	var e *pjrt.Error
	return errors.As(err, &e) && e.Code == abi.ResourceExhausted
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
