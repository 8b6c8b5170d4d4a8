package gguf_test

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

	"github.com/go-nx/nx/encoding/gguf"
	"github.com/go-nx/nx/encoding/safetensors"
)

func open(t *testing.T, name string) *gguf.File {
	t.Helper()
	f, err := gguf.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestMetadata: values of all types, as the reference wrote them.
func TestMetadata(t *testing.T) {
	f := open(t, "types.gguf")
	want := map[string]any{"general.architecture": "test", "u8": int64(250), "s8": int64(-100), "u16": int64(65000),
		"s16": int64(-32000), "u32": int64(4000000000), "s32": int64(-2000000000), "u64": uint64(math.MaxUint64),
		"s64": int64(math.MinInt64), "f32": float64(float32(0.1)), "f64": 0.1, "true": true, "text": "grüße",
		"texts": []string{"a", "", "漢"}, "integers": []int64{1, -2, 3}, "floats": []float64{0.5, -1.5},
		"bools": []bool{true, false}, "lists": []any{[]int64{1, 2}, []int64{3}}, "general.alignment": int64(64)}
	got := map[string]any{}
	for key, v := range f.Metadata() {
		got[key] = v
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if f.Version() != 3 {
		t.Errorf("version %d", f.Version())
	}
	if s, err := gguf.Value[string](f, "text"); s != "grüße" || err != nil || !f.Has("text") {
		t.Errorf("%q, %v", s, err)
	}
	for key, want := range map[string]string{"none": "gguf: the metadata none is missing",
		"u8": "gguf: the metadata u8 is of the type int64, want string"} {
		if _, err := gguf.Value[string](f, key); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestTensors: tensors of all types are, to the bit, what the reference decodes. NaNs, which infinite scales make, are
// only that.
func TestTensors(t *testing.T) {
	f := open(t, "types.gguf")
	want, err := safetensors.ReadFile(filepath.Join("testdata", "types.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(f.Infos()); got != len(want)+1 {
		t.Errorf("%d tensors, want %d", got, len(want)+1)
	}
	for _, w := range want {
		got, err := f.Tensor(w.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		data := w.Data
		if elems, _ := got.Type.Blocks(); elems == 1 && got.DType != w.DType { // the reference widens numbers
			data = nil
			for i := range len(w.Data) / 4 {
				b := make([]byte, 4)
				copy(b, w.Data[4*i:])
				x := math.Float32frombits(binary.LittleEndian.Uint32(b))
				n := make([]byte, got.DType.Size())
				got.DType.StoreFloat(n, 0, float64(x))
				data = append(data, n...)
			}
		}
		if !slices.Equal(got.Shape, w.Shape) || len(got.Data) != len(data) {
			t.Errorf("%s: %v %v, want %v", w.Name, got.DType, got.Shape, w.Shape)
			continue
		}
		size := got.DType.Size()
		for i := 0; i < len(data); i += size {
			a, b := got.Data[i:i+size], data[i:i+size]
			isNaN := func(x []byte) bool { return got.DType.IsFloat() && math.IsNaN(got.DType.LoadFloat(x, 0)) }
			if !bytes.Equal(a, b) && !(isNaN(a) && isNaN(b)) {
				t.Errorf("%s: element %d is %x, want %x", w.Name, i/size, a, b)
				break
			}
		}
	}
	_, err = f.Tensor("other")
	if !errors.Is(err, errors.ErrUnsupported) ||
		!strings.HasPrefix(err.Error(), `gguf: tensor "other" is of the type Q2_K: types that are read are`) {
		t.Errorf("a type that cannot be decoded: %v", err)
	}
	if s, err := f.Section("other"); err != nil || s.Size() != 84 {
		t.Errorf("its blocks: %v, %v", s, err)
	}
	if info, ok := f.Info("Q4_0"); !ok || info.Type != gguf.Q4_0 || !slices.Equal(info.Shape, []int{3, 64}) {
		t.Errorf("%v %v", info, ok)
	}
	if _, ok := f.Info("none"); ok {
		t.Error("a tensor that is not there is described")
	}
	if _, err := f.Tensor("none"); err == nil || err.Error() != `gguf: the file has no tensor named "none"` {
		t.Error(err)
	}
	if _, err := gguf.Open(filepath.Join("testdata", "none.gguf")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestSplit: integers times scales are the elements.
func TestSplit(t *testing.T) {
	f := open(t, "types.gguf")
	for _, name := range []string{"Q8_0", "Q4_0"} {
		want, err := f.Tensor(name)
		if err != nil {
			t.Fatal(err)
		}
		q, s, err := f.Split(name)
		if err != nil || !slices.Equal(s.Shape, []int{3, 2}) || q.DType.Size() != 1 {
			t.Errorf("%s: %v %v %v", name, q.Shape, s.Shape, err)
			continue
		}
		for i := range 3 * 64 {
			x := float64(int8(q.Data[i%len(q.Data)]))
			if name == "Q4_0" { // byte i%16 of each 16 has elements i and i+16 of 32
				x = float64(q.Data[i/32*16+i%16]>>(i/16%2*4)&15) - 8
			}
			got, w := float32(x*s.DType.LoadFloat(s.Data, i/32)), float32(want.DType.LoadFloat(want.Data, i))
			if got != w {
				t.Errorf("%s: element %d is %v, want %v", name, i, got, w)
				break
			}
		}
	}
	for name, want := range map[string]string{"F32": "which has no integers with one scale",
		"none": "no tensor named"} {
		if _, _, err := f.Split(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// builder writes files, right and wrong ones.
type builder struct{ bytes.Buffer }

func (b *builder) u32(n uint32) *builder  { binary.Write(b, binary.LittleEndian, n); return b }
func (b *builder) u64(n uint64) *builder  { binary.Write(b, binary.LittleEndian, n); return b }
func (b *builder) text(s string) *builder { b.u64(uint64(len(s))); b.WriteString(s); return b }
func (b *builder) raw(s string) *builder  { b.WriteString(s); return b }
func (b *builder) align(to int) *builder  { b.Write(make([]byte, (to-b.Len()%to)%to)); return b }
func head(tensors, values uint64) *builder {
	return (&builder{}).raw("GGUF").u32(3).u64(tensors).u64(values)
}

// tensor describes one.
func (b *builder) tensor(name string, kind uint32, at uint64, sizes ...uint64) *builder {
	b.text(name).u32(uint32(len(sizes)))
	for _, n := range sizes {
		b.u64(n)
	}
	return b.u32(kind).u64(at)
}

func TestErrors(t *testing.T) {
	data := strings.Repeat("x", 64)
	tests := []struct {
		name string
		file *builder
		want string // "" for none
	}{
		{"empty", head(0, 0), ""},
		{"version 2", (&builder{}).raw("GGUF").u32(2).u64(0).u64(0), ""},
		{"a tensor", head(1, 0).tensor("a", 0, 0, 4, 2).align(32).raw(data), ""},
		{"no dimensions", head(1, 0).tensor("a", 24, 0).align(32).raw(data), ""},
		{"a type without a number", head(1, 0).tensor("a", 77, 0, 4, 2).align(32).raw(data), ""},
		{"a tensor without elements", head(1, 0).tensor("a", 0, 64, 0, 2).align(32).raw(data), ""},

		{"nothing", &builder{}, `the file does not begin with GGUF but with "\x00\x00\x00\x00": is this another kind of file?`},
		{"another kind", (&builder{}).raw("PK\x03\x04....."),
			`the file does not begin with GGUF but with "PK\x03\x04": is this another kind of file?`},
		{"cut", (&builder{}).raw("GGUF\x03"), "byte 4: unexpected EOF: the file ends here"},
		{"version 1", (&builder{}).raw("GGUF").u32(1).u64(0),
			"byte 8: the version 1 of the format is not read, only 2 and 3: convert the model again"},
		{"big-endian", (&builder{}).raw("GGUF\x00\x00\x00\x03"),
			"byte 8: the file is big-endian, only little-endian files are read: convert it with gguf-convert-endian"},
		{"many tensors", head(1<<60, 0), "byte 16: 1152921504606846976 tensors do not fit in the 8 bytes that follow"},
		{"many values", head(0, 1<<60), "byte 24: 1152921504606846976 values do not fit"},
		{"long name", head(0, 1).u64(1 << 40).raw(data),
			"byte 32: the name of a value has 1099511627776 bytes, the format allows 65535"},
		{"long text", head(0, 1).text("k").u32(8).u64(1 << 40).raw(data),
			`byte 45: 1099511627776 bytes of a string do not fit in the 64 bytes that follow, in the metadata "k"`},
		{"long list", head(0, 1).text("k").u32(9).u32(6).u64(17).raw(data),
			`byte 49: 17 values of a list do not fit in the 64 bytes that follow, in the metadata "k"`},
		{"type of a value", head(0, 1).text("k").u32(13).raw(data), `byte 37: the type 13 of a value is not known`},
		{"type of a list", head(0, 1).text("k").u32(9).u32(1 << 31).raw(data),
			"the type 2147483648 of the values of a list"},
		{"deep", head(0, 1).text("k").u32(9).raw(strings.Repeat("\x09\x00\x00\x00\x01"+strings.Repeat("\x00", 7), 20)),
			"lists are nested deeper than 8"},
		{"bool", head(0, 1).text("k").u32(7).raw("\x02"), "a bool is the byte 2"},
		{"value twice", head(0, 2).text("k").u32(0).raw("1").text("k").u32(0).raw("1"),
			`the metadata "k" occurs twice`},
		{"tensor twice", head(2, 0).tensor("a", 24, 0, 1).tensor("a", 24, 32, 1).align(32).raw(data),
			`the tensor "a" occurs twice`},
		{"axes", head(1, 0).tensor("a", 0, 0, 1, 1, 1, 1, 1), "5 axes, a tensor has at most 4"},
		{"axis", head(1, 0).tensor("a", 0, 0, 1<<63), "an axis of 9223372036854775808 elements"},
		{"overflow", head(1, 0).tensor("a", 0, 0, 1<<40, 1<<40),
			"the shape [1099511627776 1099511627776] is too large"},
		{"overflow of bytes", head(1, 0).tensor("a", 28, 0, 1<<61), "the shape [2305843009213693952] is too large"},
		{"part of a block", head(1, 0).tensor("a", 8, 0, 33),
			"rows of the shape [33] are not blocks of 32 elements, as Q8_0"},
		{"part of a row", head(1, 0).tensor("a", 2, 0, 16, 2),
			"rows of the shape [2 16] are not blocks of 32 elements"},
		{"data cut", head(1, 0).tensor("a", 0, 0, 17).align(32).raw(data),
			`tensor "a" has 68 bytes at byte 0 of the data, of which the file has 64`},
		{"no data", head(1, 0).tensor("a", 0, 0, 1),
			`tensor "a" has 4 bytes at byte 0 of the data, of which the file has 0`},
		{"offset", head(1, 0).tensor("a", 0, 1<<63, 1).align(32).raw(data),
			"the data is at byte 9223372036854775808"},
		{"far", head(1, 0).tensor("a", 0, 1<<40, 1).align(32).raw(data),
			`tensor "a" has 4 bytes at byte 1099511627776`},
		{"unaligned", head(1, 0).tensor("a", 0, 4, 1).align(32).raw(data),
			`at byte 4 of the data, which is not a multiple of 32`},
		{"overlap", head(2, 0).tensor("b", 0, 32, 1).tensor("a", 0, 0, 9).align(32).raw(data),
			`"a" and "b" overlap`},
		{"alignment", head(0, 1).text("general.alignment").u32(4).u32(48),
			"general.alignment must be a power of two, got 48"},
	}
	for _, tt := range tests {
		_, err := gguf.New(bytes.NewReader(tt.file.Bytes()), int64(tt.file.Len()))
		good := err == nil
		if tt.want != "" {
			good = err != nil && strings.HasPrefix(err.Error(), "gguf: ") && strings.Contains(err.Error(), tt.want)
		}
		if !good {
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.want)
		}
	}
}

// TestTypeWithoutNumber: a tensor of a type that the package has never heard of is listed, and cannot be read.
func TestTypeWithoutNumber(t *testing.T) {
	b := head(1, 0).tensor("a", 77, 0, 4, 2).align(32).raw("1234")
	f, err := gguf.New(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(f.Infos()); got != "[{a type 77 [2 4]}]" {
		t.Error(got)
	}
	if _, err := f.Tensor("a"); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}

func FuzzOpen(f *testing.F) {
	for _, name := range []string{"types.gguf", "gemma.gguf", "tokens-smollm.gguf"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add(head(1, 0).tensor("a", 2, 0, 32, 2).align(32).raw(strings.Repeat("x", 64)).Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := gguf.New(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for _, info := range file.Infos() {
			x, err := file.Tensor(info.Name)
			if errors.Is(err, errors.ErrUnsupported) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			n := x.DType.Size()
			for _, d := range x.Shape {
				n *= d
			}
			s, err := file.Section(info.Name)
			if err != nil || len(x.Data) != n {
				t.Fatalf("%v: %d bytes, want %d, %v", info, len(x.Data), n, err)
			}
			if raw, err := io.ReadAll(s); err != nil || x.DType == info.Type.DType() && len(raw) == 0 != (n == 0) {
				t.Fatal(err)
			}
		}
	})
}

func Example() {
	f, err := gguf.Open(filepath.Join("testdata", "gemma.gguf"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	fmt.Println(gguf.Value[string](f, "general.architecture"))
	fmt.Println(gguf.Value[int64](f, "gemma.embedding_length"))
	w, err := f.Tensor("blk.0.attn_q.weight")
	fmt.Println(w.Type, w.Shape, w.DType, err)
	// Output:
	// gemma <nil>
	// 32 <nil>
	// Q4_0 [32 32] f32 <nil>
}
