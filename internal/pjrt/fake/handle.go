package fake

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
)

// object is the value of a handle.
type object interface {
	owner() *Plugin
	kind() string
	permanent() bool // not freed by the caller
}

// base makes a struct an object.
type base struct {
	plugin *Plugin
	name   string
	lasts  bool
}

func (b *base) owner() *Plugin  { return b.plugin }
func (b *base) kind() string    { return b.name }
func (b *base) permanent() bool { return b.lasts }

// handles holds all objects by their numbers, which resemble addresses but are not: dereferencing one crashes.
var (
	handles    sync.Map // uintptr → object
	lastHandle atomic.Uintptr
)

func newHandle(o object) uintptr {
	h := 0x1000 + lastHandle.Add(1)*16
	handles.Store(h, o)
	return h
}

// the returns the object of a handle.
func the[T object](handle uintptr) (T, error) {
	v, _ := handles.Load(handle)
	o, ok := v.(T)
	if !ok {
		var none T
		return none, fail(abi.InvalidArgument, "the handle %#x is not of a %T", handle, none)
	}
	return o, nil
}

// withHandle are the arguments of most functions: a handle comes first.
type withHandle struct {
	abi.Header
	handle uintptr
}

// entries returns the functions that find their plugin by the handle that is their first
// argument. They are made once, since a process has a limited number of them.
var entries = sync.OnceValue(func() map[abi.Function]uintptr {
	all := map[abi.Function]uintptr{}
	for f, do := range functions {
		all[f] = ffi.CallbackOfPointer(func(args unsafe.Pointer) uintptr {
			handle := (*withHandle)(args).handle
			v, ok := handles.Load(handle)
			if !ok {
				misusedHandles.add(f, handle)
				return 0
			}
			p := v.(object).owner()
			switch f {
			case abi.ErrorDestroy, abi.ErrorMessage, abi.ErrorGetCode: // an error of these would have no end
				if err := do(p, args); err != nil {
					p.reportMisuse("%s: %v", f, err)
				}
				return 0
			}
			return p.enter(f, args, func() error { return do(p, args) })
		})
	}
	return all
})

// misusedHandles holds the calls with handles that were freed, or never given.
var misusedHandles misuseLog

type misuseLog struct {
	mu  sync.Mutex
	all []string
}

func (s *misuseLog) add(f abi.Function, handle uintptr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, f.String())
}

// MisusedHandles returns the functions that were called with a handle that was freed, or never
// given, since the last call: uses after a free, and double frees.
func MisusedHandles() []string {
	misusedHandles.mu.Lock()
	defer misusedHandles.mu.Unlock()
	all := misusedHandles.all
	misusedHandles.all = nil
	return all
}

type function func(p *Plugin, args unsafe.Pointer) error

// with makes a function of one whose arguments have a type.
func with[A any](f func(p *Plugin, a *A) error) function {
	return func(p *Plugin, args unsafe.Pointer) error { return f(p, (*A)(args)) }
}

// free makes a function that ends a handle.
func free[T object](end func(o T) error) function {
	return with(func(_ *Plugin, a *withHandle) error {
		o, err := the[T](a.handle)
		if err != nil {
			return err
		}
		handles.Delete(a.handle)
		if end != nil {
			return end(o)
		}
		return nil
	})
}

type errorObject struct {
	base
	failure
	text []byte
}

func (p *Plugin) newError(code abi.Code, message string) uintptr {
	return newHandle(&errorObject{base{plugin: p, name: "error"}, failure{code, message}, []byte(message)})
}

// functions are all that have a handle.
var functions = map[abi.Function]function{}

func init() {
	for _, some := range []map[abi.Function]function{pluginFunctions, clientFunctions, bufferFunctions,
		executableFunctions} {
		for f, do := range some {
			functions[f] = do
		}
	}
}

// deleter is the function that frees what [abi.ExecutableSerialize] returned.
var deleter = sync.OnceValue(func() uintptr {
	return ffi.Callback(func(handle, _ uintptr) uintptr {
		if _, ok := handles.LoadAndDelete(handle); !ok {
			misusedHandles.add(abi.ExecutableSerialize, handle)
		}
		return 0
	})
})
