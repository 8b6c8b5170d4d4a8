package cpu

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	machine "github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// TestTierNamed selects each tier: the error for one that cannot run here names the missing
// features.
func TestTierNamed(t *testing.T) {
	widths := map[string]target.Width{"avx2": target.V256, "avx512": target.V512}
	for _, name := range tiers {
		tier, err := tierNamed(name)
		if name == neonTier && !rt.RunsAArch64() {
			var lacks *TierError
			if !errors.As(err, &lacks) || !strings.Contains(lacks.Why, "AArch64") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		missing := amd64.Feature(0)
		if w, ok := widths[name]; ok {
			missing = w.Needs() &^ rt.HostFeatures()
			if rt.CanRunCode() != nil && missing == 0 {
				t.Skipf("%v", rt.CanRunCode())
			}
		}
		var lacks *TierError
		switch {
		case missing == 0 && (err != nil || tier.name != name):
			t.Errorf("%s: %q, %v", name, tier.name, err)
		case missing != 0 && (!errors.As(err, &lacks) || !strings.Contains(lacks.Why, missing.String())):
			t.Errorf("%s: %v does not name %s", name, err, missing)
		}
	}
	for _, name := range []string{"avx512,", "avx512,noamx,noamx", "avx512,amx", "avx2,noamx", "portable,noamx",
		",noamx"} {
		_, err := tierNamed(name)
		if err == nil || !strings.Contains(err.Error(), "the only supported option is avx512,noamx") {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"avx3", "AVX2", " portable"} {
		_, err := tierNamed(name)
		if err == nil || !strings.Contains(err.Error(), "the tier must be one of avx512, avx2, neon, portable") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if best, err := tierNamed(""); err != nil || !strings.Contains(best.why, "the best that can run here") {
		t.Errorf("the best: %v, %v", best, err)
	}
}

// TestFailedSelfTest: where generated code does not run, plain Go is selected, with the reason.
func TestFailedSelfTest(t *testing.T) {
	defer func(f func() error, runs func() bool) { canRunCode, runsAArch64 = f, runs }(canRunCode, runsAArch64)
	canRunCode = func() error { return errors.New("half of a number must be 1.5, got 0") }
	runsAArch64 = func() bool { return true }
	best, err := tierNamed("")
	if err != nil || best.name != plainTier ||
		!strings.Contains(best.why, "neon: half of a number must be 1.5, got 0; ") && !strings.HasSuffix(best.why,
			"neon: half of a number must be 1.5, got 0") {
		t.Errorf("%s: %s, %v", best.name, best.why, err)
	}
	var lacks *TierError
	if _, err := tierNamed(neonTier); !errors.As(err, &lacks) || !strings.Contains(lacks.Why, "half of a number") {
		t.Errorf("%v", err)
	}
}

// TestTierWithoutAMX checks that noamx disables AMX in contractions, and changes nothing else.
func TestTierWithoutAMX(t *testing.T) {
	with, err := tierNamed("avx512")
	if err != nil {
		t.Skip(err)
	}
	without, err := tierNamed("avx512,noamx")
	if err != nil || without.name != "avx512,noamx" || !strings.Contains(without.why, "do not use AMX") {
		t.Fatalf("%q: %s, %v", without.name, without.why, err)
	}
	g, h := with.Generator.(machine.Generator), without.Generator.(machine.Generator)
	if h.AMX != 0 || h.Width != g.Width || h.BF16 != g.BF16 || h.VNNI != g.VNNI {
		t.Errorf("with: %+v, without: %+v", g, h)
	}
	tiles := g.Width.AMXFeatures(rt.HostFeatures())
	if g.AMX != tiles || (tiles != 0) != strings.Contains(with.why, "contractions use "+tiles.String()) {
		t.Errorf("%s: %+v", with.why, g)
	}
	if differ := g.Gemm().BF16 != h.Gemm().BF16; differ != (tiles&amd64.AMXBF16 != 0) {
		t.Errorf("products of bf16 differ: %v, tiles: %s", differ, tiles)
	}
	if differ := g.Gemm().Int8 != h.Gemm().Int8; differ != (tiles&amd64.AMXINT8 != 0) {
		t.Errorf("products of integers of 8 bits differ: %v, tiles: %s", differ, tiles)
	}
	int8s := h.Gemm().Int8
	if vectors := int8s.Of(true, true) != nil; vectors != h.Width.HasInt8Dot(rt.HostFeatures()) {
		t.Errorf("products of integers of 8 bits in vectors: %v", vectors)
	}
}

// TestTierError compiles with an invalid tier in NX_CPU: an error before anything runs.
func TestTierError(t *testing.T) {
	old := currentTier
	defer func() { currentTier = old }()
	currentTier = func() (tier, error) { return tierNamed("avx1024") }
	c := New(1)
	_, err := c.Explain(parse(t, addProgram), "main", "asm")
	var wrong *TierError
	if !errors.As(err, &wrong) || wrong.Tier != "avx1024" {
		t.Errorf("%v", err)
	}
	if name, why := ExplainTier(); name != "" && !strings.Contains(why, "the tier must be one of") {
		t.Errorf("%s: %s", name, why)
	}
}

// TestAsmStage prints the machine code of a kernel, or which package has its code.
func TestAsmStage(t *testing.T) {
	text, err := New(1).Explain(parse(t, addProgram), "main", "asm")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "1 kernels, 0 of them not of the requested tier") {
		t.Errorf("%s", text)
	}
	adds := map[string]string{plainTier: "kernel", neonTier: "fadd v"}
	name, _ := ExplainTier()
	if add := cmp.Or(adds[name], "vaddps"); !strings.Contains(text, add) {
		t.Errorf("no %s in\n%s", add, text)
	}
}

// TestAsmStageOfProducts prints the code of matrix products once, below the first contraction.
func TestAsmStageOfProducts(t *testing.T) {
	text, err := New(1).Explain(parse(t, `func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}`), "main", "asm")
	if err != nil {
		t.Fatal(err)
	}
	name, _ := ExplainTier()
	if name, _, _ = strings.Cut(name, ","); name == "portable" { // listings name the width only
		name = "gemm in plain Go"
	} else if name == neonTier {
		if strings.Count(text, "ldr x8, [x0, #40]") != 1 || !strings.Contains(text, "fmla v") {
			t.Errorf("the code of products is not there once:\n%s", text)
		}
	} else if strings.Count(text, "mov r9, qword ptr [rdi+40]") != 1 || !strings.Contains(text, "vfmadd231ps") {
		t.Errorf("the code of products is not there once:\n%s", text)
	}
	if !strings.Contains(text, name) {
		t.Errorf("no %q in\n%s", name, text)
	}
}

const addProgram = `func.func @main(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = stablehlo.add %x, %y : tensor<4096xf32>
  return %0 : tensor<4096xf32>
}`

func parse(t *testing.T, text string) *stablehlo.Module {
	t.Helper()
	m, err := stablehlo.Parse("tier.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
