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
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/lower"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// A TierError reports a tier in NX_CPU that cannot run here.
type TierError struct {
	Tier string // the value of NX_CPU
	Why  string // why it cannot run here
}

// Error implements error.
func (e *TierError) Error() string { return fmt.Sprintf("cpu: NX_CPU=%s: %s", e.Tier, e.Why) }

// tier generates the code of kernels: plain Go, or vector machine code of some width over it. Tiers
// are selected here and named nowhere else.
type tier struct {
	codegen.Generator
	name, why string
	needs     machine.Feature // processor features that the code requires
	profits   lower.Profits
}

// with returns the code generator. A generator of machine code takes code from codeCache, and
// records new code there.
func (t tier) with(codeCache *codegen.CodeCache) codegen.Generator {
	if g, ok := t.Generator.(amd64.Generator); ok {
		g.Cache = codeCache
		return g
	}
	return t.Generator
}

// tiers are the available tiers, the best one first.
var tiers = []string{"avx512", "avx2", neonTier, plainTier}

// plainTier is the tier of plain Go, and neonTier that of AArch64.
const (
	plainTier = "portable"
	neonTier  = "neon"
)

// currentTier is the tier that NX_CPU selects, or the best one that this machine can run.
var currentTier = sync.OnceValues(func() (tier, error) { return tierNamed(os.Getenv("NX_CPU")) })

// noAMX is the option of NX_CPU that disables the tile registers of AMX in contractions.
const noAMX = "noamx"

func tierNamed(name string) (tier, error) {
	if name != "" {
		t, missing := makeTier(name)
		if missing != "" {
			return tier{}, &TierError{name, missing}
		}
		t.explain("NX_CPU selects it")
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
	return tier{}, &TierError{name, "no tier can run here"} // portable can
}

// What the processor and the system support; tests replace it.
var (
	hostFeatures = rt.HostFeatures
	runsAArch64  = rt.RunsAArch64
	canRunCode   = rt.CanRunCode
)

// The functions of F32 that plain Go calls next to machine code of each width.
var loops256, loops512 = amd64.Loops(target.V256), amd64.Loops(target.V512)

// explain sets why the tier is selected, before the details.
func (t *tier) explain(because ...string) {
	if t.why != "" {
		because = append(because, t.why)
	}
	t.why = strings.Join(because, "; ")
}

// makeTier returns a tier, or why this machine cannot run it.
func makeTier(name string) (t tier, missing string) {
	width, loops := target.V256, loops256
	of, option, hasOption := strings.Cut(name, ",")
	switch {
	case hasOption && (of != "avx512" || option != noAMX):
		return t, "the only supported option is avx512," + noAMX
	case of == plainTier:
		return tier{Generator: portable.Generator{}, name: name, profits: lower.Plain()}, ""
	case of == "avx2":
	case of == "avx512":
		width, loops = target.V512, loops512
	case of == neonTier:
		return makeNEON()
	default:
		return t, "the tier must be one of " + strings.Join(tiers, ", ")
	}
	host := hostFeatures()
	if features := width.Needs() &^ host; features != 0 {
		return t, fmt.Sprintf("the processor or the system lacks %s", features)
	}
	if err := canRunCode(); err != nil {
		return t, err.Error()
	}
	g := amd64.Generator{Generator: portable.Generator{Function: loops}, Width: width,
		BF16: width.HasBF16Dot(host) && rt.HasFastDot2BF16(), VNNI: width.HasInt8Dot(host)}
	t = tier{name: name, needs: width.Needs(), profits: lower.Vectors()}
	switch {
	case width != target.V512:
	case hasOption:
		t.why = "contractions do not use AMX"
	default:
		if g.AMX = width.AMXFeatures(host); g.AMX != 0 {
			t.why = fmt.Sprintf("contractions use %s", g.AMX)
		}
	}
	t.Generator = g
	return t, ""
}

// makeNEON returns the tier of AArch64: the code for AVX2, translated.
func makeNEON() (t tier, missing string) {
	if !runsAArch64() {
		return t, "the processor is not AArch64"
	}
	if err := canRunCode(); err != nil {
		return t, err.Error()
	}
	return tier{name: neonTier, profits: lower.Vectors(),
		Generator: amd64.Generator{Generator: portable.Generator{Function: loops256}, Width: target.V256}}, ""
}

// Tier names the code generator: "portable", plain Go, on every processor; "avx2", "avx512", or
// "neon", machine code for elementwise kernels and contractions, and plain Go for the rest. It is the tier
// that NX_CPU selects, or the best one that this machine can run. "avx512,noamx" is avx512 whose
// bf16 contractions do not use the tile registers of AMX, which add in another order.
func (c *Client) Tier() string {
	name, _ := ExplainTier()
	return name
}

// ExplainTier returns the tier of the generated code and why it is selected. If NX_CPU selects one
// that cannot run here, compiling returns a [*TierError].
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
