package nxterm

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
)

// of returns a tensor of these elements.
func of(name string, d dtype.Type, shape []int, names []string, vectors int, vs ...complex128) Tensor {
	t := Tensor{Name: name, DType: d, Shape: shape, Names: names, Vectors: vectors,
		Data: make([]byte, len(vs)*d.Size())}
	for i, v := range vs {
		switch {
		case d.IsComplex():
			d.StoreComplex(t.Data, i, v)
		case d.IsFloat():
			d.StoreFloat(t.Data, i, real(v))
		case d == dtype.U64 && v == math.MaxUint64:
			d.StoreUint(t.Data, i, math.MaxUint64)
		default:
			d.StoreInt(t.Data, i, int64(real(v)))
		}
	}
	return t
}

// nested is the content of the files made by testdata/make.escript except for the first and the last.
var nested = []Tensor{
	of("a[0]", dtype.F32, []int{3}, []string{"x"}, 1, 1.5, -2, 0.25),
	of("a[1]", dtype.F64, []int{1, 2}, []string{"", "cols"}, 0, 0.1, -1e300),
	of("b.k1", dtype.BF16, []int{2}, nil, 0, 1, -2),
	of("b.k2", dtype.C64, []int{}, nil, 0, 1-3i),
	of("b.k3", dtype.U4, []int{3}, nil, 0, 1, 15, 7),
	of("b.k4", dtype.S2, []int{4}, nil, 0, -1, 1, 0, -2),
	of("b.k5", dtype.F8E5M2, []int{2}, nil, 0, 1, -2),
	of("b.k6", dtype.F8E4M3FN, []int{}, nil, 0, 1),
	of("b.k7", dtype.U64, []int{1}, nil, 0, math.MaxUint64),
}

// TestFilesOfErlang reads what Erlang's own encoder wrote.
func TestFilesOfErlang(t *testing.T) {
	old := []Tensor{
		of("a[0]", dtype.S64, []int{}, nil, 0, 1), of("a[1]", dtype.S64, []int{}, nil, 0, 2),
		of("b.key", dtype.S64, []int{}, nil, 0, 3),
	}
	for name, want := range map[string][]Tensor{
		"tensor": {of("", dtype.S32, []int{3}, nil, 0, 1, -2, 3)}, "nested": nested, "utf8": nested,
		"compressed": nested, "big": nested, "old": old,
	} {
		got, err := ReadFile(filepath.Join("testdata", name+".nx"))
		if err != nil {
			t.Error(err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%v, want\n%v", name, got, want)
		}
	}
}

// TestWriteAsErlang: a lone tensor is what Erlang 26 and later writes, byte for byte, but
// for its encoding of atoms.
func TestWriteAsErlang(t *testing.T) {
	want, err := os.ReadFile("testdata/tensor.nx")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, []Tensor{of("", dtype.S32, []int{3}, nil, 0, 1, -2, 3)}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"t", "s", "nil"} { // ATOM_EXT to SMALL_ATOM_UTF8_EXT
		long := append([]byte{100, 0, byte(len(name))}, name...)
		want = bytes.ReplaceAll(want, long, append([]byte{119, byte(len(name))}, name...))
	}
	binary.BigEndian.PutUint64(want[4:], uint64(len(want)-12-12))
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("%q, want\n%q", b.Bytes(), want)
	}
}

// TestRoundTrip writes and reads tensors of every element type, and of odd shapes.
func TestRoundTrip(t *testing.T) {
	var all []Tensor
	for d := dtype.Type(1); d.IsValid(); d++ {
		n := 5
		x := Tensor{Name: "x" + d.String(), DType: d, Shape: []int{n, 1}, Names: []string{"é", ""},
			Data: make([]byte, n*d.Size())}
		for i := range n {
			if d.IsComplex() {
				d.StoreComplex(x.Data, i, complex(float64(i), -1))
			} else {
				d.StoreBits(x.Data, i, uint64(i)&(1<<min(d.Bits(), 63)-1)&1)
			}
		}
		all = append(all, x)
	}
	all = append(all, Tensor{Name: "empty", DType: dtype.F32, Shape: []int{0, 1 << 40}, Data: []byte{}},
		Tensor{Name: "scalar", DType: dtype.F32, Shape: []int{}, Data: make([]byte, 4)},
		Tensor{Name: "deep", DType: dtype.U8, Shape: slices.Repeat([]int{1}, 300), Data: []byte{7}},
		Tensor{Name: "vectorised", DType: dtype.U8, Shape: []int{2, 1}, Names: []string{"a", "b"}, Vectors: 2,
			Data: []byte{7, 8}})
	all = append(all, nested...)
	for _, list := range [][]Tensor{all, {}, all[:1], {of("", dtype.U2, []int{3}, nil, 0, 1, 2, 3)}} {
		name := filepath.Join(t.TempDir(), "x.nx")
		if err := WriteFile(name, list); err != nil {
			t.Fatal(err)
		}
		got, err := ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(list) {
			t.Fatalf("%d tensors of %d", len(got), len(list))
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], list[i]) {
				t.Errorf("%v, want\n%v", got[i], list[i])
			}
		}
	}
}

