package kernel_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/wire"
)

// Random kernels are read back from their keys.
func TestReadKey(t *testing.T) {
	for seed := range uint64(500) {
		k := random.Kernel(rand.New(rand.NewPCG(seed, 7)), random.Options{MaxPoints: 1000, Functions: []string{"f"}})
		key := k.AppendKey(nil)
		r := wire.NewReader(key)
		reread := kernel.ReadKey(r)
		if err := r.End(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, k)
		}
		if err := reread.Verify(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if reread.Name = k.Name; reread.String() != k.String() || string(reread.AppendKey(nil)) != string(key) {
			t.Fatalf("seed %d:\n%s\nbecomes\n%s", seed, k, reread)
		}
	}
}

// Reading and verifying return for any bytes; a valid kernel has a key that is read back.
func FuzzReadKey(f *testing.F) {
	for seed := range uint64(20) {
		k := random.Kernel(rand.New(rand.NewPCG(seed, 7)), random.Options{MaxPoints: 1000, Functions: []string{"f"}})
		f.Add(k.AppendKey(nil))
	}
	f.Fuzz(func(t *testing.T, key []byte) {
		r := wire.NewReader(key)
		k := kernel.ReadKey(r)
		if r.End() != nil || k.Verify() != nil {
			return
		}
		reread := kernel.ReadKey(wire.NewReader(k.AppendKey(nil)))
		if k.String() != reread.String() {
			t.Errorf("%s\nbecomes\n%s", k, reread)
		}
	})
}
