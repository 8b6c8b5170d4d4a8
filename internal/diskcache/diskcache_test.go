package diskcache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func open(t *testing.T, dir string, limit int64) (*Cache, *[]error) {
	t.Helper()
	var problems []error
	c, err := Open(dir, limit, func(err error) { problems = append(problems, err) })
	if err != nil {
		t.Fatal(err)
	}
	return c, &problems
}

func TestPutAndGet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	c, problems := open(t, dir, 1<<20)
	key := Key([]byte("program"), []byte("version"))
	if _, ok := c.Get(key); ok {
		t.Error("an empty cache has an entry")
	}
	for _, data := range [][]byte{[]byte("first"), {}, bytes.Repeat([]byte("x"), 1000)} {
		c.Put(key, data)
		again, _ := open(t, dir, 1<<20)
		if got, ok := again.Get(key); !ok || !bytes.Equal(got, data) {
			t.Errorf("got %q, %v, want %q", got, ok, data)
		}
	}
	if len(*problems) != 0 {
		t.Errorf("problems: %v", *problems)
	}
	if runtime.GOOS != "windows" {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the folder is %v, %v", info.Mode(), err)
		}
	}
}

func TestKeysOfDifferentPartsDiffer(t *testing.T) {
	a, b := Key([]byte("ab"), []byte("c")), Key([]byte("a"), []byte("bc"))
	if a == b || a == Key([]byte("abc")) || len(a) != 64 {
		t.Errorf("keys %s and %s", a, b)
	}
}

// A damaged entry is not an entry, and is warned of once, whatever is wrong with it.
func TestDamagedEntries(t *testing.T) {
	key, other := Key([]byte("a")), Key([]byte("b"))
	for name, spoil := range map[string]func(t *testing.T, file, from string){
		"cut":    func(t *testing.T, file, _ string) { write(t, file, read(t, file)[:20]) },
		"empty":  func(t *testing.T, file, _ string) { write(t, file, nil) },
		"longer": func(t *testing.T, file, _ string) { write(t, file, append(read(t, file), 'x')) },
		"a bit": func(t *testing.T, file, _ string) {
			b := read(t, file)
			b[len(b)-1] ^= 1
			write(t, file, b)
		},
		"foreign":     func(t *testing.T, file, _ string) { write(t, file, []byte(strings.Repeat("hello ", 30))) },
		"another key": func(t *testing.T, file, from string) { write(t, file, read(t, from)) },
		"a folder": func(t *testing.T, file, _ string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(file, 0o700); err != nil {
				t.Fatal(err)
			}
		},
		"too large": func(t *testing.T, file, _ string) { write(t, file, make([]byte, 1<<17)) },
	} {
		t.Run(name, func(t *testing.T) {
			c, problems := open(t, filepath.Join(t.TempDir(), "c"), 1<<16)
			c.Put(key, []byte("some data"))
			c.Put(other, []byte("other data"))
			spoil(t, c.file(key), c.file(other))
			for range 3 {
				if data, ok := c.Get(key); ok {
					t.Errorf("got %q", data)
				}
			}
			if len(*problems) != 1 {
				t.Errorf("%d warnings: %v", len(*problems), *problems)
			}
			if data, ok := c.Get(other); !ok || string(data) != "other data" {
				t.Errorf("the other entry is %q, %v", data, ok)
			}
		})
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write(t, file, nil)
	if _, err := Open(file, 1<<20, nil); err == nil {
		t.Error("a file is not a folder")
	}
	if runtime.GOOS == "windows" {
		t.Skip("modes do not say who may read a folder on windows")
	}
	shared := filepath.Join(dir, "shared")
	if err := os.Mkdir(shared, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shared, 0o755); err != nil { // whatever the umask
		t.Fatal(err)
	}
	if _, err := Open(shared, 1<<20, nil); err == nil || !strings.Contains(err.Error(), "chmod 700") {
		t.Errorf("a folder open to others: %v", err)
	}
}

// The cache stays below its limit; recently used entries stay.
func TestLimit(t *testing.T) {
	const limit = 10_000
	dir := filepath.Join(t.TempDir(), "c")
	c, _ := open(t, dir, limit)
	kept := Key([]byte("kept"))
	c.Put(kept, make([]byte, 500))
	old := time.Now().Add(-time.Hour)
	for i := range 100 {
		key := Key([]byte(fmt.Sprint(i)))
		c.Put(key, make([]byte, 500))
		os.Chtimes(c.file(key), old, old.Add(time.Duration(i)*time.Second))
		c.Get(kept)
	}
	c, _ = open(t, dir, limit)
	if _, ok := c.Get(kept); !ok {
		t.Error("the entry used last is gone")
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > limit {
		t.Errorf("the entries take %d bytes of %d", total, limit)
	}
	c.Put(kept, make([]byte, limit))
	if got, ok := c.Get(kept); !ok || len(got) != 500 {
		t.Errorf("an entry larger than the cache was stored: %d bytes, %v", len(got), ok)
	}
}

func TestConcurrentUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "c")
	var wg sync.WaitGroup
	for g := range 8 {
		c, problems := open(t, dir, 1<<20)
		wg.Go(func() {
			for i := range 30 {
				key := Key([]byte(fmt.Sprint(i % 5)))
				want := []byte(strings.Repeat(fmt.Sprint(i%5), 100))
				c.Put(key, want)
				if got, ok := c.Get(key); ok && !bytes.Equal(got, want) {
					t.Errorf("goroutine %d got %q", g, got)
				}
			}
			if len(*problems) > 0 {
				t.Errorf("problems: %v", *problems)
			}
		})
	}
	wg.Wait()
}
