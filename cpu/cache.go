package cpu

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/diskcache"
	"github.com/go-nx/nx/internal/pipeline"
	"github.com/go-nx/nx/stablehlo"
)

// cacheLimit is the maximum number of bytes of a cache directory.
const cacheLimit = 1 << 30

// WithCache returns a client that shares everything with c, but caches its executables in a
// directory. A program that was compiled before, also by another process with the same version of
// the compiler, is loaded with its machine code. The directory is created if needed. It must belong
// to the user and be closed to others, since its contents are executed. Damaged entries, and
// entries of other users, are ignored with one warning.
func (c *Client) WithCache(dir string) (*Client, error) {
	cache, err := diskcache.Open(dir, cacheLimit, warnOfEntry)
	if err != nil {
		return nil, fmt.Errorf("cpu: %w", err)
	}
	return c.with(cache)
}

// WithCacheFS is [Client.WithCache] of a directory that is only read, in a file system such as one of package embed:
// the files that a client of WithCache has written, which become a part of the program. Other entries are looked for
// in the cache of c, if it has one, and stored there.
//
// Entries are found by a program with the same version of the compiler, on a processor with the same [Client.Tier].
func (c *Client) WithCacheFS(fsys fs.FS) (*Client, error) {
	if fsys == nil {
		return nil, errors.New("cpu: the file system of the cache is nil")
	}
	return c.with(diskcache.OpenFS(fsys, c.cache, warnOfEntry))
}

func warnOfEntry(err error) {
	slog.Warn("nx: an entry of the compilation cache is ignored", "error", err)
}

func (c *Client) with(cache *diskcache.Cache) (*Client, error) {
	if _, err := compilerVersion(); err != nil {
		return nil, fmt.Errorf("cpu: the cache requires the version of the program: %w", err)
	}
	d := *c
	if d.owner == nil {
		d.owner = c
	}
	d.cache, d.fromCache = cache, (*Client).loadCached
	return &d, nil
}

// cacheKey identifies a compilation: the program, the types of its arguments, the compiler and its
// target. It is "" where nothing is cached: for programs with effects, and when stages are dumped
// or checked, which requires that they run.
func (c *Client) cacheKey(m *stablehlo.Module, name string, args []stablehlo.Type) string {
	if c.cache == nil || hasEffects(m) || os.Getenv("NX_DUMP") != "" || pipeline.Checks() {
		return ""
	}
	version, err := compilerVersion()
	if err != nil {
		return ""
	}
	text := sha256.New()
	if stablehlo.Print(text, m, stablehlo.PrintOptions{}) != nil { // a digest accepts all writes
		return ""
	}
	parts := [][]byte{[]byte(version), []byte(c.Tier()), []byte(name), text.Sum(nil)}
	for _, t := range args {
		parts = append(parts, []byte(t.String()))
	}
	return diskcache.Key(parts...)
}

// loadCached loads an executable. It returns nil if the cache has none that can be loaded.
func (c *Client) loadCached(key string) *executable {
	data, ok := c.cache.Get(key)
	if !ok {
		return nil
	}
	e, err := c.load(data)
	if err != nil {
		c.cache.Refuse(err)
		return nil
	}
	return e
}

// toCache stores an executable, unless passes have introduced effects. Source locations are not
// stored: programs that differ only in them share one entry.
func (c *Client) toCache(key string, e *executable, codeCache *codegen.CodeCache) {
	if key == "" {
		return
	}
	if data, err := e.bytes(codeCache, false); err == nil {
		c.cache.Put(key, data)
	}
}

// hasEffects reports whether an op of a module has side effects, or refers to state outside the
// text: errors print its position in the text, functions live in this process.
func hasEffects(m *stablehlo.Module) bool {
	for op := range m.Walk() {
		switch op.Code {
		case stablehlo.OpModule, stablehlo.OpFunc, stablehlo.OpCall, stablehlo.OpComposite:
			continue
		}
		if hasEffect(op) {
			return true
		}
	}
	return false
}

// hasEffect is [hasEffects] of an op.
func hasEffect(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpComposite: // a block with its own code
		return false
	case stablehlo.Unregistered, stablehlo.OpSdyManualComputation: // the latter becomes a function
		return true
	}
	return op.Code.Info().Traits&stablehlo.SideEffects != 0
}
