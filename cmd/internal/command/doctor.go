package command

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cpu"
)

// selfTest is a small self-checking program.
//
//go:embed selftest.mlir
var selfTest []byte

// health is what nx doctor prints.
type health struct {
	versionInfo
	CPUs        int      `json:"cpus"`
	MaxProcs    int      `json:"gomaxprocs"`
	Workers     int      `json:"workers"` // of the cpu backend
	CPUFeatures []string `json:"cpuFeatures"`
	Tier        string   `json:"tier"`        // the code generator of the cpu backend
	TierReason  string   `json:"tier_reason"` // why it is that one
	MemoryBytes uint64   `json:"memoryBytes"` // 0: unknown
	Shared      string   `json:"shared"`      // the folder of conformance data, "" if absent
	SelfTest    string   `json:"selfTest"`    // "ok", or what went wrong
}

func newDoctor(s *Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show what nx sees of this machine, and run a self-test",
		Long: `Doctor prints versions, the relevant features of the processor, the code generator
in use, the memory, and the location of the conformance data (a folder "shared" next
to the repository), and runs a small program with known results. Include its output
in a bug report.`,
		Example: examples(
			"nx doctor",
			"nx doctor --json | jq .cpuFeatures"),
		Args: wantArgs(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.doctor(cmd.Context(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

func (s *Streams) doctor(ctx context.Context, asJSON bool) error {
	h := examine(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	var err error
	if asJSON {
		err = printJSON(s.out, h)
	} else {
		_, err = fmt.Fprint(s.out, h)
		err = written(err)
	}
	if err == nil && h.SelfTest != "ok" {
		return errFailed
	}
	return err
}

func examine(ctx context.Context) health {
	h := health{
		versionInfo: currentVersion(),
		CPUs:        runtime.NumCPU(),
		MaxProcs:    runtime.GOMAXPROCS(0),
		Workers:     cpu.Default().Workers(),
		CPUFeatures: cpuFeatures(),
		MemoryBytes: memoryBytes(),
		Shared:      findShared(),
		SelfTest:    "ok",
	}
	h.Tier, h.TierReason = cpu.ExplainTier()
	b, err := findBackend(defaultBackend)
	if err == nil {
		_, err = runUnit(ctx, b, "selftest.mlir", selfTest)
	}
	if err != nil {
		h.SelfTest = reason("selftest.mlir", err)
	}
	return h
}

func (h health) String() string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("nx", "%s, StableHLO %s", h.Sources(), h.StableHLO)
	row("go", "%s %s", h.Go, h.Platform)
	row("cpu", "%d cores, GOMAXPROCS %d, %d workers", h.CPUs, h.MaxProcs, h.Workers)
	row("features", "%s", orElse(strings.Join(h.CPUFeatures, " "), "none that nx uses"))
	row("tier", "%s: %s", h.Tier, h.TierReason)
	memory := ""
	if h.MemoryBytes > 0 {
		memory = binaryBytes(float64(h.MemoryBytes))
	}
	row("memory", "%s", orElse(memory, "unknown"))
	row("shared", "%s", orElse(h.Shared, "not found: conformance runs need it next to the repository"))
	row("self-test", "%s", h.SelfTest)
	return b.String()
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// findShared returns the folder of conformance data, or "": the one named by NX_SHARED, or a folder "shared"
// next to a parent of the working directory.
func findShared() string {
	if named := os.Getenv("NX_SHARED"); named != "" {
		return named
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		shared := filepath.Join(filepath.Dir(dir), "shared")
		if info, err := os.Stat(filepath.Join(shared, "conformance")); err == nil && info.IsDir() {
			return shared
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}
