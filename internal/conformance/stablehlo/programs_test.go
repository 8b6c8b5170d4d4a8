package stablehlo_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// TestStableHLO runs the StableHLO project's own self-checking programs.
func TestStableHLO(t *testing.T) {
	kit.EachExecutor(t, func(t *testing.T, e kit.Executor) {
		for _, folder := range []string{"testdata", "interpret", "math"} {
			t.Run(folder, func(t *testing.T) {
				files, err := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", "stablehlo",
					folder), "*.mlir"))
				if err != nil {
					t.Fatal(err)
				}
				runFiles(t, e, files)
			})
		}
	})
}

// The reasons for which a recorded result is not ours.
const (
	inaccurate = "recorded from arithmetic in f32 whose error exceeds the check; StableHLO's own run of the file is " +
		"disabled as inaccurate"
	algorithm = "the check requires a few ulps of results that depend on the algorithm; ours are rounded once from f64 " +
		"sums"
)

// different lists the programs of the corpora whose checks we do not meet.
var different = map[string]string{
	"cumprod_complex64_8_9.mlir":                         inaccurate,
	"fft_complex64_14_15_16_17.mlir":                     algorithm,
	"fft_float64_14_15_16_17.mlir":                       algorithm,
	"pow_complex64_20_30_complex64_20_30.mlir":           inaccurate,
	"sin_complex64_20_20.mlir":                           inaccurate,
	"triangular_solve_float32_2_8_8_float32_2_10_8.mlir": algorithm,
}

// differentFused are those that fail only on tiers with fused multiply-add: the terms of these sums cancel, so
// that an ulp of a term is several of the result.
var differentFused = map[string]string{
	"conv_general_dilated_float32_2_3_9_float32_12_1_3.mlir": "the check requires 3 ulps of sums that cancel",
}

// knownDifference returns why an executor does not meet the checks of a file.
func knownDifference(executor, file string) (reason string, known bool) {
	reason, known = different[file]
	if tier, _ := cpu.ExplainTier(); !known && executor == "cpu" && tier != "portable" {
		reason, known = differentFused[file]
	}
	return reason, known
}

// runFiles runs each file as a subtest and logs how many passed.
func runFiles(t *testing.T, e kit.Executor, files []string) {
	passed := 0
	for _, path := range files {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			err := conformance.RunFile(context.Background(), path, e)
			reason, known := knownDifference(e.Name, name)
			switch {
			case err == nil && known:
				t.Error("passes now: take it off the list")
			case err == nil:
				passed++
			case e.Refuses(err):
				t.Skip(kit.Clip(err.Error(), 200))
			case known:
				t.Logf("differs: %s", reason)
			default:
				t.Error(kit.Clip(err.Error(), 2000))
			}
		})
	}
	t.Logf("%d of %d programs pass", passed, len(files))
}

// open lists the cases of our own programs whose results the specification does not define, with the
// interpreter's choice; others may differ.
var open = map[string]string{
	"reduce_in_order":                       "reduces from first to last; any tree is allowed",
	"region_captures":                       "reduces from first to last with a non-associative body",
	"dot_general_algorithm_rounds_operands": "an algorithm is a request",
}

// TestPrograms runs our own self-checking programs, a case for each function.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("../../../stablehlo/interp/testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	kit.EachExecutor(t, func(t *testing.T, e kit.Executor) {
		for _, path := range files {
			t.Run(filepath.Base(path), func(t *testing.T) {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				for _, source := range stablehlo.Split(path, text) {
					runCases(t, e, source)
				}
			})
		}
	})
}

// runCases runs each function of a program that takes no arguments.
func runCases(t *testing.T, e kit.Executor, source *stablehlo.Source) {
	m, err := stablehlo.ParseSource(source)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Load(m)
	if err != nil {
		t.Fatal(err)
	}
	for f := range m.Funcs() {
		if f.IsPrivate() || len(f.Args()) > 0 {
			continue
		}
		t.Run(f.Name(), func(t *testing.T) {
			if reason, ok := open[f.Name()]; ok && e.Name != "interp" {
				t.Skip(reason)
			}
			_, err := p.Call(context.Background(), f.Name())
			if e.Refuses(err) {
				t.Skip(kit.Clip(err.Error(), 200))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}
