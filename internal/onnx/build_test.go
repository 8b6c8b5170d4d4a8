package onnx_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx/internal/onnx"
)

// Messages of ONNX for tests, as bytes: a field is a number and its content.

func number(field int, v int64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), uint64(v))
}

func fixed32(field int, v float32) []byte {
	return binary.LittleEndian.AppendUint32(binary.AppendUvarint(nil, uint64(field)<<3|5), math.Float32bits(v))
}

func message(field int, parts ...[]byte) []byte {
	var body []byte
	for _, p := range parts {
		body = append(body, p...)
	}
	b := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3|2), uint64(len(body)))
	return append(b, body...)
}

func text(field int, s string) []byte { return message(field, []byte(s)) }

func join(parts ...[]byte) []byte {
	var b []byte
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// model is a ModelProto with a graph and functions.
func model(opset int64, graph []byte, functions ...[]byte) []byte {
	b := join(number(1, 10), message(8, text(1, ""), number(2, opset)), message(8, text(1, "local"), number(2, 1)),
		message(7, graph))
	for _, f := range functions {
		b = append(b, message(25, f)...)
	}
	return b
}

// graph has parts: nodes (1), initializers (5), inputs (11), outputs (12).
func graph(parts ...[]byte) []byte { return join(append(parts, text(2, "g"))...) }

// value is a ValueInfoProto of a tensor; a size of -1 is open.
func value(field int, name string, elem int64, sizes ...int64) []byte {
	var dims [][]byte
	for i, n := range sizes {
		if n < 0 {
			dims = append(dims, message(1, text(2, "n"+string(rune('0'+i)))))
			continue
		}
		dims = append(dims, message(1, number(1, n)))
	}
	return message(field, text(1, name), message(2, message(1, number(1, elem), message(2, dims...))))
}

func input(name string, elem int64, sizes ...int64) []byte { return value(11, name, elem, sizes...) }

func output(name string, elem int64, sizes ...int64) []byte { return value(12, name, elem, sizes...) }

// node is a NodeProto with attributes.
func node(op string, ins, outs []string, attrs ...[]byte) []byte {
	return nodeOf("", op, ins, outs, attrs...)
}

func nodeOf(domain, op string, ins, outs []string, attrs ...[]byte) []byte {
	return message(1, nodeBody(domain, op, ins, outs, attrs...))
}

func nodeBody(domain, op string, ins, outs []string, attrs ...[]byte) []byte {
	var b []byte
	for _, s := range ins {
		b = append(b, text(1, s)...)
	}
	for _, s := range outs {
		b = append(b, text(2, s)...)
	}
	b = append(b, text(4, op)...)
	b = append(b, text(7, domain)...)
	for _, a := range attrs {
		b = append(b, message(5, a)...)
	}
	return b
}

func attrInt(name string, v int64) []byte { return join(text(1, name), number(3, v), number(20, 2)) }

func attrGraph(name string, g []byte) []byte {
	return join(text(1, name), message(6, g), number(20, 5))
}

func attrTensor(name string, t []byte) []byte {
	return join(text(1, name), message(5, t), number(20, 4))
}

// ints is a TensorProto of 64-bit integers.
func ints(name string, shape []int64, v ...int64) []byte {
	var raw []byte
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	return tensor(name, 7, shape, raw)
}

// floats is a TensorProto of floats.
func floats(name string, shape []int64, v ...float32) []byte {
	var raw []byte
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return tensor(name, 1, shape, raw)
}

func tensor(name string, elem int64, shape []int64, raw []byte) []byte {
	var b []byte
	for _, n := range shape {
		b = append(b, number(1, n)...)
	}
	return join(b, number(2, elem), text(8, name), message(9, raw))
}

// save writes a model to a file.
func save(t testing.TB, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a model that is given as bytes.
func open(t testing.TB, b []byte) (*onnx.Program, error) {
	t.Helper()
	return onnx.Open(save(t, b))
}
