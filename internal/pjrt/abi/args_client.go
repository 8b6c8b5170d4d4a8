package abi

// ClientCreateArgs is PJRT_Client_Create_Args.
type ClientCreateArgs struct {
	Header
	CreateOptions    *NamedValue
	NumOptions       uintptr
	KVGetCallback    uintptr
	KVGetUserArg     uintptr
	KVPutCallback    uintptr
	KVPutUserArg     uintptr
	Client           Client
	KVTryGetCallback uintptr
	KVTryGetUserArg  uintptr
}

// ClientDestroyArgs is PJRT_Client_Destroy_Args.
type ClientDestroyArgs struct {
	Header
	Client Client
}

// ClientPlatformNameArgs is PJRT_Client_PlatformName_Args.
type ClientPlatformNameArgs struct {
	Header
	Client           Client
	PlatformName     *byte
	PlatformNameSize uintptr
}

// ClientProcessIndexArgs is PJRT_Client_ProcessIndex_Args.
type ClientProcessIndexArgs struct {
	Header
	Client       Client
	ProcessIndex int32
}

// ClientPlatformVersionArgs is PJRT_Client_PlatformVersion_Args.
type ClientPlatformVersionArgs struct {
	Header
	Client              Client
	PlatformVersion     *byte
	PlatformVersionSize uintptr
}

// ClientDevicesArgs is PJRT_Client_Devices_Args.
type ClientDevicesArgs struct {
	Header
	Client     Client
	Devices    *Device
	NumDevices uintptr
}

// ClientAddressableDevicesArgs is PJRT_Client_AddressableDevices_Args.
type ClientAddressableDevicesArgs struct {
	Header
	Client                Client
	AddressableDevices    *Device
	NumAddressableDevices uintptr
}

// DeviceDescriptionIdArgs is PJRT_DeviceDescription_Id_Args.
type DeviceDescriptionIdArgs struct {
	Header
	DeviceDescription DeviceDescription
	ID                int32
}

// DeviceDescriptionProcessIndexArgs is PJRT_DeviceDescription_ProcessIndex_Args.
type DeviceDescriptionProcessIndexArgs struct {
	Header
	DeviceDescription DeviceDescription
	ProcessIndex      int32
}

// DeviceDescriptionAttributesArgs is PJRT_DeviceDescription_Attributes_Args.
type DeviceDescriptionAttributesArgs struct {
	Header
	DeviceDescription DeviceDescription
	NumAttributes     uintptr
	Attributes        *NamedValue
}

// DeviceDescriptionKindArgs is PJRT_DeviceDescription_Kind_Args.
type DeviceDescriptionKindArgs struct {
	Header
	DeviceDescription DeviceDescription
	DeviceKind        *byte
	DeviceKindSize    uintptr
}

// DeviceDescriptionDebugStringArgs is PJRT_DeviceDescription_DebugString_Args.
type DeviceDescriptionDebugStringArgs struct {
	Header
	DeviceDescription DeviceDescription
	DebugString       *byte
	DebugStringSize   uintptr
}

// DeviceDescriptionToStringArgs is PJRT_DeviceDescription_ToString_Args.
type DeviceDescriptionToStringArgs struct {
	Header
	DeviceDescription DeviceDescription
	ToString          *byte
	ToStringSize      uintptr
}

// DeviceGetDescriptionArgs is PJRT_Device_GetDescription_Args.
type DeviceGetDescriptionArgs struct {
	Header
	Device            Device
	DeviceDescription DeviceDescription
}

// DeviceIsAddressableArgs is PJRT_Device_IsAddressable_Args.
type DeviceIsAddressableArgs struct {
	Header
	Device        Device
	IsAddressable bool
}

// DeviceLocalHardwareIdArgs is PJRT_Device_LocalHardwareId_Args.
type DeviceLocalHardwareIdArgs struct {
	Header
	Device          Device
	LocalHardwareID int32
}

// DeviceMemoryStatsArgs is PJRT_Device_MemoryStats_Args.
type DeviceMemoryStatsArgs struct {
	Header
	Device                     Device
	BytesInUse                 int64
	PeakBytesInUse             int64
	PeakBytesInUseIsSet        bool
	NumAllocs                  int64
	NumAllocsIsSet             bool
	LargestAllocSize           int64
	LargestAllocSizeIsSet      bool
	BytesLimit                 int64
	BytesLimitIsSet            bool
	BytesReserved              int64
	BytesReservedIsSet         bool
	PeakBytesReserved          int64
	PeakBytesReservedIsSet     bool
	BytesReservableLimit       int64
	BytesReservableLimitIsSet  bool
	LargestFreeBlockBytes      int64
	LargestFreeBlockBytesIsSet bool
	PoolBytes                  int64
	PoolBytesIsSet             bool
	PeakPoolBytes              int64
	PeakPoolBytesIsSet         bool
}

// TopologyDescriptionCreateArgs is PJRT_TopologyDescription_Create_Args.
type TopologyDescriptionCreateArgs struct {
	Header
	TopologyName     *byte
	TopologyNameSize uintptr
	CreateOptions    *NamedValue
	NumOptions       uintptr
	Topology         TopologyDescription
}

// TopologyDescriptionDestroyArgs is PJRT_TopologyDescription_Destroy_Args.
type TopologyDescriptionDestroyArgs struct {
	Header
	Topology TopologyDescription
}

// TopologyDescriptionPlatformVersionArgs is PJRT_TopologyDescription_PlatformVersion_Args.
type TopologyDescriptionPlatformVersionArgs struct {
	Header
	Topology            TopologyDescription
	PlatformVersion     *byte
	PlatformVersionSize uintptr
}

// TopologyDescriptionPlatformNameArgs is PJRT_TopologyDescription_PlatformName_Args.
type TopologyDescriptionPlatformNameArgs struct {
	Header
	Topology         TopologyDescription
	PlatformName     *byte
	PlatformNameSize uintptr
}

// TopologyDescriptionGetDeviceDescriptionsArgs is PJRT_TopologyDescription_GetDeviceDescriptions_Args.
type TopologyDescriptionGetDeviceDescriptionsArgs struct {
	Header
	Topology        TopologyDescription
	Descriptions    *DeviceDescription
	NumDescriptions uintptr
}
