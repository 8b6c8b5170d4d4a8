package abi

import "unsafe"

// MemoryLayoutTiled is PJRT_Buffer_MemoryLayout_Tiled.
type MemoryLayoutTiled struct {
	Header
	MinorToMajor     *int64
	MinorToMajorSize uintptr
	TileDims         *int64
	TileDimSizes     *uintptr
	NumTiles         uintptr
}

// MemoryLayout is PJRT_Buffer_MemoryLayout.
type MemoryLayout struct {
	Header
	Tiled MemoryLayoutTiled // the larger member of a union
	Type  MemoryLayoutType
}

// ClientBufferFromHostBufferArgs is PJRT_Client_BufferFromHostBuffer_Args.
type ClientBufferFromHostBufferArgs struct {
	Header
	Client              Client
	Data                unsafe.Pointer
	Type                BufferType
	Dims                *int64
	NumDims             uintptr
	ByteStrides         *int64
	NumByteStrides      uintptr
	HostBufferSemantics HostBufferSemantics
	Device              Device
	Memory              Memory
	DeviceLayout        *MemoryLayout
	DoneWithHostBuffer  Event
	Buffer              Buffer
}

// BufferDestroyArgs is PJRT_Buffer_Destroy_Args.
type BufferDestroyArgs struct {
	Header
	Buffer Buffer
}

// BufferElementTypeArgs is PJRT_Buffer_ElementType_Args.
type BufferElementTypeArgs struct {
	Header
	Buffer Buffer
	Type   BufferType
}

// BufferDimensionsArgs is PJRT_Buffer_Dimensions_Args.
type BufferDimensionsArgs struct {
	Header
	Buffer  Buffer
	Dims    *int64
	NumDims uintptr
}

// BufferToHostBufferArgs is PJRT_Buffer_ToHostBuffer_Args.
type BufferToHostBufferArgs struct {
	Header
	Src        Buffer
	HostLayout *MemoryLayout
	Dst        unsafe.Pointer
	DstSize    uintptr
	Event      Event
}

// BufferOnDeviceSizeInBytesArgs is PJRT_Buffer_OnDeviceSizeInBytes_Args.
type BufferOnDeviceSizeInBytesArgs struct {
	Header
	Buffer              Buffer
	OnDeviceSizeInBytes uintptr
}

// BufferDeleteArgs is PJRT_Buffer_Delete_Args.
type BufferDeleteArgs struct {
	Header
	Buffer Buffer
}

// BufferIsDeletedArgs is PJRT_Buffer_IsDeleted_Args.
type BufferIsDeletedArgs struct {
	Header
	Buffer    Buffer
	IsDeleted bool
}

// BufferCopyToDeviceArgs is PJRT_Buffer_CopyToDevice_Args.
type BufferCopyToDeviceArgs struct {
	Header
	Buffer    Buffer
	DstDevice Device
	DstBuffer Buffer
}

// BufferDeviceArgs is PJRT_Buffer_Device_Args.
type BufferDeviceArgs struct {
	Header
	Buffer Buffer
	Device Device
}

// BufferReadyEventArgs is PJRT_Buffer_ReadyEvent_Args.
type BufferReadyEventArgs struct {
	Header
	Buffer Buffer
	Event  Event
}
