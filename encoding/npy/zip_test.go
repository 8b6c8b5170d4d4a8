package npy

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
)

func TestReadZipOfNumPy(t *testing.T) {
	f32 := New(dtype.F32, []int{2, 3}, floats(dtype.F32, 0, 0.5, 1, 1.5, 2, 2.5))
	tests := []struct {
		file string
		want []Entry
	}{
		{"stored", []Entry{{"a", f32}, {"b", New(dtype.F32, []int{}, floats(dtype.F32, 1.5))}}},
		{"deflated", []Entry{
			{"z", New(dtype.F32, []int{64, 64}, make([]byte, 4*64*64))},
			{"a", New(dtype.Bool, []int{2, 3}, ints(dtype.Bool, 1, 0, 1, 0, 1, 0))},
		}},
	}
	for _, tt := range tests {
		name := filepath.Join("testdata", tt.file+".npz")
		got, err := ReadZipFile(name)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %v, %v", tt.file, got, err)
		}
		z, err := OpenZip(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range tt.want {
			h, err := z.Header(e.Name)
			if err != nil || !reflect.DeepEqual(h, e.Header) {
				t.Errorf("%s: the header of %s is %v, %v", tt.file, e.Name, h, err)
			}
		}
		if err := z.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestReadZipOfOtherFiles: the arrays of an archive are those of NumPy, by name and elements, whatever its files are
// called. NumPy 2.4.6: np.load(file)[name] of the names in files, and "a.npy"; NpzFile.__getitem__ decides by the
// first bytes.
func TestReadZipOfOtherFiles(t *testing.T) {
	array := func(data string) string {
		return file(fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': (1, %d)}", len(data)), data)
	}
	raw := func(data string) Array { return New(dtype.U8, []int{len(data)}, []byte(data)) }
	u8 := func(data string) Array { return New(dtype.U8, []int{1, len(data)}, []byte(data)) }
	in := archive(t, "a", array("one"), "a.npy", array("two"), "b", array("b"), "readme.txt", "hello", "bad.npy",
		"hello world", "short.npy", "\x93",
		"folder/", "", "folder/c.npy", array("c"), "empty", "", "almost", "\x93NUMPx")
	want := []Entry{{"a", u8("one")}, {"a.npy", u8("two")}, {"b", u8("b")}, {"readme.txt", raw("hello")},
		{"bad", raw("hello world")}, {"short", raw("\x93")}, {"folder/c", u8("c")}, {"empty", raw("")},
		{"almost", raw("\x93NUMPx")}}
	got, err := ReadZip(bytes.NewReader(in), int64(len(in)))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v, %v\nwant %v", got, err, want)
	}
	z, err := NewZip(bytes.NewReader(in), int64(len(in)))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range want {
		if h, err := z.Header(e.Name); err != nil || !reflect.DeepEqual(h, e.Header) {
			t.Errorf("the header of %s: %v, %v", e.Name, h, err)
		}
	}
}

func TestZipRoundTrip(t *testing.T) {
	want := []Entry{
		{"w/0", New(dtype.S8, []int{2}, []byte{1, 2})},
		{"b", New(dtype.F64, []int{0}, []byte{})},
		{"a.npy", New(dtype.U8, []int{1000}, make([]byte, 1000))},
	}
	for _, deflate := range []bool{false, true} {
		var b bytes.Buffer
		w := NewZipWriter(&b)
		w.Deflate = deflate
		for _, e := range want {
			if err := w.Write(e.Name, e.Array); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if small := b.Len() < 1000; small != deflate {
			t.Errorf("deflate %v: %d bytes", deflate, b.Len())
		}
		got, err := ReadZip(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("deflate %v: %v, %v", deflate, got, err)
		}
	}
}

func TestZipWriterErrors(t *testing.T) {
	a := New(dtype.S8, []int{1}, []byte{1})
	var b bytes.Buffer
	w := NewZipWriter(&b)
	if err := w.Write("a", a); err != nil {
		t.Fatal(err)
	}
	if err := w.Write("a", a); err == nil || err.Error() != `npy: the archive already has an array named "a"` {
		t.Errorf("a name twice: %v", err)
	}
	if err := w.Write("", a); err == nil {
		t.Error("no name: no error")
	}
	a.Shape = []int{2}
	if err := w.Write("b", a); err == nil ||
		err.Error() != `array "b": npy: an array s8[2] has 1 bytes of data, not 2` {
		t.Errorf("a wrong array: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := ReadZip(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(got) != 1 {
		t.Errorf("after errors the archive holds %v, %v; want the first array", got, err)
	}
}

// archive returns a zip archive of files by name and content.
func archive(t testing.TB, files ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: files[i]})
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadZipErrors(t *testing.T) {
	one := file(`{'descr': '|u1', 'fortran_order': False, 'shape': (3,)}`, "abc")
	damaged := archive(t, "a.npy", one)
	damaged[bytes.Index(damaged, []byte("abc"))] = 'x'
	overlapping := archive(t, "a.npy", one, "b.npy", one)
	directory := bytes.Index(overlapping, []byte("PK\x01\x02"))
	second := directory + 1 + bytes.Index(overlapping[directory+1:], []byte("PK\x01\x02"))
	overlapping[second+22] = 9                // the upper half of the size in the archive
	shortened := archive(t, "a.txt", "hello") // stored, so that the size is that of the directory
	shortened[bytes.LastIndex(shortened, []byte("PK\x01\x02"))+24] = 4
	tests := []struct {
		name string
		file []byte
		want string
	}{
		{"overlapping", overlapping,
			"npy: the files in the archive have more bytes than the archive: they overlap or are cut off"},
		{"no archive", []byte(one), "npy: this is not an .npz archive: zip: not a valid zip file"},
		{"twice", archive(t, "a.npy", one, "a.npy", one), `npy: the archive has two arrays named "a"`},
		{"a damaged array", archive(t, "a.npy", "\x93NUMPY\x09\x00world"),
			`array "a": npy: the format version must be 1.0, 2.0 or 3.0, got 9.0`},
		{"raw bytes twice", archive(t, "a", "hello", "a", one), `npy: the archive has two arrays named "a"`},
		{"fewer raw bytes", shortened, `array "a.txt": npy: the first bytes: zip: not a valid zip file`},
		{"more", archive(t, "a.npy", one+"d"), `array "a": npy: unexpected bytes after the array`},
		{"damaged", damaged, `array "a": npy: zip: checksum error`},
	}
	for _, tt := range tests {
		if _, err := ReadZip(bytes.NewReader(tt.file), int64(len(tt.file))); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	a := archive(t, "a.npy", one)
	z, err := NewZip(bytes.NewReader(a), int64(len(a)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Array("b"); err == nil || err.Error() != `npy: the archive has no array named "b"` {
		t.Errorf("a missing array: %v", err)
	}
}

// TestNumPyReads writes an archive and files for NumPy to read.
func TestNumPyReads(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: needs python3 with numpy")
	}
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Skip("skipped: python3 has no numpy")
	}
	dir := t.TempDir()
	var entries []Entry
	var want []string
	for _, tt := range golden {
		entries = append(entries, Entry{tt.file, tt.want})
		if err := WriteFile(filepath.Join(dir, tt.file+".npy"), tt.want); err != nil {
			t.Fatal(err)
		}
		shape := shapeText(tt.want.Shape)
		want = append(want, fmt.Sprintf("%s %s %s %x", tt.file, tt.want.descr(), shape, tt.want.Data))
	}
	if err := WriteZipFile(filepath.Join(dir, "all.npz"), entries); err != nil {
		t.Fatal(err)
	}
	const script = `
import numpy as np
archive = np.load("all.npz")
for name in archive.files:
    a, b = archive[name], np.load(name + ".npy")
    assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    print(name, a.dtype.str, a.shape, a.tobytes().hex())
`
	cmd := exec.Command(python, "-c", script)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	for i := range want {
		want[i] = strings.TrimSpace(want[i])
	}
	if !slices.Equal(got, want) {
		t.Errorf("NumPy read\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func FuzzReadZip(f *testing.F) {
	for _, name := range []string{"stored", "deflated"} {
		b, err := os.ReadFile(filepath.Join("testdata", name+".npz"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add(archive(f, "readme.txt", "hello"))
	f.Add(archive(f, "a", "hello", "a.npy", "\x93NUMPY", "dir/", ""))
	f.Fuzz(func(t *testing.T, in []byte) {
		entries, err := ReadZip(bytes.NewReader(in), int64(len(in)))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := WriteZip(&b, entries); err != nil {
			for _, e := range entries {
				if e.Name == "" || len(e.Name) > 1<<15 {
					return // such names can be read, but not written
				}
			}
			t.Fatal(err)
		}
		back, err := ReadZip(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil || !reflect.DeepEqual(back, entries) {
			t.Fatalf("read %v, after writing %v, %v", entries, back, err)
		}
	})
}

func ExampleOpenZip() {
	z, err := OpenZip("testdata/stored.npz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z.Close()
	for _, name := range z.Names() {
		h, err := z.Header(name)
		fmt.Println(name, h.DType, h.Shape, err)
	}
	b, err := z.Array("b")
	fmt.Println(b.DType.LoadFloat(b.Data, 0), err)
	// Output:
	// a f32 [2 3] <nil>
	// b f32 [] <nil>
	// 1.5 <nil>
}

// A stored array is read into memory of its size, without growing.
func TestStoredArrayIsHeldOnce(t *testing.T) {
	const size = 8 << 20
	var b bytes.Buffer
	w := NewZipWriter(&b)
	if err := w.Write("a", New(dtype.U8, []int{size}, make([]byte, size))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	z, err := NewZip(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := z.Array("a"); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > size*5/4 {
		t.Errorf("%d bytes were allocated for an array of %d", n, size)
	}
}
