package npy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-nx/nx/dtype"
)

// floats, ints and complexes return the packed elements of type t.
func floats(t dtype.Type, vs ...float64) []byte {
	b := make([]byte, len(vs)*t.Size())
	for i, v := range vs {
		t.StoreFloat(b, i, v)
	}
	return b
}

func ints(t dtype.Type, vs ...int64) []byte {
	b := make([]byte, len(vs)*t.Size())
	for i, v := range vs {
		t.StoreInt(b, i, v)
	}
	return b
}

func complexes(t dtype.Type, vs ...complex128) []byte {
	b := make([]byte, len(vs)*t.Size())
	for i, v := range vs {
		t.StoreComplex(b, i, v)
	}
	return b
}

// golden lists the files that NumPy wrote, see testdata/make.py.
var golden = []struct {
	file  string
	want  Array
	exact bool // writing the array reproduces the file
}{
	{"bool", New(dtype.Bool, []int{2, 3}, ints(dtype.Bool, 1, 0, 1, 0, 1, 0)), true},
	{"s8", New(dtype.S8, []int{2, 3}, ints(dtype.S8, -3, -2, -1, 0, 1, 2)), true},
	{"s16", New(dtype.S16, []int{2, 3}, ints(dtype.S16, -3, -2, -1, 0, 1, 2)), true},
	{"s32", New(dtype.S32, []int{2, 3}, ints(dtype.S32, -3, -2, -1, 0, 1, 2)), true},
	{"s64", New(dtype.S64, []int{2, 3}, ints(dtype.S64, -3, -2, -1, 0, 1, 2)), true},
	{"u8", New(dtype.U8, []int{2, 3}, ints(dtype.U8, 250, 251, 252, 253, 254, 255)), true},
	{"u16", New(dtype.U16, []int{2, 3}, ints(dtype.U16, 65530, 65531, 65532, 65533, 65534, 65535)), true},
	{"u32", New(dtype.U32, []int{2, 3}, ints(dtype.U32, -6, -5, -4, -3, -2, -1)), true},
	{"u64", New(dtype.U64, []int{2, 3}, ints(dtype.U64, 1<<40, 1<<40+1, 1<<40+2, 1<<40+3, 1<<40+4, 1<<40+5)), true},
	{"f16", New(dtype.F16, []int{2, 3}, floats(dtype.F16, 0, 0.5, 1, 1.5, 2, 2.5)), true},
	{"f32", New(dtype.F32, []int{2, 3}, floats(dtype.F32, 0, 0.5, 1, 1.5, 2, 2.5)), true},
	{"f64", New(dtype.F64, []int{2, 3}, floats(dtype.F64, 0, 0.5, 1, 1.5, 2, 2.5)), true},
	{"c64", New(dtype.C64, []int{2, 3}, complexes(dtype.C64, .5i, 1+.5i, 2+.5i, 3+.5i, 4+.5i, 5+.5i)), true},
	{"c128", New(dtype.C128, []int{2, 3}, complexes(dtype.C128, -.5i, 1-.5i, 2-.5i, 3-.5i, 4-.5i, 5-.5i)), true},
	{"bf16", Array{Header{Void: 2, Shape: []int{2, 3}}, floats(dtype.BF16, 0, 0.5, 1, 1.5, 2, 2.5)}, false},
	{"f8e4m3fn", Array{Header{Void: 1, Shape: []int{2, 3}}, floats(dtype.F8E4M3FN, 0, 0.5, 1, 1.5, 2, 2.5)}, false},
	{"s4", Array{Header{Void: 1, Shape: []int{2, 3}}, []byte{13, 14, 15, 0, 1, 2}}, false}, // not sign-extended
	{"big_s16", New(dtype.S16, []int{2, 3}, ints(dtype.S16, -3, -2, -1, 0, 1, 2)), false},
	{"big_f64", New(dtype.F64, []int{2, 3}, floats(dtype.F64, 0, 0.5, 1, 1.5, 2, 2.5)), false},
	{"big_c64", New(dtype.C64, []int{2, 3}, complexes(dtype.C64, .5i, 1+.5i, 2+.5i, 3+.5i, 4+.5i, 5+.5i)), false},
	{"fortran", New(dtype.S32, []int{2, 3}, ints(dtype.S32, 0, 1, 2, 3, 4, 5)), false},
	{"fortran_3d", New(dtype.U8, []int{2, 3, 4}, upTo(24)), false},
	{"big_fortran", New(dtype.F32, []int{2, 3}, floats(dtype.F32, 0, 1, 2, 3, 4, 5)), false},
	{"scalar", New(dtype.F32, []int{}, floats(dtype.F32, 1.5)), true},
	{"vector", New(dtype.S32, []int{3}, ints(dtype.S32, 0, 1, 2)), true},
	{"empty", New(dtype.F32, []int{0, 3}, []byte{}), true},
	{"version2", New(dtype.F32, []int{2, 3}, floats(dtype.F32, 0, 0.5, 1, 1.5, 2, 2.5)), false},
	{"version3", New(dtype.F32, []int{2, 3}, floats(dtype.F32, 0, 0.5, 1, 1.5, 2, 2.5)), false},
	{"python2", New(dtype.F32, []int{2, 3}, floats(dtype.F32, 0, 0.5, 1, 1.5, 2, 2.5)), false},
}

