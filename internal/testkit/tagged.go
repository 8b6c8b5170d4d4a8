package testkit

import (
	"encoding/binary"
	"math"
)

// TaggedModel is a model of ONNX by which tests tell whose a row is: x f32[batch][width] and tag f32[batch][1] →
// y f32[batch][width] = 3x + tag, and version f32[batch][1], in each row of which the number of the version is. A width
// of 0 is one that callers choose, "sequence".
func TaggedModel(width, version int) []byte {
	field := func(b []byte, n int, data []byte) []byte {
		b = binary.AppendUvarint(b, uint64(n<<3|2))
		return append(binary.AppendUvarint(b, uint64(len(data))), data...)
	}
	number := func(b []byte, n, v int) []byte {
		return binary.AppendUvarint(binary.AppendUvarint(b, uint64(n<<3)), uint64(v))
	}
	node := func(op, a, b, out string) []byte {
		n := field(field(nil, 1, []byte(a)), 1, []byte(b))
		return field(field(n, 2, []byte(out)), 4, []byte(op))
	}
	constant := func(name string, v float32) []byte {
		t := number(number(nil, 1, 1), 2, 1) // one element of FLOAT
		raw := binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))
		return field(field(t, 8, []byte(name)), 9, raw)
	}
	value := func(name string, columns int) []byte {
		shape := field(nil, 1, field(nil, 2, []byte("batch")))
		if columns > 0 {
			shape = field(shape, 1, number(nil, 1, columns))
		} else {
			shape = field(shape, 1, field(nil, 2, []byte("sequence")))
		}
		tensor := field(number(nil, 1, 1), 2, shape)
		return field(field(nil, 1, []byte(name)), 2, field(nil, 1, tensor))
	}
	var graph []byte
	for _, n := range [][]byte{node("Mul", "x", "three", "product"), node("Add", "product", "tag", "y"),
		node("Mul", "tag", "zero", "zeros"), node("Add", "zeros", "number", "version")} {
		graph = field(graph, 1, n)
	}
	graph = field(graph, 2, []byte("tagged"))
	for _, c := range [][]byte{constant("three", 3), constant("zero", 0), constant("number", float32(version))} {
		graph = field(graph, 5, c)
	}
	graph = field(field(graph, 11, value("x", width)), 11, value("tag", 1))
	graph = field(field(graph, 12, value("y", width)), 12, value("version", 1))
	opset := number(field(nil, 1, nil), 2, 17)
	return field(field(number(nil, 1, 8), 7, graph), 8, opset)
}
