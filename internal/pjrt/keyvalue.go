package pjrt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
)

// KeyValueStore is the store through which processes that share a client's devices communicate. It is safe for
// concurrent use. Plugins distinguish the errors [fs.ErrNotExist], [fs.ErrExist] and
// [context.DeadlineExceeded]; others mean an unavailable store.
type KeyValueStore interface {
	// Get waits for a key.
	Get(key string, timeout time.Duration) ([]byte, error)
	// TryGet returns the value of a key, or [fs.ErrNotExist].
	TryGet(key string) ([]byte, error)
	// Put sets the value of a key that has none.
	Put(key string, value []byte) error
}

// stores holds the stores that plugins use, by the number that they were given.
var stores struct {
	sync.Map
	last atomic.Uint64
}

// values holds the values that plugins were given and have not deleted, by address.
var values sync.Map // uintptr → *runtime.Pinner

// keyValueFunctions are the callbacks of plugins, which run on the plugin's threads.
var keyValueFunctions = sync.OnceValue(func() (f struct{ get, tryGet, put, deleter uintptr }) {
	f.deleter = ffi.Callback(func(address, _ uintptr) uintptr {
		if pin, ok := values.LoadAndDelete(address); ok {
			pin.(*runtime.Pinner).Unpin()
		}
		return 0
	})
	f.get = ffi.CallbackOfPointer(func(args unsafe.Pointer) uintptr {
		a := (*abi.KeyValueGetCallbackArgs)(args)
		return withStore(a.UserArg, a.CallbackError, func(s KeyValueStore) error {
			v, err := s.Get(goString(a.Key, a.KeySize), time.Duration(a.TimeoutInMS)*time.Millisecond)
			if err == nil {
				a.Value, a.ValueSize, a.ValueDeleterCallback = pinValue(v), uintptr(len(v)), f.deleter
			}
			return err
		})
	})
	f.tryGet = ffi.CallbackOfPointer(func(args unsafe.Pointer) uintptr {
		a := (*abi.KeyValueTryGetCallbackArgs)(args)
		return withStore(a.UserArg, a.CallbackError, func(s KeyValueStore) error {
			v, err := s.TryGet(goString(a.Key, a.KeySize))
			if err == nil {
				a.Value, a.ValueSize, a.ValueDeleterCallback = pinValue(v), uintptr(len(v)), f.deleter
			}
			return err
		})
	})
	f.put = ffi.CallbackOfPointer(func(args unsafe.Pointer) uintptr {
		a := (*abi.KeyValuePutCallbackArgs)(args)
		return withStore(a.UserArg, a.CallbackError, func(s KeyValueStore) error {
			return s.Put(goString(a.Key, a.KeySize), copyOf(a.Value, a.ValueSize))
		})
	})
	return f
})

// pinValue copies a value to memory that stays where it is until the plugin deletes it.
func pinValue(value []byte) *byte {
	b := append(make([]byte, 0, len(value)+1), value...)[:len(value)+1]
	pin := new(runtime.Pinner)
	pin.Pin(&b[0])
	values.Store(uintptr(unsafe.Pointer(&b[0])), pin)
	return &b[0]
}

// withStore calls f with the store of a number, and returns the handle of its error, which the
// plugin makes. No panic may leave it.
func withStore(number uintptr, makeError *uintptr, f func(KeyValueStore) error) (handle uintptr) {
	defer func() {
		if r := recover(); r != nil {
			handle = callbackError(makeError, abi.Internal, fmt.Sprint("the program failed in a callback: ", r))
		}
	}()
	v, ok := stores.Load(uint64(number))
	if !ok {
		return callbackError(makeError, abi.Cancelled, "the client of this key-value store is closed")
	}
	err := f(v.(KeyValueStore))
	switch {
	case err == nil:
		return 0
	case errors.Is(err, fs.ErrNotExist):
		return callbackError(makeError, abi.NotFound, err.Error())
	case errors.Is(err, fs.ErrExist):
		return callbackError(makeError, abi.AlreadyExists, err.Error())
	case errors.Is(err, context.DeadlineExceeded):
		return callbackError(makeError, abi.DeadlineExceeded, err.Error())
	}
	return callbackError(makeError, abi.Unavailable, err.Error())
}

// callbackError makes an error by the plugin's function, which copies the message.
func callbackError(makeError *uintptr, code abi.Code, message string) uintptr {
	if makeError == nil || *makeError == 0 {
		return 0 // the error cannot be reported
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	return ffi.CallNumbers(*makeError, uintptr(code), uintptr(unsafe.Pointer(bytesOf(message, &pin))),
		uintptr(len(message)))
}

// share registers a store in arguments, and returns a function that removes it.
func share(args *abi.ClientCreateArgs, store KeyValueStore) (forget func()) {
	if store == nil {
		return func() {}
	}
	number, f := stores.last.Add(1), keyValueFunctions()
	stores.Store(number, store)
	args.KVGetCallback, args.KVGetUserArg = f.get, uintptr(number)
	args.KVPutCallback, args.KVPutUserArg = f.put, uintptr(number)
	args.KVTryGetCallback, args.KVTryGetUserArg = f.tryGet, uintptr(number)
	return func() { stores.Delete(number) }
}
