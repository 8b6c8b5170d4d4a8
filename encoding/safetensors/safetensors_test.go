package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
)

// tensor returns a tensor with the given elements.
func tensor(name string, t dtype.Type, shape []int, vs ...float64) Tensor {
	src := make([]byte, len(vs)*dtype.F64.Size())
	for i, v := range vs {
		dtype.F64.StoreFloat(src, i, v)
	}
	data := make([]byte, len(vs)*t.Size())
	if err := dtype.Convert(data, t, src, dtype.F64); err != nil {
		panic(err)
	}
	return Tensor{Info{name, t, shape}, data}
}

// oddName has a character of each kind that JSON escapes, and some that it need not.
const oddName = "name \"\\\b\t\n\f\r\x01\x7f é \u2028 <&>"

// golden is the content of the files made by testdata/make.py, in their order.
var golden = map[string][]Tensor{
	"types": {
		tensor("u64", dtype.U64, []int{2, 2}, 0, 1, 2, 3),
		tensor("i64", dtype.S64, []int{2, 2}, -2, -1, 0, 1),
		tensor("f64", dtype.F64, []int{2, 2}, 0, 0.5, 1, 1.5),
		{Info{"c64", dtype.C64, []int{2, 2}}, plusI(0, 1, 2, 3)},
		tensor("empty", dtype.F32, []int{0, 3}),
		tensor("f32", dtype.F32, []int{2, 2}, 0, 0.5, 1, 1.5),
		tensor("scalar", dtype.F32, []int{}, 1.5),
		tensor("u32", dtype.U32, []int{2, 2}, 0, 1, 2, 3),
		tensor("i32", dtype.S32, []int{2, 2}, -2, -1, 0, 1),
		tensor("bf16", dtype.BF16, []int{2, 2}, 0, 0.5, 1, 1.5),
		tensor("f16", dtype.F16, []int{2, 2}, 0, 0.5, 1, 1.5),
		tensor("u16", dtype.U16, []int{2, 2}, 0, 1, 2, 3),
		tensor("i16", dtype.S16, []int{2, 2}, -2, -1, 0, 1),
		tensor("f8_e5m2fnuz", dtype.F8E5M2FNUZ, []int{2, 2}, 0, 1, 2, 3),
		tensor("f8_e4m3fnuz", dtype.F8E4M3FNUZ, []int{2, 2}, 0, 1, 2, 3),
		tensor("f8_e8m0", dtype.F8E8M0FNU, []int{2, 2}, 1, 2, 4, 4), // 3 is not a power of two
		tensor("f8_e4m3", dtype.F8E4M3FN, []int{2, 2}, 0, 1, 2, 3),
		tensor("f8_e5m2", dtype.F8E5M2, []int{2, 2}, 0, 1, 2, 3),
		tensor("i8", dtype.S8, []int{2, 2}, -2, -1, 0, 1),
		tensor(oddName, dtype.U8, []int{1}, 0),
		tensor("u8", dtype.U8, []int{2, 2}, 0, 1, 2, 3),
		tensor("bool", dtype.Bool, []int{2, 2}, 1, 0, 1, 0),
	},
	"metadata": {tensor("x", dtype.S16, []int{3}, 0, 1, 2)},
	"none":     {},
	"f4":       {tensor("x", dtype.F4E2M1FN, []int{6}, 0.5, 1, 1.5, 2, 6, -6)},
}

func plusI(vs ...float64) []byte {
	b := make([]byte, len(vs)*dtype.C64.Size())
	for i, v := range vs {
		dtype.C64.StoreComplex(b, i, complex(v, 1))
	}
	return b
}

