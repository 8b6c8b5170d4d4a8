package cpu

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// A TierError says that NX_CPU asks for code that cannot run here.
type TierError struct {
	Tier string // what NX_CPU says
	Why  string // what the machine lacks
}

// Error implements error.
func (e *TierError) Error() string { return fmt.Sprintf("cpu: NX_CPU=%s: %s", e.Tier, e.Why) }

// tier makes the code of kernels: plain Go, or machine code of vectors of some width over it.
// Tiers are chosen here and named nowhere else.
type tier struct {
	codegen.Generator
	name, why string
}

// tiers are those there are, the best one first.
var tiers = []string{"avx512", "avx2", "portable"}

// currentTier is what NX_CPU asks for, or the best one that this machine can run.
var currentTier = sync.OnceValues(func() (tier, error) { return tierNamed(os.Getenv("NX_CPU")) })

func tierNamed(name string) (tier, error) {
	if name != "" {
		g, lack := generatorOf(name)
		if lack != "" {
			return tier{}, &TierError{name, lack}
		}
		return tier{g, name, "NX_CPU asks for it"}, nil
	}
	var lacks []string
	for _, name := range tiers {
		g, lack := generatorOf(name)
		if lack != "" {
			lacks = append(lacks, name+": "+lack)
			continue
		}
		return tier{g, name, strings.Join(append([]string{"the best that can run here"}, lacks...), "; ")}, nil
	}
	return tier{}, &TierError{name, "none can run"} // portable can
}

// generatorOf returns the generator of a tier, or what the machine lacks for it.
func generatorOf(name string) (g codegen.Generator, lack string) {
	var width amd64.Width
	switch name {
	case "portable":
		return portable.Generator{}, ""
	case "avx2":
		width = amd64.V256
	case "avx512":
		width = amd64.V512
	default:
		return nil, "there is no such tier: the tiers are " + strings.Join(tiers, ", ")
	}
	if missing := width.Needs() &^ rt.HostFeatures(); missing != 0 {
		return nil, fmt.Sprintf("the processor or the system lacks %s", missing)
	}
	if err := rt.CanRunCode(); err != nil {
		return nil, err.Error()
	}
	return amd64.Generator{Generator: portable.Generator{Function: amd64.Loops(width)}, Width: width,
		BF16: width.MultipliesBF16(rt.HostFeatures())}, ""
}

// Tier names the generator of code: "portable", plain Go, on every processor; "avx2" or
// "avx512", machine code for kernels of elements and for products, and plain Go for what that has no code for.
// It is what NX_CPU names, or the best one that this machine can run.
func (c *Client) Tier() string {
	name, _ := ExplainTier()
	return name
}

// ExplainTier returns the tier of the generated code and why it is that one. Where NX_CPU asks
// for one that there is not here, compiling is a [*TierError].
func ExplainTier() (name, why string) {
	t, err := currentTier()
	if err != nil {
		return os.Getenv("NX_CPU"), err.Error()
	}
	return t.name, t.why
}
