// Package fake is an in-process plugin of the PJRT C API on top of package cpu: tests of plugin users run with
// it on every system. It injects faults on request, and counts objects that are not freed.
//
// Its functions are entered through C like those of any plugin, and it makes the checks of a real one: sizes
// of structs, handles, the encoding of options, versions of programs.
package fake

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
	"github.com/go-nx/nx/stablehlo"
)

// Config reports what plugin to make.
type Config struct {
	Platform  string         // "fake" if empty
	Devices   int            // 1 if 0
	Minor     int            // of the API version; that of package abi if 0
	TableSize uintptr        // bytes of the table; all if 0
	Null      []abi.Function // functions that are null
	// ExtraSize is the number of bytes by which structs are larger than those of package abi, by name in C.
	ExtraSize map[string]uintptr
	// StableHLO is the newest supported version. If it is zero, the plugin reports none and accepts only text.
	StableHLO stablehlo.Version
	Limit     int64 // bytes of a device's memory; unlimited if 0
}

// Plugin is a plugin with its state.
type Plugin struct {
	config     Config
	table      *abi.API
	attributes *namedValues

	mu       sync.Mutex
	faults   map[abi.Function]fault
	calls    map[abi.Function]int
	misuse   []string // errors of callers
	timing   func() (time.Duration, bool)
	running  sync.WaitGroup
	inside   atomic.Int64 // nanoseconds
	inUse    int64
	lastSeen stablehlo.Version // of the program compiled last; zero for text
	donated  bool
}

type fault struct {
	code    abi.Code
	message string
	after   int // calls that succeed first
}

// New returns a plugin.
func New(config Config) *Plugin {
	if config.Platform == "" {
		config.Platform = "fake"
	}
	config.Devices = max(config.Devices, 1)
	if config.Minor == 0 {
		config.Minor = abi.Minor
	}
	p := &Plugin{config: config, faults: map[abi.Function]fault{}, calls: map[abi.Function]int{}}
	p.attributes = p.announce()
	p.table = &abi.API{StructSize: unsafe.Sizeof(abi.API{})}
	if config.TableSize != 0 {
		p.table.StructSize = config.TableSize
	}
	p.table.Version.StructSize = unsafe.Sizeof(abi.APIVersion{})
	p.table.Version.MajorVersion, p.table.Version.MinorVersion = abi.Major, int32(config.Minor)
	for f, enter := range entries() {
		p.table.Functions[f] = enter
	}
	for f, do := range globalFunctions {
		p.table.Functions[f] = ffi.CallbackOfPointer(func(args unsafe.Pointer) uintptr {
			return p.enter(f, args, func() error { return do(p, args) })
		})
	}
	for _, f := range config.Null {
		p.table.Functions[f] = 0
	}
	return p
}

// Table returns the table of functions, for pjrt.FromTable.
func (p *Plugin) Table() *abi.API { return p.table }

// Fail makes calls of a function fail after some that succeed. The code OK ends it.
func (p *Plugin) Fail(f abi.Function, code abi.Code, message string, after int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if code == abi.OK {
		delete(p.faults, f)
		return
	}
	p.faults[f] = fault{code, message, after}
}

// Time delays events: f returns the delay, or that the event never happens. Without it, events happen as soon
// as their operation is done.
func (p *Plugin) Time(f func() (after time.Duration, happens bool)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timing = f
}

// Calls returns how often a function was called.
func (p *Plugin) Calls(f abi.Function) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[f]
}

// Program returns the version of the artifact that was compiled last, zero for text.
func (p *Plugin) Program() stablehlo.Version {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lastSeen
}

// Donated reports whether a call took the contents of an argument.
func (p *Plugin) Donated() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.donated
}

// Misuse returns the errors of callers that would have harmed a real plugin.
func (p *Plugin) Misuse() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.misuse...)
}

func (p *Plugin) reportMisuse(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.misuse = append(p.misuse, fmt.Sprintf(format, args...))
}

// Wait waits for all running operations.
func (p *Plugin) Wait() { p.running.Wait() }

// Live returns how many handles of each kind were not freed.
func (p *Plugin) Live() map[string]int {
	live := map[string]int{}
	handles.Range(func(_, v any) bool {
		if o := v.(object); o.owner() == p && !o.permanent() {
			live[o.kind()]++
		}
		return true
	})
	return live
}

// Inside returns how long callers have been in functions of the plugin, all together.
func (p *Plugin) Inside() time.Duration { return time.Duration(p.inside.Load()) }

// failure is an error with a code.
type failure struct {
	code    abi.Code
	message string
}

func (f *failure) Error() string { return f.message }

func fail(code abi.Code, format string, args ...any) error {
	return &failure{code, fmt.Sprintf(format, args...)}
}

// enter is what every function does first: it counts, checks the size and fails if it is
// to.
func (p *Plugin) enter(f abi.Function, args unsafe.Pointer, do func() error) (handle uintptr) {
	start := time.Now()
	defer func() {
		p.inside.Add(int64(time.Since(start)))
		if r := recover(); r != nil {
			p.reportMisuse("%s panicked: %v", f, r)
			handle = p.newError(abi.Internal, fmt.Sprint(r))
		}
	}()
	p.mu.Lock()
	p.calls[f]++
	flaw, faulty := p.faults[f]
	faulty = faulty && p.calls[f] > flaw.after
	p.mu.Unlock()
	if err := p.checkSize(f.String()+"_Args", (*abi.Header)(args), f.ArgsSize()); err != nil {
		return p.errorOf(err)
	}
	if faulty {
		return p.newError(flaw.code, flaw.message)
	}
	return p.errorOf(do())
}

// checkSize refuses structs that are too small, as plugins of XLA do.
func (p *Plugin) checkSize(name string, header *abi.Header, size uintptr) error {
	want := size + p.config.ExtraSize[name]
	if header.StructSize >= want {
		return nil
	}
	return fail(abi.InvalidArgument, "Unexpected %s size: expected %d, got %d. Check installed software versions. "+
		"This plugin is built with PJRT API version 0.%d.", name, want, header.StructSize, p.config.Minor)
}

// errorOf returns the handle of an error, 0 for nil.
func (p *Plugin) errorOf(err error) uintptr {
	if err == nil {
		return 0
	}
	f, ok := err.(*failure)
	if !ok {
		f = &failure{abi.Internal, err.Error()}
	}
	return p.newError(f.code, f.message)
}