func upTo(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

func TestReadWhatNumPyWrote(t *testing.T) {
	for _, tt := range golden {
		t.Run(tt.file, func(t *testing.T) {
			name := filepath.Join("testdata", tt.file+".npy")
			got, err := ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			// From a stream whose size is not known, in small pieces.
			r := bytes.NewReader(append(file, "more"...))
			got, err = Read(iotest.OneByteReader(r))
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("Read = %v, %v", got, err)
			}
			if r.Len() != 4 {
				t.Errorf("%d bytes are left after the array, want 4", r.Len())
			}
			var out bytes.Buffer
			if err := Write(&out, got); err != nil {
				t.Fatal(err)
			}
			if tt.exact && !bytes.Equal(out.Bytes(), file) {
				t.Errorf("Write gives\n%q, NumPy\n%q", out.Bytes(), file)
			}
		})
	}
}

func TestUnsupported(t *testing.T) {
	tests := []struct{ file, want string }{
		{"no_string",
			`testdata/no_string.npy: npy: header, byte 10: dtype "|S2" (byte strings) is not supported: unsupported operation`},
		{"no_text", `testdata/no_text.npy: npy: header, byte 10: dtype "<U2" (text) is not supported: unsupported operation`},
		{"no_date",
			`testdata/no_date.npy: npy: header, byte 10: dtype "<M8[D]" (dates) is not supported: unsupported operation`},
		{"no_object",
			`testdata/no_object.npy: npy: header, byte 10: dtype "|O" (Python objects) is not supported: unsupported operation`},
		{"no_struct",
			`testdata/no_struct.npy: npy: header, byte 10: structured dtypes are not supported: unsupported operation`},
	}
	for _, tt := range tests {
		_, err := ReadFile(filepath.Join("testdata", tt.file+".npy"))
		if err == nil || filepath.ToSlash(err.Error()) != tt.want || !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v, want %s", tt.file, err, tt.want)
		}
	}
}

// file returns a file with the given header text and data.
func file(header, data string) string {
	n := len(header)
	return magic + "\x01\x00" + string([]byte{byte(n), byte(n >> 8)}) + header + data
}

