// Package backend is the interface between tensors and compilers: a [Client] owns devices, allocates buffers
// on them and compiles modules; an [Executable] runs on buffers. Calls are asynchronous: results exist at
// once, their contents when [Buffer.Await] returns. The compiler of package cpu completes before it returns.
package backend

import (
	"context"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Client is a compiler with its devices. It is safe for concurrent use.
type Client interface {
	// Name identifies the client in messages and cache keys: "cpu".
	Name() string
	// Devices lists the devices; the first is the default.
	Devices() []Device
	// Put copies elements, as package dtype lays them out, row-major, to a
	// device. The data may be reused when Put returns.
	Put(ctx context.Context, t Type, data []byte, on Device) (Buffer, error)
	// Compile compiles the function @main of a verified module.
	Compile(ctx context.Context, m *stablehlo.Module) (Executable, error)
}

// Device is a memory for buffers. Devices are compared with ==: one device is one value, whichever client
// lists it.
type Device interface {
	// String names the device: "cpu:0".
	String() string
	// Client returns a client that puts data on the device and computes there.
	Client() Client
}

// Executable is a compiled function. It is safe for concurrent use.
type Executable interface {
	// Execute starts the function on buffers of the client's devices and returns its results. A donated
	// argument of the module ([stablehlo.Func.Donated]) must not be used afterwards, whether Execute succeeds
	// or fails: results may be in its memory, and it is released. The other arguments are unchanged. The list
	// itself may be reused when Execute returns.
	Execute(ctx context.Context, args []Buffer) ([]Buffer, error)
	// Close frees the code. Buffers it returned stay valid.
	Close() error
}

// Saver is an [Executable] that can be loaded again, by another process.
type Saver interface {
	// Save returns it as bytes for LoadCompiled of a client of the same kind. They hold machine code: load
	// them only from a trusted source.
	Save() ([]byte, error)
}

// DirectFunc is [Executable.Execute] of a function of at most three arguments, nil for the missing ones, to
// one result on their device: without a context and without lists, which would cost as much as the computation
// of a few elements. The front is the result's, or nil.
type DirectFunc func(a, b, c Buffer) (result Buffer, front *Front, err error)

// Director is an [Executable] that may have a direct form.
type Director interface {
	// Direct returns it, or nil: if there are more arguments or results, if an argument is donated, or if the
	// program has effects, since a failed one is run again.
	Direct() DirectFunc
}

// Buffer is the contents of a tensor on a device.
type Buffer interface {
	Type() Type
	Device() Device
	// Await returns when the contents are computed, or the error of the computation.
	Await(ctx context.Context) error
	// Read awaits the contents and copies them to dst, which has Type().SizeBytes() bytes.
	Read(ctx context.Context, dst []byte) error
	// Release frees the memory; the buffer must not be used afterwards.
	Release()
}

// Mover is a [Client] whose programs may be called with buffers of other clients: it copies them
// for the call.
type Mover interface {
	// MovesFrom reports whether it takes buffers of a device.
	MovesFrom(d Device) bool
}

// MemoryError is an error of a computation that exceeds the available memory. Its text contains the amount and
// the limit.
type MemoryError interface {
	error
	OutOfMemory() (needed, inUse, limit int64)
}

// Counter is a [Client] that counts the memory of its buffers.
type Counter interface {
	// InUse returns the bytes of the buffers in use.
	InUse() int64
}

// Wrapper is a [Client] that computes in the memory of the program.
type Wrapper interface {
	// Wrap returns a buffer that shares data, which must not be changed while the buffer is in use.
	Wrap(t Type, data []byte) (Buffer, error)
}

// Borrower is a [Wrapper] that can share memory with another owner.
type Borrower interface {
	// Borrow is Wrap of data that stay where they are as long as owner is reachable,
	// which it is as long as the buffer. They may begin at any address from which the
	// processor loads elements: those of files that are mapped do.
	Borrow(t Type, data []byte, owner Source) (Buffer, error)
}

// Source is where borrowed memory comes from, such as a file that is mapped and that others may truncate.
type Source interface {
	// Check returns an error once the memory cannot be read. It is fast.
	Check() error
	// Guard calls f, which reads the memory, and returns its error. Where the memory cannot be read, before or
	// meanwhile, it returns an error of that, also if it is a fault of the processor.
	Guard(f func() error) error
}

// Copier is a [Buffer] that can be copied to other devices without the memory of the program.
type Copier interface {
	// CanCopyTo reports whether a device is one of those.
	CanCopyTo(to Device) bool
	// CopyTo starts a copy to one of those.
	CopyTo(to Device) (Buffer, error)
}

// Sharded is a [Buffer] in parts on several devices.
type Sharded interface {
	// Shards returns the parts by device. They live as long as the buffer.
	Shards() []Buffer
}

// Assembler is a [Client] that makes a buffer of parts that are on several devices.
type Assembler interface {
	// Assemble returns the buffer whose parts are those, one on each of the devices of a grid that are
	// of this process, in their order. It takes them over unless it fails.
	Assemble(t Type, c Cut, parts []Buffer) (Buffer, error)
}

// Cut describes the sharding of a buffer over a grid of devices, whose last axis is the fastest.
type Cut struct {
	Axes  []string
	Sizes []int
	Dims  [][]string // the axes along which each dimension is cut, into the largest parts first
}

// Reshaper is a [Buffer] whose elements can have other shapes without a copy.
type Reshaper interface {
	// Reshape returns a buffer of the same elements, in the same order, in
	// another shape. The two share the memory until both are released.
	Reshape(dims []int64) (Buffer, error)
}

// Lender is a [Buffer] in the memory of the program.
type Lender interface {
	// View awaits the contents and calls f with them, which must neither change
	// nor keep them. It returns f's error.
	View(f func(data []byte) error) error
}

// Front is space next to a buffer for its holder, so that the two are one allocation: a number of pointers.
type Front [9]unsafe.Pointer

// Fronted is a [Buffer] that may have a front.
type Fronted interface {
	// TakeFront returns the front, all nil, to the first caller, and nil to later ones or if there is none.
	TakeFront() *Front
}

// Type is the element type and the static shape of a buffer.
type Type struct {
	DType dtype.Type
	Dims  []int64
}

// SizeBytes returns the bytes of the contents.
func (t Type) SizeBytes() int64 {
	n := int64(t.DType.Size())
	for _, d := range t.Dims {
		n *= d
	}
	return n
}
