package blocks_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// TestCalls runs programs as JAX 0.10.2 exports them for CPUs, CUDA, ROCm and TPUs, with calls of
// LAPACK and similar libraries, on the interpreter and on cpu. They check their own results, which
// JAX computed.
func TestCalls(t *testing.T) {
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs in testdata", err)
	}
	called := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".mlir"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m, err := stablehlo.Parse(file, text)
			if err != nil {
				t.Fatal(err)
			}
			for op := range m.Walk() {
				if op.Code != stablehlo.OpCustomCall {
					continue
				}
				called[op.Str("call_target_name")] = true
				if !blocks.IsCall(op) {
					t.Errorf("@%s is not known", op.Str("call_target_name"))
				}
			}
			it, err := interp.New(m)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := it.Call(context.Background(), "main"); err != nil {
				t.Errorf("interp: %v", err)
			}
			exe, err := cpu.Default().Compile(context.Background(), m)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := exe.Execute(context.Background(), nil); err != nil {
				t.Errorf("cpu: %v", err)
			}
		})
	}
	if len(called) < 50 {
		t.Errorf("the programs make %d different calls, fewer than 50", len(called))
	}
}