func TestParseHeader(t *testing.T) {
	tests := []struct {
		name, header string
		want         Header
		wantErr      string
	}{
		{"double quotes", `{"descr": "<f4", "fortran_order": False, "shape": (2,)}`,
			Header{DType: dtype.F32, Shape: []int{2}}, ""},
		{"no spaces", `{'descr':'|b1','fortran_order':True,'shape':()}`, Header{DType: dtype.Bool, Shape: []int{}}, ""},
		{"many spaces", " { 'descr'\n: 'f4' , 'fortran_order' : False\t, 'shape' : ( 2 , 3 , ) , } \n",
			Header{DType: dtype.F32, Shape: []int{2, 3}}, ""},
		{"native order", `{'descr': '=i8', 'fortran_order': False, 'shape': (1,)}`,
			Header{DType: dtype.S64, Shape: []int{1}}, ""},
		{"raw items", `{'descr': '|V12', 'fortran_order': False, 'shape': (1,)}`,
			Header{Void: 12, Shape: []int{1}}, ""},

		{"empty", ``, Header{}, `byte 0: the header ends where '{' is expected`},
		{"no dict", `(1,)`, Header{}, `byte 0: want '{', not '('`},
		{"no end", `{'descr': '<f4', 'fortran_order': False, 'shape': (2,)`, Header{},
			`byte 54: the header ends where '}' is expected`},
		{"two values", `{'descr': '<f4' '<f4'}`, Header{}, `byte 16: want '}', not '\''`},
		{"more", `{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} + 1`, Header{},
			`byte 56: unexpected text after the dict`},
		{"NUL", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}\x00", Header{},
			`byte 55: unexpected text after the dict`},
		{"missing key", `{'descr': '<f4', 'shape': (2,)}`, Header{}, `byte 31: the key "fortran_order" is missing`},
		{"unknown key", `{'order': 'C'}`, Header{},
			`byte 1: the key "order" is unexpected, want descr, fortran_order and shape`},
		{"key twice", `{'shape': (2,), 'shape': (3,)}`, Header{}, `byte 16: the key "shape" occurs twice`},
		{"key is a number", `{1: 2}`, Header{}, `byte 1: want a string in quotes`},
		{"no colon", `{'shape' (2,)}`, Header{}, `byte 9: want ':', not '('`},
		{"shape is a number", `{'shape': 2}`, Header{}, `byte 10: want '(', not '2'`},
		{"shape is not a tuple", `{'shape': (2)}`, Header{},
			`byte 12: want a comma: in Python (n) is not a tuple`},
		{"negative size", `{'shape': (2, -1)}`, Header{}, `byte 14: want a size, a number that is not negative`},
		{"size is not a number", `{'shape': (n,)}`, Header{}, `byte 11: want a size, a number that is not negative`},
		{"two commas", `{'shape': (1,,)}`, Header{}, `byte 13: want a size, a number that is not negative`},
		{"large size", `{'shape': (9223372036854775808,)}`, Header{}, `byte 11: the size is too large`},
		{"many dimensions", `{'shape': (` + strings.Repeat("1,", 65) + `)}`, Header{},
			`byte 139: the shape has more than 64 dimensions`},
		{"deep", `{'shape': ` + strings.Repeat("(", 60000), Header{},
			`byte 11: want a size, a number that is not negative`},
		{"order is a number", `{'fortran_order': 1}`, Header{}, `byte 18: want True or False`},
		{"open string", `{'descr': '<f4`, Header{}, `byte 10: the string does not end, or is longer than 64 bytes`},
		{"long string", `{'` + strings.Repeat("x", 1000) + `': 1}`, Header{},
			`byte 1: the string does not end, or is longer than 64 bytes`},
		{"escape", `{'de\x73cr': '<f4'}`, Header{}, `byte 4: a string in a header cannot contain '\\'`},
		{"list of fields", `{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}`, Header{},
			`byte 10: structured dtypes are not supported: unsupported operation`},
		{"subarray", `{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': ()}`, Header{},
			`byte 10: structured dtypes are not supported: unsupported operation`},
		{"extended float", `{'descr': '<f16', 'fortran_order': False, 'shape': ()}`, Header{},
			`byte 10: dtype "<f16" (floats of this size) is not supported: unsupported operation`},
		{"no dtype", `{'descr': '', 'fortran_order': False, 'shape': ()}`, Header{},
			`byte 10: dtype "" is not known: unsupported operation`},
		{"no size of raw items", `{'descr': '|V', 'fortran_order': False, 'shape': ()}`, Header{},
			`byte 10: dtype "|V" is not known: unsupported operation`},
		{"raw items of nothing", `{'descr': '|V0', 'fortran_order': False, 'shape': ()}`, Header{},
			`byte 10: dtype "|V0" is not known: unsupported operation`},
		{"signed size of raw items", `{'descr': '|V+2', 'fortran_order': False, 'shape': ()}`, Header{},
			`byte 10: dtype "|V+2" is not known: unsupported operation`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseHeader([]byte(tt.header))
			if tt.wantErr == "" {
				if err != nil || !reflect.DeepEqual(got.Header, tt.want) {
					t.Errorf("got %v, %v, want %v", got.Header, err, tt.want)
				}
				return
			}
			if err == nil || err.Error() != "npy: header, "+tt.wantErr {
				t.Errorf("error %v, want %s", err, tt.wantErr)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	header := `{'descr': '<f8', 'fortran_order': False, 'shape': %s}`
	tests := []struct{ name, file, want string }{
		{"nothing", "", "npy: the first bytes: unexpected EOF"},
		{"other file", "PK\x03\x04____________",
			`npy: a .npy file must start with "\x93NUMPY", got "PK\x03\x04__"`},
		{"version", magic + "\x04\x00\x00\x00\x00\x00", "npy: the format version must be 1.0, 2.0 or 3.0, got 4.0"},
		{"length cut", magic + "\x01\x00\x10", "npy: the length of the header: unexpected EOF"},
		{"header cut", magic + "\x01\x00\x10\x00{", "npy: the header of 16 bytes: unexpected EOF"},
		{"huge header", magic + "\x02\x00\xff\xff\xff\xff{",
			"npy: the header claims 4294967295 bytes, more than the limit of 65536"},
		{"data cut", file(fmt.Sprintf(header, "(2,)"), "123456789"),
			"npy: the data of f64[2]: 16 bytes are needed, 9 are available: unexpected EOF"},
		{"huge claim", file(fmt.Sprintf(header, "(1000, 1000, 1000, 1000)"), "123456789"),
			"npy: the data of f64[1000 1000 1000 1000]: 8000000000000 bytes are needed, 9 are available: unexpected EOF"},
		{"overflow", file(fmt.Sprintf(header, "(4294967296, 4294967296)"), ""),
			"npy: the shape [4294967296 4294967296] is too large"},
		{"overflow of the bytes", file(fmt.Sprintf(header, "(2305843009213693952,)"), ""),
			"npy: the shape [2305843009213693952] is too large"},
		{"overflow with a zero", file(fmt.Sprintf(header, "(0, 4294967296, 4294967296)"), ""),
			"npy: the shape [0 4294967296 4294967296] is too large"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Read(strings.NewReader(tt.file)); err == nil || err.Error() != tt.want {
				t.Errorf("Read: %v\nwant %s", err, tt.want)
			}
			name := filepath.Join(t.TempDir(), "a.npy")
			if err := os.WriteFile(name, []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := ReadFile(name); err == nil || err.Error() != name+": "+tt.want {
				t.Errorf("ReadFile: %v\nwant %s", err, tt.want)
			}
		})
	}
	failure := errors.New("disk on fire")
	if _, err := Read(iotest.ErrReader(failure)); !errors.Is(err, failure) {
		t.Errorf("Read = %v, want %v", err, failure)
	}
}

func TestReadLargeStream(t *testing.T) {
	want := New(dtype.U8, []int{300, 1000}, upTo(300_000))
	var b bytes.Buffer
	if err := Write(&b, want); err != nil {
		t.Fatal(err)
	}
	cut := b.Bytes()[:b.Len()-1]
	got, err := Read(&b)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("an array of several pieces differs, %v", err)
	}
	_, err = Read(bytes.NewReader(cut))
	if want := "npy: the data of u8[300 1000]: 300000 bytes are needed, 299999 are available: unexpected EOF"; err == nil ||
		err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestReadNormalizesBools(t *testing.T) {
	a, err := Read(strings.NewReader(file(`{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}`, "\x00\x01\xff")))
	if err != nil || string(a.Data) != "\x00\x01\x01" {
		t.Errorf("got %v, %v", a.Data, err)
	}
}

func TestWriteTypesThatNumPyLacks(t *testing.T) {
	tests := []struct {
		a    Array
		want Array
	}{
		{New(dtype.BF16, []int{2}, floats(dtype.BF16, 1, -1)),
			New(dtype.U16, []int{2}, ints(dtype.U16, 0x3f80, 0xbf80))},
		{New(dtype.F8E4M3FN, []int{1}, floats(dtype.F8E4M3FN, 1)), New(dtype.U8, []int{1}, []byte{0x38})},
		{New(dtype.F4E2M1FN, []int{1}, floats(dtype.F4E2M1FN, -6)), New(dtype.U8, []int{1}, []byte{0xf})},
		{New(dtype.S4, []int{2}, ints(dtype.S4, -1, 7)), New(dtype.U8, []int{2}, []byte{255, 7})},
		{New(dtype.U4, []int{1}, ints(dtype.U4, 15)), New(dtype.U8, []int{1}, []byte{15})},
		{New(dtype.S2, []int{}, ints(dtype.S2, -2)), New(dtype.U8, []int{}, []byte{254})},
	}
	for _, tt := range tests {
		var b bytes.Buffer
		if err := Write(&b, tt.a); err != nil {
			t.Fatal(err)
		}
		got, err := Read(&b)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%v: got %v, %v, want %v", tt.a, got, err, tt.want)
		}
		back, err := got.As(tt.a.DType)
		if err != nil || !reflect.DeepEqual(back, tt.a) {
			t.Errorf("As(%v) = %v, %v, want %v", tt.a.DType, back, err, tt.a)
		}
	}
}

func TestEveryTypeHasADescr(t *testing.T) {
	for typ := dtype.Bool; typ.IsValid(); typ++ {
		var h Header
		descr := Header{DType: typ}.descr()
		if _, err := h.setDescr(descr); err != nil || h.ItemSize() != typ.Size() {
			t.Errorf("%v is written as %q: %v, %v", typ, descr, h, err)
		}
	}
}

func TestAs(t *testing.T) {
	raw := Array{Header{Void: 1, Shape: []int{2}}, []byte{0x0f, 0x11}}
	got, err := raw.As(dtype.S4)
	if err != nil || !bytes.Equal(got.Data, []byte{0xff, 1}) || raw.Data[0] != 0x0f {
		t.Errorf("As(s4) = %v, %v; the source is %v", got, err, raw)
	}
	if _, err := raw.As(dtype.BF16); err == nil ||
		err.Error() != "npy: items of V1 have 1 bytes and cannot be read as bf16, which has 2" {
		t.Errorf("As(bf16): %v", err)
	}
	if _, err := raw.As(dtype.Invalid); err == nil {
		t.Error("As(invalid): no error")
	}
}

func TestWriteErrors(t *testing.T) {
	tests := []struct {
		name string
		a    Array
		want string
	}{
		{"no type", Array{}, "npy: an item must have either a type or a number of raw bytes, got invalid and 0"},
		{"two types", Array{Header{DType: dtype.F32, Void: 4}, make([]byte, 4)},
			"npy: an item must have either a type or a number of raw bytes, got f32 and 4"},
		{"short", New(dtype.F32, []int{3}, make([]byte, 8)), "npy: an array f32[3] has 8 bytes of data, not 12"},
		{"negative", New(dtype.F32, []int{-1}, nil), "npy: dimension 0 of the shape [-1] is negative"},
		{"overflow", New(dtype.F32, []int{math.MaxInt}, nil),
			"npy: the shape [9223372036854775807] is too large"},
		{"rank", New(dtype.F32, make([]int, 65), nil), "npy: the shape must have at most 64 dimensions, as in NumPy, got 65"},
	}
	for _, tt := range tests {
		if err := Write(io.Discard, tt.a); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.npy")
	want := New(dtype.S16, []int{1, 2}, ints(dtype.S16, 5, -5))
	if err := WriteFile(name, want); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, New(dtype.S16, []int{7}, nil)); err == nil {
		t.Error("a wrong array: no error")
	}
	got, err := ReadFile(name)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files are left, want 1", len(entries))
	}
	if _, err := ReadFile(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	names, err := filepath.Glob("testdata/*.npy")
	if err != nil || len(names) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(file(`{'descr': '>c16', 'fortran_order': True, 'shape': (1L, 2, 0)}`, "")))
	f.Fuzz(func(t *testing.T, in []byte) {
		a, err := Read(bytes.NewReader(in))
		if err != nil {
			return
		}
		if len(a.Data) > len(in) {
			t.Fatalf("%d bytes of data from %d of input", len(a.Data), len(in))
		}
		var b bytes.Buffer
		if err := Write(&b, a); err != nil {
			t.Fatal(err)
		}
		back, err := Read(&b)
		if err != nil || !reflect.DeepEqual(back, a) {
			t.Fatalf("read %v, after writing %v, %v", a, back, err)
		}
	})
}

func Example() {
	data := make([]byte, 2*dtype.F32.Size())
	dtype.F32.StoreFloat(data, 0, 1.5)
	dtype.F32.StoreFloat(data, 1, -2)
	var file bytes.Buffer
	if err := Write(&file, New(dtype.F32, []int{1, 2}, data)); err != nil {
		fmt.Println(err)
	}
	a, err := Read(&file)
	fmt.Println(a.DType, a.Shape, a.DType.LoadFloat(a.Data, 1), err)
	// Output: f32 [1 2] -2 <nil>
}

func ExampleArray_As() {
	bits := Array{Header: Header{Void: 2, Shape: []int{2}}, Data: []byte{0x80, 0x3f, 0x00, 0xc0}}
	a, err := bits.As(dtype.BF16)
	fmt.Println(bits.ItemType(), a.DType, a.DType.LoadFloat(a.Data, 0), a.DType.LoadFloat(a.Data, 1), err)
	// Output: V2 bf16 1 -2 <nil>
}