func TestReadWhatTheReferenceWrote(t *testing.T) {
	for file, want := range golden {
		t.Run(file, func(t *testing.T) {
			name := filepath.Join("testdata", file+".safetensors")
			got, err := ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %v\nwant %v", got, want)
			}
			f, err := Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var metadata map[string]string
			if file == "metadata" {
				metadata = map[string]string{"format": "np"}
			}
			if !reflect.DeepEqual(f.Metadata(), metadata) {
				t.Errorf("metadata %v, want %v", f.Metadata(), metadata)
			}
			for i, info := range f.Infos() {
				if !reflect.DeepEqual(info, want[i].Info) {
					t.Errorf("tensor %d is %v, want %v", i, info, want[i].Info)
				}
			}
			var b bytes.Buffer
			slices.Reverse(got) // the order must not matter
			if err := Write(&b, got, metadata); err != nil {
				t.Fatal(err)
			}
			original, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(b.Bytes(), original) {
				t.Errorf("Write gives\n%q, the reference\n%q", b.Bytes(), original)
			}
		})
	}
}

func TestPackingIsTheInverseOfUnpacking(t *testing.T) {
	for _, c := range codes {
		n := 24 / fileBits(c.t) * c.t.Size() * 8
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(i*37) & byte(1<<min(8, c.t.Bits())-1)
		}
		packed := pack(slices.Clone(data), c.t)
		if want := n / c.t.Size() * fileBits(c.t) / 8; len(packed) != want {
			t.Errorf("%s: packed to %d bytes, want %d", c.name, len(packed), want)
		}
		if back := unpack(packed, c.t); !bytes.Equal(back, data) {
			t.Errorf("%s: %v packed and unpacked is %v", c.name, data, back)
		}
	}
	// Four elements of six bits: 1, 2, 3 and 63 from the lowest bit on.
	if got := pack([]byte{1, 2, 3, 63}, dtype.F6E2M3FN); !bytes.Equal(got, []byte{0x81, 0x30, 0xfc}) {
		t.Errorf("six-bit elements packed to %x", got)
	}
}

// file returns a file with the given header and data.
func file(header, data string) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(header)))) + header + data
}

func open(file string) (*File, error) {
	return New(strings.NewReader(file), int64(len(file)))
}