func TestBadTensors(t *testing.T) {
	good := of("x", dtype.F32, []int{2}, []string{"a"}, 0, 1, 2)
	for what, change := range map[string]func(x *Tensor){
		"take 8":         func(x *Tensor) { x.Data = x.Data[1:] },
		"negative":       func(x *Tensor) { x.Shape = []int{-2} },
		"too large":      func(x *Tensor) { x.Shape = []int{1 << 40, 1 << 40} },
		"names":          func(x *Tensor) { x.Names = []string{"a", "b"} },
		"no name":        func(x *Tensor) { x.Vectors, x.Names = 1, []string{""} },
		"vectorised":     func(x *Tensor) { x.Vectors = 2 },
		"atoms":          func(x *Tensor) { x.Names = []string{strings.Repeat("a", 256)} },
		"type":           func(x *Tensor) { x.DType = 0 },
		"distinct names": func(x *Tensor) { x.Name = "" },
	} {
		bad := good
		change(&bad)
		other := good
		other.Name = "y"
		err := Write(&bytes.Buffer{}, []Tensor{other, bad})
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestBadFiles: errors are described, and no memory is allocated for announced sizes.
func TestBadFiles(t *testing.T) {
	file := func(header []byte, elements int) []byte {
		b := binary.BigEndian.AppendUint64([]byte("nx\x01\x00"), uint64(len(header)))
		return append(append(b, header...), make([]byte, elements)...)
	}
	header := func(ts ...Tensor) []byte {
		b, err := appendHeader(nil, ts)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	x := of("", dtype.F32, []int{2}, nil, 0, 1, 2)
	p, q := of("p", dtype.F32, []int{2}, nil, 0, 1, 2), of("q", dtype.F32, []int{2}, nil, 0, 1, 2)
	twice := bytes.ReplaceAll(header(p, q), []byte{97, 8, 97, 8}, []byte{97, 0, 97, 8})
	big := binary.BigEndian.AppendUint32([]byte{131, 80}, 1<<31)
	for what, data := range map[string][]byte{
		"does not begin":            []byte("not"),
		"truncated":                 []byte("nx\x01\x00\x00"),
		"version must be 1, got 2":  []byte("nx\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
		"byte order":                []byte("nx\x01\x02\x00\x00\x00\x00\x00\x00\x00\x00"),
		"the file is truncated":     []byte("nx\x01\x00\xff\x00\x00\x00\x00\x00\x00\x00"),
		"not in the file":           file(header(x), 7),
		"overlap":                   file(twice, 8),
		"follow the term":           file(append(header(x), 97, 1), 8),
		"must be 131":               file([]byte{1}, 0),
		"are not data":              file([]byte{131, 112, 0, 0}, 0),
		"nested terms":              file(append([]byte{131}, bytes.Repeat([]byte{104, 1}, 1000)...), 0),
		"the term is truncated":     file([]byte{131, 108, 255, 255, 255, 255}, 0),
		"neither a tensor":          file([]byte{131, 97, 1}, 0),
		"compressed term must have": file(big, 0),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(data)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%s: %d bytes were allocated", what, n)
		}
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.nx")
	if err != nil || len(files) == 0 {
		f.Fatal("no files", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Read(data)
		if err != nil {
			return
		}
		total := 0
		for i := range got {
			if err := got[i].check(); err != nil {
				t.Fatalf("%s: %v", got[i].Name, err)
			}
			total += len(got[i].Data)
		}
		if total > 8*len(data) { // packed elements take a byte each
			t.Fatalf("%d bytes of elements from %d", total, len(data))
		}
		for i := range got {
			if got[i].Name == "" && len(got) > 1 {
				return // a key of a map may be ""
			}
		}
		var b bytes.Buffer
		if err := Write(&b, got); err != nil {
			t.Fatal(err)
		}
		again, err := Read(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(again, got) && len(got) > 0 {
			t.Fatalf("%v, then %v", got, again)
		}
	})
}
