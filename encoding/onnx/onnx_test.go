package onnx

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// message writes fields by hand: strings and messages, integers, and floats.
type message struct{ b []byte }

func (m *message) bytes(n int, v []byte) *message {
	m.b = binary.AppendUvarint(m.b, uint64(n)<<3|wireBytes)
	m.b = append(binary.AppendUvarint(m.b, uint64(len(v))), v...)
	return m
}
func (m *message) text(n int, v string) *message  { return m.bytes(n, []byte(v)) }
func (m *message) sub(n int, v *message) *message { return m.bytes(n, v.b) }
func (m *message) int(n int, v int64) *message {
	m.b = binary.AppendUvarint(binary.AppendUvarint(m.b, uint64(n)<<3), uint64(v))
	return m
}
func (m *message) float(n int, v float32) *message {
	m.b = binary.LittleEndian.AppendUint32(binary.AppendUvarint(m.b, uint64(n)<<3|wireFixed32), math.Float32bits(v))
	return m
}

func msg() *message { return &message{} }

// small is a model with each kind of message.
func small() []byte {
	shape := msg().sub(1, msg().text(2, "batch")).sub(1, msg().int(1, 3))
	x := msg().text(1, "x").sub(2, msg().sub(1, msg().int(1, 1).sub(2, shape)))
	seq := msg().text(1, "s").sub(2, msg().sub(4, msg().sub(1, msg().sub(1, msg().int(1, 7)))))
	w := msg().int(1, 2).int(1, 2).int(2, 1).text(8, "w").bytes(9, make([]byte, 16))
	packed := msg().bytes(1, []byte{2, 1}).int(2, 7).text(8, "p").bytes(7, []byte{1, 0x80, 1})
	body := msg().sub(1, msg().text(4, "Relu").text(1, "x").text(2, "y"))
	node := msg().text(1, "x").text(1, "").text(2, "y").text(3, "n").text(4, "If").text(7, "com.microsoft").
		sub(5, msg().text(1, "alpha").float(2, 0.5).int(20, 1)).
		sub(5, msg().text(1, "axes").int(8, -1).bytes(8, []byte{3, 4}).int(20, 7)).
		sub(5, msg().text(1, "scales").float(7, 1).bytes(7, []byte{0, 0, 0, 0x40}).int(20, 6)).
		sub(5, msg().text(1, "then_branch").sub(6, body).int(20, 5)).
		sub(5, msg().text(1, "value").sub(5, w).int(20, 4))
	graph := msg().text(2, "g").sub(1, node).sub(5, w).sub(5, packed).sub(11, x).sub(12, seq)
	fn := msg().text(1, "f").text(4, "a").text(5, "b").text(6, "k").sub(7, msg().text(4, "Neg")).text(10, "d").
		sub(9, msg().int(2, 18))
	return msg().int(1, 8).text(2, "test").sub(7, graph).sub(8, msg().text(1, "").int(2, 17)).
		sub(14, msg().text(1, "k").text(2, "v")).sub(25, fn).int(99, 5).text(98, "unknown").b
}

func TestDecode(t *testing.T) {
	m, err := Decode(small())
	if err != nil {
		t.Fatal(err)
	}
	n := m.Graph.Nodes[0]
	got := fmt.Sprintln(m.IRVersion, m.Producer, m.Opsets, m.Metadata, m.Functions[0].Name,
		m.Functions[0].Nodes[0].OpType,
		m.Functions[0].Opsets, m.Graph.Name, n.OpType, n.Domain, fmt.Sprintf("%q", n.Inputs), n.Attr("alpha").Float,
		n.Attr("axes").Ints, n.Attr("scales").Floats, n.Attr("then_branch").Graph.Nodes[0].OpType,
		n.Attr("value").Tensor.Dims, m.Graph.Inputs[0].Type.Tensor, m.Graph.Outputs[0].Type.Sequence.Tensor.Elem)
	want := `8 test [{ 17}] map[k:v] f Neg [{ 18}] g If com.microsoft ["x" ""] 0.5 [-1 3 4] [1 2] Relu [2 2] ` +
		"&{f32 true [{-1 batch} {3 }]} s64\n"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p, err := m.Graph.Initializers[1].Elements()
	if err != nil || !bytes.Equal(p, []byte{1, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0}) {
		t.Errorf("packed: %v, %v", p, err)
	}
}