func TestHeader(t *testing.T) {
	const x = `"dtype":"U8","shape":[4],"data_offsets":[0,4]`
	deep := strings.Repeat("[", 100_000)
	tests := []struct{ name, file, want string }{
		{"plain", file(`{"x":{`+x+`}}`, "1234"), ""},
		{"white space", file(" {\"x\":{"+x+"}}\n\t ", "1234"), ""},
		{"name that is empty", file(`{"":{`+x+`}}`, "1234"), ""},
		{"no metadata", file(`{"__metadata__":null,"x":{`+x+`}}`, "1234"), ""},
		{"keys that are not known", file(`{"x":{"extra":{"a":[1,{}]},`+x+`}}`, "1234"), ""},
		{"any order",
			file(`{"y":{"dtype":"U8","shape":[2],"data_offsets":[2,4]},"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}`,
				"1234"), ""},
		{"empty tensor between",
			file(`{"x":{`+
				x+`},"y":{"dtype":"F32","shape":[0],"data_offsets":[4,4]},"z":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}`,
				"1234"), ""},

		{"nothing", "", "the file must have at least 8 bytes for the length of the header, got 0"},
		{"length cut", "1234567", "the file must have at least 8 bytes for the length of the header, got 7"},
		{"header cut", file("{}", "")[:9], "the header claims 2 bytes, the file has 1 after its length"},
		{"huge header", "\xff\xff\xff\xff\xff\xff\xff\xff{}",
			"the header claims 18446744073709551615 bytes, more than the limit of 100000000; is this another kind of file?"},
		{"large header", "\x01\xe1\xf5\x05\x00\x00\x00\x00{}",
			"the header claims 100000001 bytes, more than the limit of 100000000; is this another kind of file?"},
		{"empty header", file("", ""), "the header is not JSON"},
		{"no JSON", file(`{"x":}`, ""), "the header is not JSON"},
		{"two values", file(`{}{}`, ""), "the header is not JSON"},
		{"NUL after the header", file("{}\x00", ""), "the header is not JSON"},
		{"deep", file(deep, ""), "the header is not JSON"},
		{"deep but whole", file(`{"x":{"extra":`+deep+strings.Repeat("]", 100_000)+`}}`, ""), "the header is not JSON"},
		{"no UTF-8", file("{\"\xff\":{"+x+"}}", "1234"), "the header is not UTF-8"},
		{"no object", file(`[]`, ""), "header, byte 1: the header is not an object"},
		{"name twice", file(`{"x":{`+x+`},"x":{`+x+`}}`, "1234"), `header, byte 56: the name "x" occurs twice`},
		{"metadata twice", file(`{"__metadata__":{},"__metadata__":{}}`, ""),
			`header, byte 33: the name "__metadata__" occurs twice`},
		{"key of the metadata twice", file(`{"__metadata__":{"a":"1","a":"2"}}`, ""),
			`header, byte 28: the metadata "a" occurs twice`},
		{"metadata is a number", file(`{"__metadata__":1}`, ""), `header, byte 17: __metadata__ is not an object`},
		{"metadata holds a number", file(`{"__metadata__":{"a":1}}`, ""),
			`header, byte 22: the metadata "a" is not a string`},
		{"tensor is a list", file(`{"x":["U8",[4],[0,4]]}`, "1234"),
			`header, byte 6: tensor "x": its description is not an object`},
		{"key twice", file(`{"x":{"dtype":"F32",`+x+`}}`, "1234"), `header, byte 32: tensor "x": a key occurs twice`},
		{"no offsets", file(`{"x":{"dtype":"U8","shape":[4]}}`, "1234"),
			`header, byte 31: tensor "x": want the keys dtype, shape and data_offsets`},
		{"wrong case", file(`{"x":{"Dtype":"U8","shape":[4],"data_offsets":[0,4]}}`, "1234"),
			`header, byte 52: tensor "x": want the keys dtype, shape and data_offsets`},
		{"dtype is a number", file(`{"x":{"dtype":8,"shape":[4],"data_offsets":[0,4]}}`, "1234"),
			`header, byte 15: tensor "x": dtype is not a string`},
		{"dtype is not known", file(`{"x":{"dtype":"C128","shape":[4],"data_offsets":[0,4]}}`, "1234"),
			`header, byte 20: tensor "x": dtype "C128" is not known: unsupported operation`},
		{"shape is a number", file(`{"x":{"dtype":"U8","shape":4,"data_offsets":[0,4]}}`, "1234"),
			`header, byte 28: tensor "x": shape is not a list`},
		{"size is negative", file(`{"x":{"dtype":"U8","shape":[-4],"data_offsets":[0,4]}}`, "1234"),
			`header, byte 30: tensor "x": shape holds -4, which is not a whole number from 0 to 9223372036854775807`},
		{"size has a fraction", file(`{"x":{"dtype":"U8","shape":[4.0],"data_offsets":[0,4]}}`, "1234"),
			`header, byte 31: tensor "x": shape holds 4.0, which is not a whole number from 0 to 9223372036854775807`},
		{"size is large", file(`{"x":{"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,4]}}`, "1234"),
			`header, byte 47: tensor "x": shape holds 9223372036854775808, which is not a whole number from 0 to 9223372036854775807`},
		{"size is a string", file(`{"x":{"dtype":"U8","shape":["4"],"data_offsets":[0,4]}}`, "1234"),
			`header, byte 31: tensor "x": shape holds 4, which is not a whole number from 0 to 9223372036854775807`},
		{"size is a list", file(`{"x":{"dtype":"U8","shape":[[4]],"data_offsets":[0,4]}}`, "1234"),
			`header, byte 29: tensor "x": shape holds [, which is not a whole number from 0 to 9223372036854775807`},
		{"three offsets", file(`{"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4,5]}}`, "1234"),
			`header, byte 53: tensor "x": data_offsets are not a begin and an end`},
		{"offsets turned", file(`{"x":{"dtype":"U8","shape":[4],"data_offsets":[4,0]}}`, "1234"),
			`header, byte 51: tensor "x": data_offsets are not a begin and an end`},
		{"shape overflows", file(`{"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}}`, "1234"),
			`tensor "x": the shape [4294967296 4294967296] is too large`},
		{"shape overflows with a zero", file(`{"x":{"dtype":"F32","shape":[0,4294967296,4294967296],"data_offsets":[0,0]}}`,
			""), `tensor "x": the shape [0 4294967296 4294967296] is too large`},
		{"part of a byte", file(`{"x":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}}`, "12"),
			`tensor "x": 3 elements of 4 bits must end at a byte`},
		{"size differs", file(`{"x":{"dtype":"U16","shape":[4],"data_offsets":[0,4]}}`, "1234"),
			`tensor "x" has 4 bytes, want 8 for u16[4]`},
		{"hole",
			file(`{"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"y":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}}`,
				"1234"), `tensor "y" starts at byte 3 of the data, want 2, where the one before ends`},
		{"overlap",
			file(`{"x":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"y":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}}`,
				"1234"), `tensor "y" starts at byte 2 of the data, want 3, where the one before ends`},
		{"empty tensor inside", file(`{"x":{`+x+`},"y":{"dtype":"F32","shape":[0],"data_offsets":[2,2]}}`, "1234"),
			`tensor "y" starts at byte 2 of the data, want 4, where the one before ends`},
		{"data cut", file(`{"x":{`+x+`}}`, "123"), `the tensors have 4 bytes, the file has 3 for them`},
		{"more data", file(`{"x":{`+x+`}}`, "12345"), `the tensors have 4 bytes, the file has 5 for them`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := open(tt.file)
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || err.Error() != "safetensors: "+tt.want {
				t.Errorf("error %v\nwant safetensors: %s", err, tt.want)
			}
		})
	}
}

