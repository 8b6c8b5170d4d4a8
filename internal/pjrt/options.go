package pjrt

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// CompileOptions are the options of a compilation. Encode writes them as the protocol
// buffer CompileOptionsProto, which is all that plugins take.
type CompileOptions struct {
	// Devices are the numbers of the devices over which the program is spread, one partition
	// each. A program of at most one runs on whichever device a call names.
	Devices []int
	// Flags of XLA (xla_dump_to, …), by name: bool, int64, float64 or string. Unlike the environment variable
	// XLA_FLAGS they apply only to this program, and an unknown one is an error.
	Flags map[string]any
	// Target describes a device that is not present, as an encoded TargetConfigProto.
	Target []byte
}

// Encode returns the bytes.
func (o CompileOptions) Encode() []byte {
	partitions := max(len(o.Devices), 1)
	var build message
	if partitions > 1 {
		build.number(1, math.MaxUint64) // device_ordinal: defined by the assignment
	}
	build.number(4, 1) // num_replicas, which must not be 0
	build.number(5, uint64(partitions))
	if partitions > 1 {
		build.number(6, 1) // use_spmd_partitioning
		build.bytes(9, assignment(o.Devices))
		build.number(19, 1) // use_shardy_partitioner
	}
	var m message
	m.bytes(3, build)
	if partitions == 1 {
		m.number(4, 1) // compile_portable_executable
	}
	for _, name := range slices.Sorted(maps.Keys(o.Flags)) {
		var entry message
		entry.bytes(1, []byte(name))
		entry.bytes(2, flag(o.Flags[name]))
		m.bytes(7, entry)
	}
	if o.Target != nil {
		m.bytes(8, o.Target)
	}
	return m
}

// assignment reports which device each partition runs on.
func assignment(devices []int) message {
	var a message
	a.number(1, 1) // replica_count
	a.number(2, uint64(len(devices)))
	for _, id := range devices {
		var device message
		device.bytes(1, binary.AppendUvarint(nil, uint64(id)))
		a.bytes(3, device)
	}
	return a
}

// flag is an OptionOverrideProto: a value's field follows from its type.
func flag(value any) message {
	var m message
	switch x := value.(type) {
	case string:
		m.bytes(1, []byte(x))
	case bool:
		var n uint64
		if x {
			n = 1
		}
		m.number(2, n)
	case int64:
		m.number(3, uint64(x))
	case float64:
		m = binary.AppendUvarint(m, 4<<3|1)
		m = binary.LittleEndian.AppendUint64(m, math.Float64bits(x))
	}
	return m
}

// message is a protocol buffer that is being written.
type message []byte

func (m *message) number(field int, value uint64) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3)
	*m = binary.AppendUvarint(*m, value)
}

func (m *message) bytes(field int, value []byte) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|2)
	*m = binary.AppendUvarint(*m, uint64(len(value)))
	*m = append(*m, value...)
}
