package autodiff_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-nx/nx/internal/conformance/random"
)

var (
	seeds = flag.Uint64("seeds", 4000, "random programs that are differentiated")
	first = flag.Uint64("first", 0, "the seed of the first of them")
)

// found are seeds of programs that once failed. 68712 sums terms that cancel: the error of its
// difference quotients exceeds the bound from the size of its results.
var found = []uint64{68712}

// TestRandomPrograms checks first and second derivatives of random programs: every op with
// attributes of every kind, on shapes of every rank, alone and followed by others. A program with a
// kink or a pole near its arguments is not checked, so few may be of that kind.
func TestRandomPrograms(t *testing.T) {
	seeds := *seeds
	if testing.Short() {
		seeds = min(seeds, 400)
	}
	programs, vague := 0, 0
	list := slices.Clone(found)
	for seed := *first; seed < *first+seeds; seed++ {
		list = append(list, seed)
	}
	for _, seed := range list {
		p, err := random.Smooth(seed)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 3))
		x := randomArgs(rng, p.Module, -1.5, 1.5)
		covered(p.Module)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			for _, v := range floats(run(t, p.Module, x)) {
				for _, y := range parts(v) {
					if !(math.Abs(y) < 1e6) {
						return
					}
				}
			}
			programs++
			if checkModule(t, p.Module, x, rng, true) > 0 {
				vague++
			}
		})
	}
	if t.Logf("%d programs of %d, %d with vague quotients", programs, len(list), vague); programs < len(list)*9/10 ||
		vague > programs/10 {
		t.Error("too few programs have derivatives that can be checked")
	}
}
