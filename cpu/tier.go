package cpu

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	machine "github.com/go-nx/nx/internal/cpu/asm/amd64"
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
	needs     machine.Feature // what a processor must have for the code
}

// with returns the generator that takes code from made, where it makes machine code, and notes there
// what it makes.
func (t tier) with(made *codegen.CodeCache) codegen.Generator {
	if g, ok := t.Generator.(amd64.Generator); ok {
		g.Cache = made
		return g
	}
	return t.Generator
}

// tiers are those there are, the best one first.
var tiers = []string{"avx512", "avx2", plainTier}

// plainTier is the tier of plain Go.
const plainTier = "portable"

// currentTier is what NX_CPU asks for, or the best one that this machine can run.
var currentTier = sync.OnceValues(func() (tier, error) { return tierNamed(os.Getenv("NX_CPU")) })

// noAMX is what NX_CPU says behind the tier for products without the tiles of AMX.
const noAMX = "noamx"

func tierNamed(name string) (tier, error) {
	if name != "" {
		t, missing := makeTier(name)
		if missing != "" {
			return tier{}, &TierError{name, missing}
		}
		t.explain("NX_CPU asks for it")
		return t, nil
	}
	var reasons []string
	for _, name := range tiers {
		t, missing := makeTier(name)
		if missing != "" {
			reasons = append(reasons, name+": "+missing)
			continue
		}
		t.explain(append([]string{"the best that can run here"}, reasons...)...)
		return t, nil
	}
	return tier{}, &TierError{name, "none can run"} // portable can
}

// hostFeatures are those of the processor and the system; tests have others.
var hostFeatures = rt.HostFeatures

// The functions of F32 that plain Go calls beside machine code of each width.
var loops256, loops512 = amd64.Loops(amd64.V256), amd64.Loops(amd64.V512)

// explain says why the tier is taken, before what is known of it.
func (t *tier) explain(because ...string) {
	if t.why != "" {
		because = append(because, t.why)
	}
	t.why = strings.Join(because, "; ")
}

// makeTier returns a tier, or what the machine lacks for it.
func makeTier(name string) (t tier, missing string) {
	width, loops := amd64.V256, loops256
	of, option, hasOption := strings.Cut(name, ",")
	switch {
	case hasOption && (of != "avx512" || option != noAMX):
		return t, "there is no such tier: of options there is avx512," + noAMX + " alone"
	case of == plainTier:
		return tier{Generator: portable.Generator{}, name: name}, ""
	case of == "avx2":
	case of == "avx512":
		width, loops = amd64.V512, loops512
	default:
		return t, "there is no such tier: the tiers are " + strings.Join(tiers, ", ")
	}
	host := hostFeatures()
	if features := width.Needs() &^ host; features != 0 {
		return t, fmt.Sprintf("the processor or the system lacks %s", features)
	}
	if err := rt.CanRunCode(); err != nil {
		return t, err.Error()
	}
	g := amd64.Generator{Generator: portable.Generator{Function: loops}, Width: width,
		BF16: width.HasBF16Dot(host) && rt.HasFastDot2BF16(), VNNI: width.HasInt8Dot(host)}
	t = tier{name: name, needs: width.Needs()}
	switch {
	case width != amd64.V512:
	case hasOption:
		t.why = "products do not use AMX"
	default:
		if g.AMX = width.AMXFeatures(host); g.AMX != 0 {
			t.why = fmt.Sprintf("products use %s", g.AMX)
		}
	}
	t.Generator = g
	return t, ""
}

// Tier names the generator of code: "portable", plain Go, on every processor; "avx2" or
// "avx512", machine code for kernels of elements and for products, and plain Go for what that has no code for.
// It is what NX_CPU names, or the best one that this machine can run; "avx512,noamx" is avx512 whose products of bf16
// do not use the tiles of AMX, which add in an order of their own.
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

// hostHas reports whether the processor and the system have a feature.
func hostHas(feature string) bool {
	return slices.Contains(strings.Fields(hostFeatures().String()), feature)
}
