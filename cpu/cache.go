package cpu

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"os"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/diskcache"
	"github.com/go-nx/nx/stablehlo"
)

// cacheLimit is the most bytes that the entries of a folder take.
const cacheLimit = 1 << 30

// WithCache returns a client that shares everything with c, but keeps its executables in a
// folder: a program compiled before, also by another process with the same version of the
// compiler, is loaded with its machine code. The folder is made when it is not there; it must
// belong to the user and be closed to others, since what is in it runs. Entries that are damaged,
// or not the user's, are ignored with one warning.
func (c *Client) WithCache(dir string) (*Client, error) {
	cache, err := diskcache.Open(dir, cacheLimit, func(err error) {
		slog.Warn("nx: the cache of compiled programs is not used where it fails", "error", err)
	})
	if err != nil {
		return nil, fmt.Errorf("cpu: %w", err)
	}
	if _, err := compilerVersion(); err != nil {
		return nil, fmt.Errorf("cpu: no cache without knowing the version of the program: %w", err)
	}
	d := *c
	if d.owner == nil {
		d.owner = c
	}
	d.cache = cache
	return &d, nil
}

// cacheKey identifies what is compiled: the program, the types of its arguments, the compiler and
// what it compiles for. It is "" where nothing is kept: programs with effects are not, and where
// stages are dumped or checked they are to run.
func (c *Client) cacheKey(m *stablehlo.Module, name string, args []stablehlo.Type) string {
	if c.cache == nil || hasEffects(m) || os.Getenv("NX_DUMP") != "" || checks() {
		return ""
	}
	version, err := compilerVersion()
	if err != nil {
		return ""
	}
	text := sha256.New()
	if stablehlo.Print(text, m, stablehlo.PrintOptions{}) != nil { // which a digest takes
		return ""
	}
	parts := [][]byte{[]byte(version), []byte(c.Tier()), []byte(name), text.Sum(nil)}
	for _, t := range args {
		parts = append(parts, []byte(t.String()))
	}
	return diskcache.Key(parts...)
}

// fromCache loads an executable, nil where there is none that can be loaded.
func (c *Client) fromCache(key string) *executable {
	if key == "" {
		return nil
	}
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

// toCache keeps an executable. What passes have made of a program may have effects: it is not kept.
// Nor are places in files: programs that differ in them alone have one entry.
func (c *Client) toCache(key string, e *executable, made *codegen.CodeCache) {
	if key == "" {
		return
	}
	if data, err := e.bytes(made, false); err == nil {
		c.cache.Put(key, data)
	}
}

// hasEffects reports whether an op of a module does more than compute, or carries
// what no text holds: errors name its place in the text, functions live in this
// process.
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

// hasEffect is hasEffects of an op.
func hasEffect(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpComposite: // a block that there is code for
		return false
	case stablehlo.Unregistered, stablehlo.OpSdyManualComputation: // the latter becomes a function
		return true
	}
	return op.Code.Info().Traits&stablehlo.SideEffects != 0
}
