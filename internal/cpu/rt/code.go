package rt

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A CodeArena holds the machine code of one executable. Code is added, made executable all at once, and called. The
// memory is unmapped when neither the arena nor any of its functions is reachable: never during a call, which keeps its
// function reachable.
//
// Memory is writable first and executable then, never both: pages change their protection or, if the system forbids
// that, the same pages are mapped twice.
type CodeArena struct {
	mu      sync.Mutex
	chunks  []*mapping // the last one is being filled
	used    int        // bytes of code in the last chunk
	sealed  int        // executable bytes of it
	pending []*Function
	pages   *pages
}

// codeAlign is the alignment of functions, and the largest alignment of constants after the code.
const codeAlign = 64

// ErrNoCode reports that this process cannot run generated machine code.
var ErrNoCode = errors.New("rt: machine code cannot be run here")

// A CodeMemoryError reports that the system has no memory for code, or does not make it executable.
type CodeMemoryError struct {
	Code  string // its name
	Bytes int    // needed
	Cause error
}

func (e *CodeMemoryError) Error() string {
	return fmt.Sprintf("out of memory: %s needed for the machine code %s: %v", Size(int64(e.Bytes)), e.Code, e.Cause)
}

// Unwrap returns the error of the system.
func (e *CodeMemoryError) Unwrap() error { return e.Cause }

// OutOfMemory returns the bytes needed; the system's limit is not known.
func (e *CodeMemoryError) OutOfMemory() (needed, inUse, limit int64) { return int64(e.Bytes), 0, -1 }

// NewCodeArena returns an arena, or an [ErrNoCode] with the reason.
func NewCodeArena() (*CodeArena, error) {
	if err := CanRunCode(); err != nil {
		return nil, err
	}
	return newCodeArena(), nil
}

// newCodeArena is NewCodeArena for the self-test.
func newCodeArena() *CodeArena { return &CodeArena{pages: &system} }

// Add copies position-independent code into the arena, also after [CodeArena.Seal]. The first instructionBytes of the
// code are instructions; constants follow.
func (a *CodeArena) Add(name string, code []byte, instructionBytes int) (*Function, error) {
	if len(code) == 0 || instructionBytes <= 0 || instructionBytes > len(code) {
		return nil, fmt.Errorf("rt: code of %s must have instructions, got %d bytes with %d of instructions", name,
			len(code), instructionBytes)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	at := (a.used + codeAlign - 1) &^ (codeAlign - 1)
	if len(a.chunks) == 0 || at+len(code) > len(a.chunks[len(a.chunks)-1].rx) {
		if err := a.sealLast(); err != nil {
			return nil, err
		}
		size := max(chunkBytes<<min(len(a.chunks), maxDoublings), len(code))
		m, err := a.pages.mapCode(size, mapTwice.Load())
		if err != nil {
			return nil, &CodeMemoryError{Code: name, Bytes: size, Cause: err}
		}
		runtime.AddCleanup(a, (*mapping).free, m)
		a.chunks = append(a.chunks, m)
		at, a.sealed = 0, 0
	}
	m := a.chunks[len(a.chunks)-1]
	copy(m.rw[at:], code)
	a.used = at + len(code)
	f := &Function{Name: name, arena: a, code: m.rx[at : at+len(code) : at+len(code)],
		instructionBytes: instructionBytes}
	a.pending = append(a.pending, f)
	return f, nil
}

// Seal makes all code added so far executable and callable.
func (a *CodeArena) Seal() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.sealLast(); err != nil {
		e := &CodeMemoryError{Bytes: a.used - a.sealed, Cause: err}
		if len(a.pending) > 0 {
			e.Code = a.pending[0].Name
		}
		return e
	}
	perfMap.add(a.pending)
	for _, f := range a.pending {
		f.start()
	}
	a.pending = nil
	return nil
}

// sealLast makes the pages of the last chunk with code executable. Code added later begins on a new page.
func (a *CodeArena) sealLast() error {
	if a.sealed == a.used {
		return nil
	}
	m := a.chunks[len(a.chunks)-1]
	page := a.pages.size()
	end := (a.used + page - 1) &^ (page - 1)
	syncCode(m.rw[a.sealed:end], m.rx[a.sealed:end])
	if err := m.protect(a.sealed, end); err != nil {
		return fmt.Errorf("rt: making code executable: %w", err)
	}
	a.used, a.sealed = end, end
	return nil
}

// Function is machine code in a [CodeArena]: a leaf function without a frame. It gets the address of its arguments and
// memory aligned to 64 bytes, on amd64 4 KiB, in RDI and RSI, on arm64 4.5 KiB, in X0 and X1. It may change all
// registers but RSP on amd64, and SP, X18 and X28 to X30 on arm64: the system and the Go runtime use them in signals.
type Function struct {
	Name string

	arena            *CodeArena // keeps the memory
	code             []byte     // in executable memory, readable
	instructionBytes int
	entry            uintptr        // 0 until the arena is sealed
	labels           unsafe.Pointer // profiler labels, in the runtime's form
}

// Code returns the code in memory, constants included, and its instruction bytes. It is readable while the function is
// reachable.
func (f *Function) Code() (code []byte, instructionBytes int) { return f.code, f.instructionBytes }

// CodeFault is the panic value of a call whose code accessed invalid memory, or divided by 0. The process continues,
// except on Windows, where the Go runtime turns only faults of its own code into panics.
type CodeFault struct {
	Name   string // of the function
	Offset int    // of the instruction in the code; -1 if unknown
	Cause  error  // of the Go runtime
}

// Error implements error.
func (e *CodeFault) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("kernel %s: %v", e.Name, e.Cause)
	}
	return fmt.Sprintf("kernel %s, at %#x of its listing: %v", e.Name, e.Offset, e.Cause)
}

// Unwrap returns the error of the Go runtime.
func (e *CodeFault) Unwrap() error { return e.Cause }

// canRun is the result of the self-test.
var canRun = sync.OnceValue(func() error {
	err := testCode()
	if errors.Is(err, fs.ErrPermission) && system.allocTwice != nil {
		mapTwice.Store(true)
		err = testCode()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoCode, err)
	}
	return nil
})

// mapTwice is set after the system has refused to make a writable page executable.
var mapTwice atomic.Bool

// CanRunCode returns nil if this process can run generated machine code, which the first call tests, else an
// [ErrNoCode] with the reason.
func CanRunCode() error { return canRun() }