// TestHostile: every truncation, numbers without end, nesting, sizes beyond the file, is an error or a model, quickly.
func TestHostile(t *testing.T) {
	b := small()
	for i := range b {
		if m, err := Decode(b[:i:i]); err == nil && m == nil {
			t.Fatal(i)
		}
		Decode(append(b[:i:i], 0xff))
	}
	nested := []byte{}
	for range 300 { // a graph in an attribute of a node of a graph…
		nested = msg().bytes(1, msg().bytes(5, msg().bytes(6, nested).b).b).b
	}
	for want, b := range map[string][]byte{
		"nested more than 100 deep":             msg().bytes(7, nested).b,
		"more than ten bytes":                   bytes.Repeat([]byte{0xff}, 20),
		"ends within a field":                   {7<<3 | 2, 0xff, 0xff, 0xff, 0xff, 0x0f},
		"has the wire type 3":                   {7<<3 | 3},
		"a field has the number 0":              {0, 0},
		"ModelProto at byte 0: field 7 has":     msg().int(7, 1).b,
		"GraphProto at byte 2: field 1 has the": msg().sub(7, msg().int(1, 5)).b,
		"more than 4194304 messages":            msg().bytes(7, bytes.Repeat([]byte{1<<3 | 2, 0}, 1<<22)).b,
		"divided into segments":                 msg().sub(7, msg().sub(5, msg().sub(3, msg()))).b,
	} {
		if _, err := Decode(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestTensors(t *testing.T) {
	u4 := func(dims int64, field int, data []byte) *message {
		return msg().int(1, dims).int(2, 21).text(8, "t").bytes(field, data)
	}
	for name, c := range map[string]struct {
		m    *message
		want string
	}{
		"u4 raw":            {u4(3, 9, []byte{0x21, 0x03}), "[1 2 3]"},
		"s4 raw":            {msg().int(1, 2).int(2, 22).bytes(9, []byte{0xf8}), "[248 255]"},
		"u4 packed in ints": {u4(3, 5, []byte{0x21, 0x03}), "[1 2 3]"},
		"u4 each in an int": {u4(3, 5, []byte{1, 2, 3}), "[1 2 3]"},
		"bool":              {msg().int(1, 2).int(2, 9).bytes(5, []byte{0, 1}), "[0 1]"},
		"f16 as bits":       {msg().int(2, 10).bytes(5, []byte{0x80, 0x78}), "[0 60]"},
		"f32":               {msg().int(1, 1).int(2, 1).float(4, 1), "[0 0 128 63]"},
		"empty":             {msg().int(1, 0).int(2, 1), "[]"},
		"too few": {msg().int(1, 2).int(2, 1).float(4, 1),
			`tensor "" has 1 elements of data, its shape [2] has 2`},
		"too many bytes": {msg().int(1, 2).int(2, 2).bytes(9, []byte{1, 2, 3}),
			"has 3 bytes of data, 2 elements of u8 take 2"},
		"negative": {msg().int(1, -1).int(2, 1), "has the sizes [-1]"},
		"huge":     {msg().int(1, 1<<39).int(1, 1<<39).int(2, 1), "has the sizes"},
		"strings":  {msg().int(2, 8), "strings are not elements"},
		"unknown":  {msg().int(2, 77), "the element type 77 is not known"},
		"outside": {msg().int(2, 1).int(14, 1).sub(13, msg().text(1, "location").text(2, "../x")),
			`is in "../x", which is not in the folder`},
		"absolute": {msg().int(2, 1).int(14, 1).sub(13, msg().text(1, "location").text(2, "/etc/passwd")),
			"is not in the folder"},
		"no location": {msg().int(2, 1).int(14, 1), `is in "", which`},
		"not a number": {msg().int(2, 1).int(14, 1).sub(13, msg().text(1, "location").text(2, "x")).sub(13,
			msg().text(1, "offset").text(2, "-4")), "the offset of the data"},
	} {
		x, err := DecodeTensor(c.m.b)
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err = x.External(); err == nil {
			var e []byte
			if e, err = x.Elements(); err == nil {
				if got := fmt.Sprint(e); got != c.want {
					t.Errorf("%s: got %s, want %s", name, got, c.want)
				}
				continue
			}
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// TestCorpus decodes the models and tensors of ONNX's own tests.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("NX_ONNX")
	if dir == "" {
		dir = testkit.Shared(t, "conformance", "onnx")
	}
	models, err := filepath.Glob(filepath.Join(dir, "*", "model.onnx"))
	if err != nil || len(models) == 0 {
		t.Fatalf("no models in %s: %v", dir, err)
	}
	nodes, tensors := 0, 0
	for _, path := range models {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Decode(b)
		if err != nil || m.Graph == nil || len(m.Opsets) == 0 || len(m.Graph.Outputs) == 0 {
			t.Errorf("%s: %v", path, err)
			continue
		}
		nodes += len(m.Graph.Nodes)
		for _, i := range m.Graph.Initializers {
			if _, err := i.Elements(); err != nil && i.Type != StringData {
				t.Errorf("%s: %v", path, err)
			}
			tensors++
		}
		for _, v := range append(m.Graph.Inputs, m.Graph.Outputs...) {
			if v.Type == nil {
				t.Errorf("%s: %s has no type", path, v.Name)
			}
		}
	}
	t.Logf("%d models with %d nodes and %d initializers", len(models), nodes, tensors)
}

func FuzzDecode(f *testing.F) {
	f.Add(small())
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Decode(b)
		if err != nil || m.Graph == nil {
			return
		}
		for _, i := range m.Graph.Initializers {
			i.Elements()
			i.External()
		}
		DecodeTensor(b)
	})
}
