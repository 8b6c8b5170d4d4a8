package payload

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-nx/nx/internal/mapped"
)

// base is an executable for tests, of some pages.
func base(head string) []byte { return append(bytes.Repeat([]byte(head), 3000), mark[:]...) }

var someFiles = []File{
	Bytes("manifest.json", []byte("{}")),
	Bytes("models/m/1/model.onnx", bytes.Repeat([]byte{1, 2, 3}, 5000)),
	Bytes("models/m/tokenizer.json", nil),
	Bytes("code/a", []byte("x")),
}

func written(t testing.TB, base []byte, files []File) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, base, files); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	plain := base("code")
	program := written(t, plain, someFiles)
	if !bytes.Equal(program, written(t, plain, someFiles)) {
		t.Error("two programs of the same files differ")
	}
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, program, 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := Open(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Verify(); err != nil {
		t.Error(err)
	}
	var names []string
	for _, f := range someFiles {
		names = append(names, f.Name)
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := fs.ReadFile(p, f.Name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v", f.Name, len(got), err)
		}
		if s := p.files[f.Name]; s.offset%fileAlign != 0 {
			t.Errorf("%s is at %d", f.Name, s.offset)
		}
		if m, err := mapped.OpenIn(p, f.Name); err == nil {
			if !bytes.Equal(m.Data, want) {
				t.Errorf("%s is mapped as %d bytes", f.Name, len(m.Data))
			}
			m.Discard()
		} else if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if err := fstest.TestFS(p, names...); err != nil {
		t.Error(err)
	}
	again, err := Base(program)
	if err != nil || len(again) != len(plain)+(-len(plain))&(startAlign-1) {
		t.Errorf("the executable of the program has %d bytes of %d, %v", len(again), len(plain), err)
	}
	if got := written(t, again, someFiles); !bytes.Equal(got, program) {
		t.Error("a program made of a program differs from it")
	}
	if z, err := zip.NewReader(bytes.NewReader(program), int64(len(program))); err != nil || len(z.File) != len(names) {
		t.Errorf("package archive/zip: %v", err)
	}
}

// The mark is changed, but for macOS, whose executables are signed.
func TestMark(t *testing.T) {
	plain := base("code")
	program := written(t, plain, nil)
	want := bytes.Replace(plain, []byte("payload: no "), []byte("payload: yes"), 1)
	if !bytes.HasPrefix(program, want) {
		t.Error("the executable has another change than that of its mark")
	}
	signed := base("\xcf\xfa\xed\xfe")
	if !bytes.HasPrefix(written(t, signed, nil), signed) {
		t.Error("an executable of macOS was changed")
	}
	for what, b := range map[string][]byte{"no mark": []byte("code"), "two": append(base("code"), mark[:]...),
		"half of one": base("code")[:len(base("code"))-1]} {
		if _, err := Base(b); what == "no mark" && err == nil {
			t.Errorf("%s: no error", what)
		}
		if err := Write(io.Discard, b, nil); err == nil {
			t.Errorf("%s: written", what)
		}
	}
}

// check reads all of a payload.
func check(program []byte) error {
	p, err := Read(bytes.NewReader(program), int64(len(program)))
	if err != nil {
		return err
	}
	if err := p.Verify(); err != nil {
		return err
	}
	return fs.WalkDir(p, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			_, err = fs.ReadFile(p, name)
		}
		return err
	})
}

// Each byte counts, and each that is missing.
func TestDamage(t *testing.T) {
	plain := base("code")
	program := written(t, plain, someFiles[2:])
	if err := check(program); err != nil {
		t.Fatal(err)
	}
	start := (len(plain) + startAlign - 1) / startAlign * startAlign
	for n := range len(program) {
		if check(program[:n]) == nil {
			t.Fatalf("%d bytes of %d are a payload", n, len(program))
		}
	}
	for i := start; i < len(program); i++ {
		damaged := bytes.Clone(program)
		damaged[i] ^= 1
		if check(damaged) == nil {
			t.Errorf("byte %d of %d can be changed", i, len(program))
		}
	}
	if err := check(append(bytes.Clone(program), 0)); !errors.Is(err, ErrNone) {
		t.Errorf("with a byte behind: %v", err)
	}
}

// sealed is an archive with a right footer behind an executable.
func sealed(archive []byte) []byte {
	out := append(make([]byte, startAlign), archive...)
	sum := sha256.Sum256(archive)
	out = append(out, magic...)
	out = binary.LittleEndian.AppendUint64(out, version)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(archive)+footerSize))
	return append(out, sum[:]...)
}

// zipped is an archive of files whose names and methods are as they are.
func zipped(t testing.TB, method uint16, mode fs.FileMode, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		h := &zip.FileHeader{Name: name, Method: method}
		if mode != 0 {
			h.SetMode(mode)
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(strings.Repeat("text", 10))); err != nil && !strings.HasSuffix(name, "/") {
			t.Fatal(err)
		}
	}
	if err := z.SetComment(strings.Repeat("\x00", footerSize)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()[:b.Len()-footerSize]
}

// Archives with a right digest are refused, too, if they have names outside, or what cannot be mapped.
func TestHostile(t *testing.T) {
	if err := check(sealed(zipped(t, zip.Store, 0, "a/b", "a/c"))); err != nil {
		t.Errorf("a good one: %v", err)
	}
	for want, archive := range map[string][]byte{
		"not a name":          zipped(t, zip.Store, 0, "../x"),
		`"/etc/x" is`:         zipped(t, zip.Store, 0, "/etc/x"),
		`"a/../../x" is`:      zipped(t, zip.Store, 0, "a/../../x"),
		`"a\\x" is`:           zipped(t, zip.Store, 0, `a\x`),
		`"c:x" is`:            zipped(t, zip.Store, 0, "c:x"),
		`"folder/" is`:        zipped(t, zip.Store, 0, "folder/"),
		"twice":               zipped(t, zip.Store, 0, "x", "x"),
		"a file and a folder": zipped(t, zip.Store, 0, "x", "x/y"),
		`"y" is there twice`:  zipped(t, zip.Store, 0, "y/x", "y"),
		"stored as it is":     zipped(t, zip.Deflate, 0, "x"),
		`"link" is`:           zipped(t, zip.Store, fs.ModeSymlink|0o777, "link"),
		"zip: not a valid":    []byte("no archive"),
	} {
		if err := check(sealed(archive)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	// An entry whose data would be in the executable: offsets that are relative to the file.
	outside := sealed(zipped(t, zip.Store, 0, "x"))
	copy(outside, zipped(t, zip.Store, 0, "x"))
	if err := check(outside); err == nil || !strings.Contains(err.Error(), "not inside") {
		t.Errorf("a file in the executable: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	program := written(f, base("code"), someFiles[2:])
	f.Add(program, false)
	f.Add(program[slices.Index(program, 0)/startAlign*startAlign:], false)
	for _, names := range [][]string{{"a/b", "c"}, {"../x"}, {"x", "x/y"}, {}} {
		f.Add(zipped(f, zip.Store, 0, names...), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, seal bool) {
		if seal {
			data = sealed(data)
		}
		p, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if err := p.Verify(); err != nil && seal {
			t.Error(err)
		}
		err = fs.WalkDir(p, ".", func(name string, d fs.DirEntry, err error) error {
			if !fs.ValidPath(name) || !filepath.IsLocal(name) {
				t.Errorf("the name %q", name)
			}
			if err == nil && !d.IsDir() {
				_, err = fs.ReadFile(p, name)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}