func TestTensor(t *testing.T) {
	f, err := open(
		file(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[1,3]},"b":{"dtype":"BOOL","shape":[],"data_offsets":[0,1]}}`,
			"\x02xy"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.Tensor("a")
	if err != nil || string(a.Data) != "xy" {
		t.Errorf("a = %v, %v", a, err)
	}
	if b, err := f.Tensor("b"); err != nil || string(b.Data) != "\x01" {
		t.Errorf("b = %v, %v", b, err)
	}
	if _, err := f.Tensor("c"); err == nil || err.Error() != `safetensors: the file has no tensor named "c"` {
		t.Errorf("c: %v", err)
	}
	r, err := f.Section("a")
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := io.ReadAll(r); err != nil || string(raw) != "xy" {
		t.Errorf("the section of a holds %q, %v", raw, err)
	}
	a.Shape[0] = 5
	f.Infos()[0].Shape = []int{7}
	if again, _ := f.Tensor("a"); again.Shape[0] != 2 {
		t.Error("a change of a result's shape changed the file's")
	}
}

// shrinking is a file that loses its end after the header has been read.
type shrinking struct{ data []byte }

func (s *shrinking) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(s.data).ReadAt(b, at)
}

func TestFileThatShrinks(t *testing.T) {
	s := &shrinking{[]byte(file(`{"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}`, "1234"))}
	f, err := New(s, int64(len(s.data)))
	if err != nil {
		t.Fatal(err)
	}
	s.data = s.data[:len(s.data)-1]
	if _, err := f.Tensor("x"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
}

func TestWriteErrors(t *testing.T) {
	u8 := func(name string) Tensor { return tensor(name, dtype.U8, []int{1}, 1) }
	tests := []struct {
		name     string
		tensors  []Tensor
		metadata map[string]string
		want     string
	}{
		{"name twice", []Tensor{u8("a"), u8("b"), u8("a")}, nil, `tensor "a": the name occurs twice`},
		{"name of the metadata", []Tensor{u8("__metadata__")}, nil,
			`tensor "__metadata__": the format uses that name for metadata`},
		{"name is not a UTF-8", []Tensor{u8("\xff")}, nil, `tensor "\xff": the name is not UTF-8`},
		{"metadata is not a UTF-8", nil, map[string]string{"a": "\xff"}, `the metadata "a" is not UTF-8`},
		{"dtype", []Tensor{tensor("a", dtype.S4, []int{2}, 1, 2)}, nil,
			`tensor "a": the format does not support s4: unsupported operation`},
		{"no dtype", []Tensor{{}}, nil, `tensor "": the format does not support invalid: unsupported operation`},
		{"short", []Tensor{{Info{"a", dtype.F32, []int{2}}, make([]byte, 4)}}, nil,
			`tensor "a": f32[2] has 4 bytes of data, not 8`},
		{"negative", []Tensor{{Info{"a", dtype.F32, []int{-1}}, nil}}, nil,
			`tensor "a": dimension 0 of the shape [-1] is negative`},
		{"overflow", []Tensor{{Info{"a", dtype.F32, []int{math.MaxInt}}, nil}}, nil,
			`tensor "a": the shape [9223372036854775807] is too large`},
		{"part of a byte", []Tensor{tensor("a", dtype.F4E2M1FN, []int{3}, 1, 2, 3)}, nil,
			`tensor "a": 3 elements of 4 bits must end at a byte`},
	}
	for _, tt := range tests {
		if err := Write(io.Discard, tt.tensors, tt.metadata); err == nil || err.Error() != "safetensors: "+tt.want {
			t.Errorf("%s: %v, want safetensors: %s", tt.name, err, tt.want)
		}
	}
}

func TestWriteFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.safetensors")
	want := []Tensor{tensor("x", dtype.BF16, []int{2}, 1, 2)}
	metadata := map[string]string{"b": "2", "a": "1", "c": oddName}
	if err := WriteFile(name, want, metadata); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, []Tensor{{}}, nil); err == nil {
		t.Error("a wrong tensor: no error")
	}
	got, err := ReadFile(name)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	f, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !reflect.DeepEqual(f.Metadata(), metadata) {
		t.Errorf("metadata %q", f.Metadata())
	}
	if _, err := Open(name + ".none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func FuzzNew(f *testing.F) {
	for name := range golden {
		b, err := os.ReadFile(filepath.Join("testdata", name+".safetensors"))
		if err != nil {
			f.Fatal(err)
		}
		n := 8 + binary.LittleEndian.Uint64(b)
		f.Add(string(b[8:n]), string(b[n:]))
	}
	f.Add(`{"x":{"dtype":"F6_E2M3","shape":[4],"data_offsets":[0,3]}}`, "123")
	f.Add(`{"x":{"dtype":"U8","shape":[2,0],"data_offsets":[0,0],"y":[{}]},"__metadata__":null}`, "")
	f.Fuzz(func(t *testing.T, header, data string) {
		st, err := open(file(header, data))
		if err != nil {
			return
		}
		var tensors []Tensor
		for _, info := range st.Infos() {
			tensor, err := st.Tensor(info.Name)
			if err != nil {
				t.Fatal(err)
			}
			tensors = append(tensors, tensor)
		}
		var b bytes.Buffer
		if err := Write(&b, tensors, st.Metadata()); err != nil {
			t.Fatal(err)
		}
		back, err := New(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatalf("after writing: %v", err)
		}
		if !reflect.DeepEqual(back.Metadata(), st.Metadata()) {
			t.Fatalf("metadata %q, after writing %q", st.Metadata(), back.Metadata())
		}
		for _, want := range tensors {
			got, err := back.Tensor(want.Name)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("read %v, after writing %v, %v", want, got, err)
			}
		}
	})
}

func Example() {
	data := make([]byte, 2*dtype.F32.Size())
	dtype.F32.StoreFloat(data, 1, 0.5)
	var b bytes.Buffer
	w := Tensor{Info: Info{Name: "w", DType: dtype.F32, Shape: []int{2}}, Data: data}
	if err := Write(&b, []Tensor{w}, map[string]string{"format": "nx"}); err != nil {
		fmt.Println(err)
		return
	}
	f, err := New(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, info := range f.Infos() {
		t, err := f.Tensor(info.Name)
		fmt.Println(info.Name, info.DType, info.Shape, t.DType.LoadFloat(t.Data, 1), err)
	}
	fmt.Println(f.Metadata())
	// Output:
	// w f32 [2] 0.5 <nil>
	// map[format:nx]
}
