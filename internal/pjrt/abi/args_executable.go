package abi

// Program is PJRT_Program.
type Program struct {
	Header
	Code       *byte
	CodeSize   uintptr
	Format     *byte
	FormatSize uintptr
}

// ClientCompileArgs is PJRT_Client_Compile_Args.
type ClientCompileArgs struct {
	Header
	Client             Client
	Program            *Program
	CompileOptions     *byte
	CompileOptionsSize uintptr
	Executable         LoadedExecutable
}

// ExecutableDestroyArgs is PJRT_Executable_Destroy_Args.
type ExecutableDestroyArgs struct {
	Header
	Executable Executable
}

// LoadedExecutableDestroyArgs is PJRT_LoadedExecutable_Destroy_Args.
type LoadedExecutableDestroyArgs struct {
	Header
	Executable LoadedExecutable
}

// LoadedExecutableGetExecutableArgs is PJRT_LoadedExecutable_GetExecutable_Args.
type LoadedExecutableGetExecutableArgs struct {
	Header
	LoadedExecutable LoadedExecutable
	Executable       Executable
}

// ExecutableNameArgs is PJRT_Executable_Name_Args.
type ExecutableNameArgs struct {
	Header
	Executable         Executable
	ExecutableName     *byte
	ExecutableNameSize uintptr
}

// ExecutableNumReplicasArgs is PJRT_Executable_NumReplicas_Args.
type ExecutableNumReplicasArgs struct {
	Header
	Executable  Executable
	NumReplicas uintptr
}

// ExecutableNumPartitionsArgs is PJRT_Executable_NumPartitions_Args.
type ExecutableNumPartitionsArgs struct {
	Header
	Executable    Executable
	NumPartitions uintptr
}

// LoadedExecutableAddressableDevicesArgs is PJRT_LoadedExecutable_AddressableDevices_Args.
type LoadedExecutableAddressableDevicesArgs struct {
	Header
	Executable            LoadedExecutable
	AddressableDevices    *Device
	NumAddressableDevices uintptr
}

// ExecutableOptimizedProgramArgs is PJRT_Executable_OptimizedProgram_Args.
type ExecutableOptimizedProgramArgs struct {
	Header
	Executable Executable
	Program    *Program
}

// LoadedExecutableDeleteArgs is PJRT_LoadedExecutable_Delete_Args.
type LoadedExecutableDeleteArgs struct {
	Header
	Executable LoadedExecutable
}

// LoadedExecutableIsDeletedArgs is PJRT_LoadedExecutable_IsDeleted_Args.
type LoadedExecutableIsDeletedArgs struct {
	Header
	Executable LoadedExecutable
	IsDeleted  bool
}

// ExecuteOptions is PJRT_ExecuteOptions.
type ExecuteOptions struct {
	Header
	SendCallbacks               uintptr
	RecvCallbacks               uintptr
	NumSendOps                  uintptr
	NumRecvOps                  uintptr
	LaunchID                    int32
	NonDonatableInputIndices    *int64
	NumNonDonatableInputIndices uintptr
	Context                     ExecuteContext
	CallLocation                *byte
	NumTasks                    uintptr
	TaskIDs                     *int32
	IncarnationIDs              *int64
	MultiSliceConfig            MultiSliceConfig
}

// LoadedExecutableExecuteArgs is PJRT_LoadedExecutable_Execute_Args.
type LoadedExecutableExecuteArgs struct {
	Header
	Executable           LoadedExecutable
	Options              *ExecuteOptions
	ArgumentLists        **Buffer
	NumDevices           uintptr
	NumArgs              uintptr
	OutputLists          **Buffer
	DeviceCompleteEvents *Event
	ExecuteDevice        Device
}

// ExecutableNumOutputsArgs is PJRT_Executable_NumOutputs_Args.
type ExecutableNumOutputsArgs struct {
	Header
	Executable Executable
	NumOutputs uintptr
}

// ExecutableSizeOfGeneratedCodeInBytesArgs is PJRT_Executable_SizeOfGeneratedCodeInBytes_Args.
type ExecutableSizeOfGeneratedCodeInBytesArgs struct {
	Header
	Executable  Executable
	SizeInBytes int64
}

// ExecutableFingerprintArgs is PJRT_Executable_Fingerprint_Args.
type ExecutableFingerprintArgs struct {
	Header
	Executable                Executable
	ExecutableFingerprint     *byte
	ExecutableFingerprintSize uintptr
}

// ExecutableGetCostAnalysisArgs is PJRT_Executable_GetCostAnalysis_Args.
type ExecutableGetCostAnalysisArgs struct {
	Header
	Executable    Executable
	NumProperties uintptr
	Properties    *NamedValue
}

// ExecutableGetCompiledMemoryStatsArgs is PJRT_Executable_GetCompiledMemoryStats_Args.
type ExecutableGetCompiledMemoryStatsArgs struct {
	Header
	Executable                   Executable
	GeneratedCodeSizeInBytes     int64
	ArgumentSizeInBytes          int64
	OutputSizeInBytes            int64
	AliasSizeInBytes             int64
	TempSizeInBytes              int64
	HostGeneratedCodeSizeInBytes int64
	HostArgumentSizeInBytes      int64
	HostOutputSizeInBytes        int64
	HostAliasSizeInBytes         int64
	HostTempSizeInBytes          int64
	PeakMemoryInBytes            int64
	TotalSizeInBytes             int64
	TotalAllocationBytes         int64
	IndefiniteAllocations        int64
	PeakUnpaddedHeapBytes        int64
}

// ExecutableOutputElementTypesArgs is PJRT_Executable_OutputElementTypes_Args.
type ExecutableOutputElementTypesArgs struct {
	Header
	Executable     Executable
	OutputTypes    *BufferType
	NumOutputTypes uintptr
}

// ExecutableOutputDimensionsArgs is PJRT_Executable_OutputDimensions_Args.
type ExecutableOutputDimensionsArgs struct {
	Header
	Executable Executable
	NumOutputs uintptr
	Dims       *int64
	DimSizes   *uintptr
}

// ExecutableSerializeArgs is PJRT_Executable_Serialize_Args.
type ExecutableSerializeArgs struct {
	Header
	Executable                  Executable
	SerializedBytes             *byte
	SerializedBytesSize         uintptr
	SerializedExecutable        SerializedExecutable
	SerializedExecutableDeleter uintptr
}

// ExecutableDeserializeAndLoadArgs is PJRT_Executable_DeserializeAndLoad_Args.
type ExecutableDeserializeAndLoadArgs struct {
	Header
	Client                                 Client
	SerializedExecutable                   *byte
	SerializedExecutableSize               uintptr
	LoadedExecutable                       LoadedExecutable
	OverriddenSerializedCompileOptions     *byte
	OverriddenSerializedCompileOptionsSize uintptr
}

// CompileArgs is PJRT_Compile_Args.
type CompileArgs struct {
	Header
	Topology           TopologyDescription
	Program            *Program
	CompileOptions     *byte
	CompileOptionsSize uintptr
	Client             Client
	Executable         Executable
}
