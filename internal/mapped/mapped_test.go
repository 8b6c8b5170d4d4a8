package mapped_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-nx/nx/internal/mapped"
)

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("some bytes"), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := mapped.Open(path)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("skipped: files cannot be mapped here")
	}
	if err != nil || string(m.Data) != "some bytes" {
		t.Fatalf("%q, %v", m.Data, err)
	}
	m.Data[0] = 'S' // stays in memory
	if data, err := os.ReadFile(path); err != nil || string(data) != "some bytes" {
		t.Errorf("the file holds %q (%v)", data, err)
	}
	if _, err := mapped.Open(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := mapped.Open(path); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("an empty file: %v", err)
	}
	m.Discard()
	if m.Data != nil || m.Check() == nil {
		t.Error("the discarded file is still open")
	}
}

// open returns a mapped file of some pages.
func open(t *testing.T, pages int) (*mapped.File, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "weights")
	if err := os.WriteFile(path, bytes.Repeat([]byte{7}, pages*os.Getpagesize()), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := mapped.Open(path)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("skipped: files cannot be mapped here")
	}
	if err != nil {
		t.Fatal(err)
	}
	return m, path
}

// TestTruncated: reading a file that others truncate is an error with the name and both sizes, whether it is a fault
// or zeros, on this goroutine or another.
func TestTruncated(t *testing.T) {
	const pages = 4
	size := pages * os.Getpagesize()
	sum := func(data []byte) (n int) {
		for _, b := range data {
			n += int(b)
		}
		return n
	}
	for name, c := range map[string]struct {
		to   int
		read func(m *mapped.File)
	}{
		"a fault": {os.Getpagesize(), func(m *mapped.File) { sum(m.Data) }},
		"zeros":   {size - 10, func(m *mapped.File) { sum(m.Data) }},
		"a copy":  {0, func(m *mapped.File) { copy(make([]byte, size), m.Data) }},
		"another goroutine": {os.Getpagesize(), func(m *mapped.File) {
			panicked := make(chan any)
			go func() {
				debug.SetPanicOnFault(true)
				defer func() { panicked <- recover() }()
				sum(m.Data)
			}()
			if r := <-panicked; r != nil {
				panic(r)
			}
		}},
		"not read": {10, func(m *mapped.File) {}},
	} {
		m, path := open(t, pages)
		if err := m.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		err := m.Guard(func() error { // meanwhile
			if err := os.Truncate(path, int64(c.to)); err != nil {
				t.Error(err)
			}
			c.read(m)
			return errors.New("of the function")
		})
		want := fmt.Sprintf("%s: the file was truncated to %d bytes while its %d bytes were mapped: load it again", path,
			c.to, size)
		for how, err := range map[string]error{"meanwhile": err, "after": m.Check(),
			"before": m.Guard(func() error { t.Error("called"); return nil })} {
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s, %s: got %v, want %s", name, how, err, want)
			}
		}
	}
}

// TestGuard: what has nothing to do with the file goes through.
func TestGuard(t *testing.T) {
	m, path := open(t, 2)
	other, otherPath := open(t, 2)
	mine := errors.New("mine")
	if err := m.Guard(func() error { return mine }); err != mine {
		t.Errorf("got %v", err)
	}
	catch := func(f func() error) (r any) {
		defer func() { r = recover() }()
		m.Guard(f)
		return nil
	}
	if r := catch(func() error { panic("mine") }); r != "mine" {
		t.Errorf("got %v", r)
	}
	if r := catch(func() error { return fmt.Errorf("%d", *(*int)(nil)) }); r == nil {
		t.Error("a nil pointer does not panic")
	}
	if err := os.Truncate(otherPath, 0); err != nil {
		t.Fatal(err)
	}
	if r := catch(func() error { return fmt.Errorf("%d", other.Data[0]) }); r == nil {
		t.Error("a fault in another file does not panic")
	}
	if before := debug.SetPanicOnFault(false); before {
		t.Error("faults still are panics")
	}
	// A file that grows, or whose name goes to another, stays as it is.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("more")
	f.Close()
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	if err := errors.Join(os.WriteFile(path+"2", nil, 0o666), os.Rename(path+"2", path), m.Check()); err != nil {
		t.Error(err)
	}
	if n := testing.AllocsPerRun(100, func() { m.Check() }); n > 0 {
		t.Errorf("a check allocates %v times", n)
	}
}

// part is a file system with one file, which is a section of a file.
type part struct {
	of           *os.File
	offset, size int64
}

func (p part) Open(string) (fs.File, error) { return sectioned{p.of, p}, nil }

type sectioned struct {
	fs.File
	part part
}

func (s sectioned) Section() (*os.File, int64, int64) { return s.part.of, s.part.offset, s.part.size }

// TestOpenIn: files of the system and sections of them are mapped, also from file systems, and others are not. The end
// of a section is checked as that of a file is.
func TestOpenIn(t *testing.T) {
	m, path := open(t, 3)
	text := bytes.Repeat([]byte("0123456789"), len(m.Data)/10+1)[:len(m.Data)]
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	offset := int64(os.Getpagesize()) + 123
	for what, c := range map[string]struct {
		fsys fs.FS
		name string
		want []byte
	}{
		"the system": {nil, path, text},
		"a folder":   {os.DirFS(filepath.Dir(path)), filepath.Base(path), text},
		"a section":  {part{f, offset, 1000}, "x", text[offset : offset+1000]},
	} {
		m, err := mapped.OpenIn(c.fsys, c.name)
		if err != nil || !bytes.Equal(m.Data, c.want) {
			t.Errorf("%s: %d bytes, %v", what, len(m.Data), err)
			continue
		}
		if err := m.Check(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		m.Discard()
	}
	if _, err := mapped.OpenIn(fstest.MapFS{"x": {Data: text}}, "x"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a file in memory: %v", err)
	}
	if _, err := mapped.OpenIn(part{f, offset, 0}, "x"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("an empty section: %v", err)
	}
	m, err = mapped.OpenIn(part{f, offset, 1000}, "x")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, offset+999); err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err == nil || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("a section that was cut: %v", err)
	}
	m.Discard()
	if _, err := f.Stat(); err != nil {
		t.Errorf("the file of a section was closed: %v", err)
	}
}
