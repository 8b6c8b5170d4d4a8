package pjrt

import (
	"regexp"
	"strconv"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
)

// padding is how much a struct may grow in plugins newer than package abi: that many bytes
// of zeros follow each, which a plugin takes for fields that are not set, or writes to.
const padding = 128

// newArgs returns zeroed arguments followed by padding. They are on the heap, as C functions require.
func newArgs[T any]() *T {
	block := &struct {
		args T
		_    [padding]byte
	}{}
	return &block.args
}

// part is a struct with its own size that arguments point to.
type part struct {
	name   string // in C: PJRT_Program
	header *abi.Header
	size   uintptr
}

// has reports whether the plugin has a function: its table may be short, or hold null.
func (p *Plugin) has(f abi.Function) bool { return p.address(f) != 0 }

func (p *Plugin) address(f abi.Function) uintptr {
	if p.table.StructSize < f.Offset()+unsafe.Sizeof(uintptr(0)) {
		return 0
	}
	return p.table.Functions[f]
}

// call calls a function with arguments made by [newArgs], whose header it fills in.
//
// The announced size of a struct is the one of package abi, which plugins of the same age or older accept. A
// newer plugin with a larger struct returns an error before any effect; then call repeats the call with the
// size in the error, the added bytes being zero.
func (p *Plugin) call(f abi.Function, args *abi.Header, parts ...part) error {
	fn := p.address(f)
	if fn == 0 {
		return p.newError(f.String(), abi.Unimplemented, "the plugin does not have this function")
	}
	if p.newer.Load() {
		return p.callNewer(f, fn, args, parts)
	}
	args.StructSize = f.ArgsSize()
	for _, s := range parts {
		s.header.StructSize = s.size
	}
	err := p.takeError(f.String(), abi.Error(ffi.Call(fn, unsafe.Pointer(args))))
	if err != nil && sizeOfError(err) != nil {
		return p.callNewer(f, fn, args, parts)
	}
	return err
}

// callNewer is call of a plugin some of whose structs have grown.
func (p *Plugin) callNewer(f abi.Function, fn uintptr, args *abi.Header, parts []part) error {
	parts = append([]part{{f.String() + "_Args", args, f.ArgsSize()}}, parts...)
	for _, s := range parts {
		s.header.StructSize = p.sizeOf(s)
	}
	for range parts {
		err := p.takeError(f.String(), abi.Error(ffi.Call(fn, unsafe.Pointer(args))))
		if err == nil || !p.recordSize(err, parts) {
			return err
		}
	}
	return p.takeError(f.String(), abi.Error(ffi.Call(fn, unsafe.Pointer(args))))
}

// sizeOf returns the size to announce for a struct.
func (p *Plugin) sizeOf(s part) uintptr {
	if grown, ok := p.grown.Load(s.name); ok {
		return grown.(uintptr)
	}
	return s.size
}

var sizeMessage = regexp.MustCompile(`Unexpected (PJRT_\w+) size: expected (\d+), got (\d+)`)

// sizeOfError returns the name of the struct that an error reports as larger, and its size; nil for other
// errors.
func sizeOfError(err error) []string {
	e, ok := err.(*Error)
	if !ok || e.Code != abi.InvalidArgument {
		return nil
	}
	return sizeMessage.FindStringSubmatch(e.Message)
}

// recordSize stores the size of the struct that an error reports as larger, and reports whether there is one.
func (p *Plugin) recordSize(err error, parts []part) bool {
	m := sizeOfError(err)
	if m == nil {
		return false
	}
	size, err := strconv.ParseUint(m[2], 10, 32)
	if err != nil {
		return false
	}
	for _, s := range parts {
		if s.name == m[1] && uintptr(size) > s.header.StructSize && uintptr(size) <= s.size+padding {
			s.header.StructSize = uintptr(size)
			p.grown.Store(s.name, uintptr(size))
			p.newer.Store(true)
			return true
		}
	}
	return false
}

// takeError makes a Go error of a plugin's, which it frees.
func (p *Plugin) takeError(function string, handle abi.Error) error {
	if handle == 0 {
		return nil
	}
	e := p.newError(function, abi.Unknown, "")
	if fn := p.address(abi.ErrorGetCode); fn != 0 {
		code := newArgs[abi.ErrorGetCodeArgs]()
		code.StructSize, code.Error = abi.ErrorGetCode.ArgsSize(), handle
		if failed := abi.Error(ffi.Call(fn, unsafe.Pointer(code))); failed == 0 {
			e.Code = code.Code
		} else {
			p.destroyError(failed)
		}
	}
	if fn := p.address(abi.ErrorMessage); fn != 0 {
		text := newArgs[abi.ErrorMessageArgs]()
		text.StructSize, text.Error = abi.ErrorMessage.ArgsSize(), handle
		ffi.Call(fn, unsafe.Pointer(text))
		e.Message = goString(text.Message, text.MessageSize)
	}
	p.destroyError(handle)
	return e
}

func (p *Plugin) destroyError(handle abi.Error) {
	if fn := p.address(abi.ErrorDestroy); fn != 0 {
		args := newArgs[abi.ErrorDestroyArgs]()
		args.StructSize, args.Error = abi.ErrorDestroy.ArgsSize(), handle
		ffi.Call(fn, unsafe.Pointer(args))
	}
}

func (p *Plugin) newError(function string, code abi.Code, message string) *Error {
	return &Error{function, code, message, p.path, p.version}
}

// goString copies what C owns.
func goString(s *byte, n uintptr) string {
	if s == nil || n == 0 {
		return ""
	}
	return string(unsafe.Slice(s, n))
}

// copyOf copies a list that C owns.
func copyOf[T any](first *T, n uintptr) []T {
	if first == nil || n == 0 {
		return nil
	}
	return append([]T(nil), unsafe.Slice(first, n)...)
}
