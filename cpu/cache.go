package cpu

import (
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"sync"

	"github.com/go-nx/nx/internal/diskcache"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// cacheLimit is the most bytes that the entries of a folder take.
const cacheLimit = 1 << 30

// WithCache returns a client that shares everything with c, but keeps what its
// passes make of programs in a folder: a program compiled before, also by another
// process of the same binary, is not rewritten again. The folder is made when it
// is not there; it must belong to the user and be closed to others. Entries that
// are damaged, or not the user's, are ignored with one warning.
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

// compilerVersion identifies the compiler: the digest of the running program, of
// which it is a part.
var compilerVersion = sync.OnceValues(func() ([]byte, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
})

// rewrite runs the passes on the function, or takes what they made of it before.
func (s *stages) rewrite() error {
	cache := s.client.cache
	if cache == nil || s.in != nil || hasEffects(s.m) {
		return s.runPasses()
	}
	key, err := s.key()
	if err != nil {
		return err
	}
	if text, ok := cache.Get(key); ok {
		if m, err := stablehlo.Parse(key, text); err == nil && m.Verify() == nil {
			if f, ok := m.Func(s.f.Name()); ok {
				s.m, s.f, s.cached = m, f, true
				return nil
			}
		}
	}
	if err := s.runPasses(); err != nil {
		return err
	}
	m := s.m.Clone()
	simplify.DropFuncs(m, s.f.Name()) // what blocks decompose into stays
	cache.Put(key, []byte(m.String()))
	return nil
}

// key identifies what the passes get: the program, the types of its arguments, the
// compiler and what it compiles for.
func (s *stages) key() (string, error) {
	version, err := compilerVersion()
	if err != nil {
		return "", err
	}
	parts := [][]byte{version, []byte(runtime.GOARCH), []byte(s.client.Tier()), []byte(s.f.Name()),
		[]byte(s.m.String())}
	for _, t := range s.args {
		parts = append(parts, []byte(t.String()))
	}
	return diskcache.Key(parts...), nil
}

// hasEffects reports whether an op of a module does more than compute, or carries
// what no text holds: errors name its place in the text, functions live in this
// process.
func hasEffects(m *stablehlo.Module) bool {
	for op := range m.Walk() {
		switch op.Code {
		case stablehlo.OpModule, stablehlo.OpFunc, stablehlo.OpCall, stablehlo.OpComposite:
			continue
		case stablehlo.Unregistered, stablehlo.OpSdyManualComputation: // the latter becomes a function
			return true
		}
		if op.Code.Info().Traits&stablehlo.SideEffects != 0 {
			return true
		}
	}
	return false
}
