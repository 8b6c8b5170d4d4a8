// Package abi is the memory layout of the PJRT C API, version 0.104: the table of functions, their arguments,
// the values of enumerations. It is only data: package pjrt calls through it, package fake implements it.
//
// Every function takes one pointer, to a struct that begins with a [Header]. Handles are integers here, never
// pointers, since they do not point to Go memory.
package abi

import "unsafe"

// The version that this package describes.
const (
	Major = 0
	Minor = 104
)

// API is PJRT_Api, the result of a plugin's GetPjrtApi. Older plugins have fewer functions, newer ones more:
// StructSize is the end of the table.
type API struct {
	StructSize uintptr
	Extensions *Extension
	Version    APIVersion
	Functions  [NumFunctions]uintptr
}

// APIVersion is PJRT_Api_Version.
type APIVersion struct {
	Header
	MajorVersion int32
	MinorVersion int32
}

// Header begins all structs but those of extensions.
type Header struct {
	StructSize uintptr
	Extension  *Extension
}

// Extension is PJRT_Extension_Base, an element of a list.
type Extension struct {
	StructSize uintptr
	Type       ExtensionType
	Next       *Extension
}

// ExtensionType is PJRT_Extension_Type.
type ExtensionType int32

// The supported extensions.
const ExtensionFFI ExtensionType = 5

// FFIExtension is PJRT_FFI_Extension, which registers functions that programs call.
type FFIExtension struct {
	Extension
	TypeIDRegister  uintptr
	UserDataAdd     uintptr
	RegisterHandler uintptr
}

// FFIRegisterHandlerArgs is PJRT_FFI_Register_Handler_Args. It has no extensions, unlike the
// arguments of the functions of the table.
type FFIRegisterHandlerArgs struct {
	StructSize       uintptr
	TargetName       *byte
	TargetNameSize   uintptr
	Handler          uintptr
	PlatformName     *byte
	PlatformNameSize uintptr
	Traits           int32
}

// FFIRegisterHandlerArgsSize is where the last field of [FFIRegisterHandlerArgs] ends.
const FFIRegisterHandlerArgsSize = 52

// Handles of the plugin's objects.
type (
	Error                uintptr
	Event                uintptr
	Client               uintptr
	Device               uintptr
	Memory               uintptr
	DeviceDescription    uintptr
	TopologyDescription  uintptr
	Executable           uintptr
	LoadedExecutable     uintptr
	SerializedExecutable uintptr
	Buffer               uintptr
	ExecuteContext       uintptr
	MultiSliceConfig     uintptr
)

// NamedValue is PJRT_NamedValue. Value has the bits of the union.
type NamedValue struct {
	Header
	Name      *byte
	NameSize  uintptr
	Type      NamedValueType
	Value     uint64
	ValueSize uintptr
}

// NamedValueType is PJRT_NamedValue_Type.
type NamedValueType int32

// What a named value is.
const (
	NamedString NamedValueType = iota
	NamedInt64
	NamedInt64List
	NamedFloat
	NamedBool
)

// Code is PJRT_Error_Code, the codes of Abseil.
type Code int32

// The codes.
const (
	OK Code = iota
	Cancelled
	Unknown
	InvalidArgument
	DeadlineExceeded
	NotFound
	AlreadyExists
	PermissionDenied
	ResourceExhausted
	FailedPrecondition
	Aborted
	OutOfRange
	Unimplemented
	Internal
	Unavailable
	DataLoss
	Unauthenticated
)

// BufferType is PJRT_Buffer_Type.
type BufferType int32

// The element types.
const (
	InvalidType BufferType = iota
	PRED
	S8
	S16
	S32
	S64
	U8
	U16
	U32
	U64
	F16
	F32
	F64
	BF16
	C64
	C128
	F8E5M2
	F8E4M3FN
	F8E4M3B11FNUZ
	F8E5M2FNUZ
	F8E4M3FNUZ
	S4
	U4
	TOKEN
	S2
	U2
	F8E4M3
	F8E3M4
	F8E8M0FNU
	F4E2M1FN
	S1
	U1
)

// HostBufferSemantics is PJRT_HostBufferSemantics.
type HostBufferSemantics int32

// ImmutableOnlyDuringCall allows the caller to change the data as soon as the call returns.
const ImmutableOnlyDuringCall HostBufferSemantics = 0

// MemoryLayoutType is PJRT_Buffer_MemoryLayout_Type.
type MemoryLayoutType int32

// LayoutTiled reports that a layout is a [MemoryLayoutTiled].
const LayoutTiled MemoryLayoutType = 0

// What callers write into struct_size of structs that are arguments' parts.
const (
	NamedValueSize     = unsafe.Sizeof(NamedValue{})
	ProgramSize        = unsafe.Sizeof(Program{})
	ExecuteOptionsSize = unsafe.Sizeof(ExecuteOptions{})
	TiledSize          = unsafe.Sizeof(MemoryLayoutTiled{})
	MemoryLayoutSize   = unsafe.Offsetof(MemoryLayout{}.Type) + 4 // padding follows
)
