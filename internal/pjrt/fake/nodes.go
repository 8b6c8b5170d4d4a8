package fake

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
)

// nodeTimeout is how long a process waits for the devices of another, in milliseconds.
const nodeTimeout = 10_000

// exchange reports the other processes how many devices this one has, and learns theirs, as plugins
// of XLA do. It returns the numbers of devices by process.
func (p *Plugin) exchange(c *client, a *abi.ClientCreateArgs, node, nodes int64) (counts []int, err error) {
	if a.KVGetCallback == 0 || a.KVPutCallback == 0 || a.KVTryGetCallback == 0 {
		return nil, fail(abi.InvalidArgument, "num_nodes is %d, and there is no key-value store", nodes)
	}
	key := func(node int64) string { return fmt.Sprintf("local_topology:%d", node) }
	if _, err := p.tryGetKey(a, "absent"); !isFailure(err, abi.NotFound) {
		return nil, fail(abi.Internal, "a key that is not there: %v", err)
	}
	if err := p.putKey(a, key(node), fmt.Appendf(nil, "%d\x00", p.config.Devices)); err != nil {
		return nil, err
	}
	all := 0
	for n := range nodes {
		value, err := p.getKey(a, key(n))
		if err != nil {
			return nil, err
		}
		count := 0
		if _, err := fmt.Sscanf(string(value), "%d\x00", &count); err != nil {
			return nil, fail(abi.Internal, "the devices of process %d are %q", n, value)
		}
		counts = append(counts, count)
		all += count
	}
	c.process = int32(node)
	c.version = fmt.Appendf(nil, "fake 1.0, %d devices of %d processes", all, nodes)
	store := *a // the functions are good as long as the client
	c.store, c.runs = &store, map[string]int{}
	return counts, nil
}

func isFailure(err error, code abi.Code) bool {
	f, ok := err.(*failure)
	return ok && f.code == code
}

// callbackErrors makes errors for callbacks, of all plugins: their handles are taken back at once.
var callbackErrors = sync.OnceValue(func() *uintptr {
	// The function has three arguments, the last of which is the size.
	f := ffi.CallbackOfMessage(func(code uintptr, message unsafe.Pointer, size uintptr) uintptr {
		return newHandle(&errorObject{base{name: "callback error"},
			failure{abi.Code(int32(code)), text((*byte)(message), size)}, nil})
	})
	return &f
})

// takeError is the error that a callback returned.
func (p *Plugin) takeError(handle uintptr) error {
	if handle == 0 {
		return nil
	}
	e, err := the[*errorObject](handle)
	if err != nil {
		return err
	}
	handles.Delete(handle)
	return &e.failure
}

// The arguments are not zeroed where XLA does not.
const garbage = ^uintptr(0)

func (p *Plugin) getKey(a *abi.ClientCreateArgs, key string) ([]byte, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	args := &abi.KeyValueGetCallbackArgs{Header: abi.Header{StructSize: garbage}, Key: unsafe.StringData(key),
		KeySize: uintptr(len(key)), TimeoutInMS: nodeTimeout, CallbackError: callbackErrors(), UserArg: a.KVGetUserArg}
	pin.Pin(args)
	err := p.takeError(ffi.Call(a.KVGetCallback, unsafe.Pointer(args)))
	if err != nil {
		return nil, err
	}
	return p.takeValue(args.Value, args.ValueSize, args.ValueDeleterCallback), nil
}

func (p *Plugin) tryGetKey(a *abi.ClientCreateArgs, key string) ([]byte, error) {
	args := &abi.KeyValueTryGetCallbackArgs{Header: abi.Header{StructSize: garbage}, Key: unsafe.StringData(key),
		KeySize: uintptr(len(key)), CallbackError: callbackErrors(), UserArg: a.KVTryGetUserArg}
	if err := p.takeError(ffi.Call(a.KVTryGetCallback, unsafe.Pointer(args))); err != nil {
		return nil, err
	}
	return p.takeValue(args.Value, args.ValueSize, args.ValueDeleterCallback), nil
}

func (p *Plugin) putKey(a *abi.ClientCreateArgs, key string, value []byte) error {
	args := &abi.KeyValuePutCallbackArgs{Header: abi.Header{StructSize: garbage}, Key: unsafe.StringData(key),
		KeySize: uintptr(len(key)), Value: unsafe.SliceData(value), ValueSize: uintptr(len(value)),
		CallbackError: callbackErrors(), UserArg: a.KVPutUserArg}
	return p.takeError(ffi.Call(a.KVPutCallback, unsafe.Pointer(args)))
}

// takeValue copies a value and frees it.
func (p *Plugin) takeValue(value *byte, size, deleter uintptr) []byte {
	b := []byte(text(value, size))
	ffi.CallNumbers(deleter, uintptr(unsafe.Pointer(value)))
	return b
}
