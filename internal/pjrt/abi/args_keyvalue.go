package abi

// KeyValueGetCallbackArgs is PJRT_KeyValueGetCallback_Args. Plugins leave the header of it, and of
// the two below, as the memory was.
type KeyValueGetCallbackArgs struct {
	Header
	Key                  *byte
	KeySize              uintptr
	TimeoutInMS          int32
	CallbackError        *uintptr // of a function that makes an error: (code, message, size)
	UserArg              uintptr
	Value                *byte
	ValueSize            uintptr
	ValueDeleterCallback uintptr
}

// KeyValueTryGetCallbackArgs is PJRT_KeyValueTryGetCallback_Args.
type KeyValueTryGetCallbackArgs struct {
	Header
	Key                  *byte
	KeySize              uintptr
	CallbackError        *uintptr
	UserArg              uintptr
	Value                *byte
	ValueSize            uintptr
	ValueDeleterCallback uintptr
}

// KeyValuePutCallbackArgs is PJRT_KeyValuePutCallback_Args.
type KeyValuePutCallbackArgs struct {
	Header
	Key           *byte
	KeySize       uintptr
	Value         *byte
	ValueSize     uintptr
	CallbackError *uintptr
	UserArg       uintptr
}
