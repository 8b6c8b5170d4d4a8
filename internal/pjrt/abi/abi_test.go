package abi

import (
	"bufio"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// layout is a C compiler's layout of the header of version 0.104.
type layout struct {
	sizes   map[string][2]uintptr // struct → end of its last field, size
	offsets map[string]uintptr    // function → offset in the table
	fields  map[string][]field    // struct → fields in order
}

type field struct {
	name   string
	offset uintptr
}

func readLayout(t *testing.T) layout {
	t.Helper()
	f, err := os.Open("testdata/pjrt-0.104.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := layout{map[string][2]uintptr{}, map[string]uintptr{}, map[string][]field{}}
	number := func(s string) uintptr {
		n, err := strconv.ParseUint(s, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		return uintptr(n)
	}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		switch c := strings.Fields(lines.Text()); c[0] {
		case "S":
			l.sizes[c[1]] = [2]uintptr{number(c[2]), number(c[3])}
		case "F":
			l.offsets[c[1]] = number(c[2])
		case "O":
			l.fields[c[1]] = append(l.fields[c[1]], field{c[2], number(c[3])})
		}
	}
	if len(l.sizes) != 153 || len(l.offsets) != 135 {
		t.Fatalf("read %d structs and %d functions, want 153 and 135", len(l.sizes), len(l.offsets))
	}
	return l
}

// structs holds every struct of this package by its name in C.
var structs = map[string]any{
	"PJRT_Api":                                            API{},
	"PJRT_Api_Version":                                    APIVersion{},
	"PJRT_Extension_Base":                                 Extension{},
	"PJRT_NamedValue":                                     NamedValue{},
	"PJRT_Program":                                        Program{},
	"PJRT_ExecuteOptions":                                 ExecuteOptions{},
	"PJRT_Buffer_MemoryLayout":                            MemoryLayout{},
	"PJRT_Buffer_MemoryLayout_Tiled":                      MemoryLayoutTiled{},
	"PJRT_Client_BufferFromHostBuffer_Args":               ClientBufferFromHostBufferArgs{},
	"PJRT_Buffer_Destroy_Args":                            BufferDestroyArgs{},
	"PJRT_Buffer_ElementType_Args":                        BufferElementTypeArgs{},
	"PJRT_Buffer_Dimensions_Args":                         BufferDimensionsArgs{},
	"PJRT_Buffer_ToHostBuffer_Args":                       BufferToHostBufferArgs{},
	"PJRT_Buffer_OnDeviceSizeInBytes_Args":                BufferOnDeviceSizeInBytesArgs{},
	"PJRT_Buffer_Delete_Args":                             BufferDeleteArgs{},
	"PJRT_Buffer_IsDeleted_Args":                          BufferIsDeletedArgs{},
	"PJRT_Buffer_CopyToDevice_Args":                       BufferCopyToDeviceArgs{},
	"PJRT_Buffer_Device_Args":                             BufferDeviceArgs{},
	"PJRT_Buffer_ReadyEvent_Args":                         BufferReadyEventArgs{},
	"PJRT_Client_Create_Args":                             ClientCreateArgs{},
	"PJRT_Client_Destroy_Args":                            ClientDestroyArgs{},
	"PJRT_KeyValueGetCallback_Args":                       KeyValueGetCallbackArgs{},
	"PJRT_KeyValueTryGetCallback_Args":                    KeyValueTryGetCallbackArgs{},
	"PJRT_KeyValuePutCallback_Args":                       KeyValuePutCallbackArgs{},
	"PJRT_Client_PlatformName_Args":                       ClientPlatformNameArgs{},
	"PJRT_Client_ProcessIndex_Args":                       ClientProcessIndexArgs{},
	"PJRT_Client_PlatformVersion_Args":                    ClientPlatformVersionArgs{},
	"PJRT_Client_Devices_Args":                            ClientDevicesArgs{},
	"PJRT_Client_AddressableDevices_Args":                 ClientAddressableDevicesArgs{},
	"PJRT_DeviceDescription_Id_Args":                      DeviceDescriptionIdArgs{},
	"PJRT_DeviceDescription_ProcessIndex_Args":            DeviceDescriptionProcessIndexArgs{},
	"PJRT_DeviceDescription_Attributes_Args":              DeviceDescriptionAttributesArgs{},
	"PJRT_DeviceDescription_Kind_Args":                    DeviceDescriptionKindArgs{},
	"PJRT_DeviceDescription_DebugString_Args":             DeviceDescriptionDebugStringArgs{},
	"PJRT_DeviceDescription_ToString_Args":                DeviceDescriptionToStringArgs{},
	"PJRT_Device_GetDescription_Args":                     DeviceGetDescriptionArgs{},
	"PJRT_Device_IsAddressable_Args":                      DeviceIsAddressableArgs{},
	"PJRT_Device_LocalHardwareId_Args":                    DeviceLocalHardwareIdArgs{},
	"PJRT_Device_MemoryStats_Args":                        DeviceMemoryStatsArgs{},
	"PJRT_TopologyDescription_Create_Args":                TopologyDescriptionCreateArgs{},
	"PJRT_TopologyDescription_Destroy_Args":               TopologyDescriptionDestroyArgs{},
	"PJRT_TopologyDescription_PlatformVersion_Args":       TopologyDescriptionPlatformVersionArgs{},
	"PJRT_TopologyDescription_PlatformName_Args":          TopologyDescriptionPlatformNameArgs{},
	"PJRT_TopologyDescription_GetDeviceDescriptions_Args": TopologyDescriptionGetDeviceDescriptionsArgs{},
	"PJRT_Client_Compile_Args":                            ClientCompileArgs{},
	"PJRT_Executable_Destroy_Args":                        ExecutableDestroyArgs{},
	"PJRT_LoadedExecutable_Destroy_Args":                  LoadedExecutableDestroyArgs{},
	"PJRT_LoadedExecutable_GetExecutable_Args":            LoadedExecutableGetExecutableArgs{},
	"PJRT_Executable_Name_Args":                           ExecutableNameArgs{},
	"PJRT_Executable_NumReplicas_Args":                    ExecutableNumReplicasArgs{},
	"PJRT_Executable_NumPartitions_Args":                  ExecutableNumPartitionsArgs{},
	"PJRT_LoadedExecutable_AddressableDevices_Args":       LoadedExecutableAddressableDevicesArgs{},
	"PJRT_Executable_OptimizedProgram_Args":               ExecutableOptimizedProgramArgs{},
	"PJRT_LoadedExecutable_Delete_Args":                   LoadedExecutableDeleteArgs{},
	"PJRT_LoadedExecutable_IsDeleted_Args":                LoadedExecutableIsDeletedArgs{},
	"PJRT_LoadedExecutable_Execute_Args":                  LoadedExecutableExecuteArgs{},
	"PJRT_Executable_NumOutputs_Args":                     ExecutableNumOutputsArgs{},
	"PJRT_Executable_SizeOfGeneratedCodeInBytes_Args":     ExecutableSizeOfGeneratedCodeInBytesArgs{},
	"PJRT_Executable_Fingerprint_Args":                    ExecutableFingerprintArgs{},
	"PJRT_Executable_GetCostAnalysis_Args":                ExecutableGetCostAnalysisArgs{},
	"PJRT_Executable_GetCompiledMemoryStats_Args":         ExecutableGetCompiledMemoryStatsArgs{},
	"PJRT_Executable_OutputElementTypes_Args":             ExecutableOutputElementTypesArgs{},
	"PJRT_Executable_OutputDimensions_Args":               ExecutableOutputDimensionsArgs{},
	"PJRT_Executable_Serialize_Args":                      ExecutableSerializeArgs{},
	"PJRT_Executable_DeserializeAndLoad_Args":             ExecutableDeserializeAndLoadArgs{},
	"PJRT_Compile_Args":                                   CompileArgs{},
	"PJRT_Error_Destroy_Args":                             ErrorDestroyArgs{},
	"PJRT_Error_Message_Args":                             ErrorMessageArgs{},
	"PJRT_Error_GetCode_Args":                             ErrorGetCodeArgs{},
	"PJRT_Plugin_Initialize_Args":                         PluginInitializeArgs{},
	"PJRT_Plugin_Attributes_Args":                         PluginAttributesArgs{},
	"PJRT_Event_Destroy_Args":                             EventDestroyArgs{},
	"PJRT_Event_IsReady_Args":                             EventIsReadyArgs{},
	"PJRT_Event_Error_Args":                               EventErrorArgs{},
	"PJRT_Event_Await_Args":                               EventAwaitArgs{},
	"PJRT_Event_OnReady_Args":                             EventOnReadyArgs{},
}

func TestLayoutOfStructs(t *testing.T) {
	l := readLayout(t)
	for name, s := range structs {
		typ := reflect.TypeOf(s)
		if got, want := typ.Size(), l.sizes[name][1]; got != want {
			t.Errorf("%s has %d bytes, %d in C", name, got, want)
		}
		if name == "PJRT_Api" {
			continue // its fields are TestLayoutOfTable's
		}
		fields := flatten(typ, 0)
		if len(fields) != len(l.fields[name]) {
			t.Errorf("%s has %d fields, %d in C", name, len(fields), len(l.fields[name]))
			continue
		}
		for i, want := range l.fields[name] {
			if got := fields[i]; !sameName(name, got.name, want.name) || got.offset != want.offset {
				t.Errorf("field %d of %s is %s at %d, in C %s at %d", i, name, got.name, got.offset,
					want.name, want.offset)
			}
		}
	}
}

// Each struct of the data that has fields must be one of this package's.
func TestEveryStructIsChecked(t *testing.T) {
	for name := range readLayout(t).fields {
		if structs[name] == nil {
			t.Errorf("%s is not in the list of structs", name)
		}
	}
}

// flatten lists the fields with those of the embedded header.
func flatten(typ reflect.Type, at uintptr) []field {
	var all []field
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Anonymous {
			all = append(all, flatten(f.Type, at+f.Offset)...)
			continue
		}
		all = append(all, field{f.Name, at + f.Offset})
	}
	return all
}

func sameName(in, goName, c string) bool {
	switch {
	case goName == "Extension":
		return c == "extension_start"
	case in == "PJRT_NamedValue" && goName == "Value":
		return c == "int64_value" // the union has no name
	}
	return strings.EqualFold(goName, strings.ReplaceAll(c, "_", ""))
}

func TestLayoutOfTable(t *testing.T) {
	l := readLayout(t)
	if got, want := unsafe.Offsetof(API{}.Functions), uintptr(tableStart); got != want {
		t.Errorf("the table starts at %d, want %d", got, want)
	}
	for f := range Function(NumFunctions) {
		if got, want := f.Offset(), l.offsets[f.String()]; got != want {
			t.Errorf("%s lies at %d, in C at %d", f, got, want)
		}
		if got, want := f.ArgsSize(), l.sizes[f.String()+"_Args"][0]; got != want {
			t.Errorf("arguments of %s end at %d, in C at %d", f, got, want)
		}
	}
	for name, got := range map[string]uintptr{
		"PJRT_NamedValue": NamedValueSize, "PJRT_Program": ProgramSize, "PJRT_ExecuteOptions": ExecuteOptionsSize,
		"PJRT_Buffer_MemoryLayout_Tiled": TiledSize, "PJRT_Buffer_MemoryLayout": MemoryLayoutSize,
	} {
		if want := l.sizes[name][0]; got != want {
			t.Errorf("%s ends at %d, in C at %d", name, got, want)
		}
	}
}
