// Package diskcache stores the results of expensive computations in a folder of the user, under a key of all
// inputs. Reading never fails: an entry that is damaged, or was written by another user, is ignored.
package diskcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"time"

	"github.com/go-nx/nx/internal/atomicfile"
)

// Cache is a folder of entries. It is safe for use by goroutines and by processes
// at the same time.
type Cache struct {
	dir   string
	fsys  fs.FS  // of entries that are read only, instead of the folder
	next  *Cache // what fsys does not have is there, or nil
	limit int64
	warn  func(error)
	once  sync.Once // of the warning

	mu      sync.Mutex
	written int64 // bytes since the last sweep
}

// Open returns the cache in a folder, which is created if needed. It must belong to the user and must not be
// accessible by others. Entries are removed, the least recently used first, when they take more than limit
// bytes. warn is called with the first problem of an entry.
func Open(dir string, limit int64, warn func(error)) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("diskcache: %s must be a folder", dir)
	case !ownedByUser(info):
		return nil, fmt.Errorf("diskcache: %s belongs to another user", dir)
	case isAccessibleByOthers(info):
		return nil, fmt.Errorf("diskcache: %s must not be accessible by other users: chmod 700 it", dir)
	}
	c := &Cache{dir: dir, limit: limit, warn: warn}
	c.sweep()
	return c, nil
}

// OpenFS returns a cache of the entries in a file system, such as a copy of a folder of [Open], which are only read.
// They are trusted as the program itself is. Other entries are read from, and written to, next, unless it is nil.
func OpenFS(fsys fs.FS, next *Cache, warn func(error)) *Cache {
	return &Cache{fsys: fsys, next: next, limit: maxEntry, warn: warn}
}

// maxEntry bounds an entry of a file system.
const maxEntry = 1 << 30

// Key returns a key made of parts. Different lists of parts have different keys.
func Key(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

const (
	magic  = "nx cache 1\n"
	suffix = ".nxcache"
)

func (c *Cache) file(key string) string { return filepath.Join(c.dir, key+suffix) }

// Get returns what [Cache.Put] stored under a key.
func (c *Cache) Get(key string) (data []byte, ok bool) {
	if c.fsys != nil {
		if data, ok := c.getFS(key); ok || c.next == nil {
			return data, ok
		}
		return c.next.Get(key)
	}
	name := c.file(key)
	f, err := os.Open(name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.problem(err)
		}
		return nil, false
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		c.problem(err)
		return nil, false
	case !info.Mode().IsRegular() || !ownedByUser(info):
		c.problem(fmt.Errorf("diskcache: %s was written by another user", name))
		return nil, false
	case info.Size() > c.limit:
		c.problem(fmt.Errorf("diskcache: %s is larger than the cache", name))
		return nil, false
	}
	all, err := io.ReadAll(io.LimitReader(f, c.limit))
	if err != nil {
		c.problem(err)
		return nil, false
	}
	if data, err = entryOf(key, name, all); err != nil {
		c.problem(err)
		return nil, false
	}
	now := time.Now()
	os.Chtimes(name, now, now) // for the order in which entries are removed; it may fail
	return data, true
}

// getFS is Get from the file system.
func (c *Cache) getFS(key string) (data []byte, ok bool) {
	name := key + suffix
	info, err := fs.Stat(c.fsys, name)
	if err == nil && info.Size() > c.limit {
		err = fmt.Errorf("diskcache: %s is larger than %d bytes", name, c.limit)
	}
	var all []byte
	if err == nil {
		all, err = fs.ReadFile(c.fsys, name)
	}
	if err == nil {
		data, err = entryOf(key, name, all)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.problem(err)
	}
	return data, err == nil
}

// entryOf returns the data of an entry.
func entryOf(key, name string, all []byte) ([]byte, error) {
	head := len(magic) + sha256.Size
	if len(all) < head || string(all[:len(magic)]) != magic {
		return nil, fmt.Errorf("diskcache: %s is not a cache entry", name)
	}
	data := all[head:]
	if sum := entrySum(key, data); !bytes.Equal(sum[:], all[len(magic):head]) {
		return nil, fmt.Errorf("diskcache: %s is damaged", name)
	}
	return data, nil
}

// entrySum covers the key, too: an entry renamed to another key is damaged.
func entrySum(key string, data []byte) [sha256.Size]byte {
	h := sha256.New()
	io.WriteString(h, key)
	h.Write(data)
	return [sha256.Size]byte(h.Sum(nil))
}

// Put stores data under a key. What does not fit is not stored; failures are
// problems like those of reading.
func (c *Cache) Put(key string, data []byte) {
	if c.fsys != nil {
		if c.next != nil {
			c.next.Put(key, data)
		}
		return
	}
	size := int64(len(magic) + sha256.Size + len(data))
	if size > c.limit/2 {
		return
	}
	sum := entrySum(key, data)
	err := atomicfile.Write(c.file(key), func(w io.Writer) error {
		for _, part := range [][]byte{[]byte(magic), sum[:], data} {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		c.problem(err)
		return
	}
	c.mu.Lock()
	c.written += size
	due := c.written > c.limit/8
	if due {
		c.written = 0
	}
	c.mu.Unlock()
	if due {
		c.sweep()
	}
}

// sweep removes the entries used least recently until the rest fits.
func (c *Cache) sweep() {
	list, err := os.ReadDir(c.dir)
	if err != nil {
		c.problem(err)
		return
	}
	type entry struct {
		name string
		size int64
		used time.Time
	}
	var entries []entry
	total := int64(0)
	for _, e := range list {
		info, err := e.Info()
		if err != nil || filepath.Ext(e.Name()) != suffix || !info.Mode().IsRegular() {
			continue
		}
		entries = append(entries, entry{e.Name(), info.Size(), info.ModTime()})
		total += info.Size()
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].used.Before(entries[j].used) })
	for _, e := range entries {
		if total <= c.limit {
			return
		}
		if err := os.Remove(filepath.Join(c.dir, e.name)); err == nil || errors.Is(err, fs.ErrNotExist) {
			total -= e.size
		}
	}
}

// Refuse reports an entry that cannot be used, or cannot be made, as a problem.
func (c *Cache) Refuse(err error) { c.problem(err) }

// problem reports the first problem.
func (c *Cache) problem(err error) {
	c.once.Do(func() {
		if c.warn != nil {
			c.warn(err)
		}
	})
}
