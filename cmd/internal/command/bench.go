package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/atomicfile"
	"github.com/go-nx/nx/internal/bench"
	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/internal/onnx"
)

// benchRow is one line of nx bench --json.
type benchRow struct {
	Bench     string   `json:"bench"`
	Peer      string   `json:"peer"`
	NS        int64    `json:"ns"`
	MinNS     int64    `json:"min_ns"`
	Reps      int      `json:"reps"`
	Check     *float64 `json:"check,omitempty"`
	CheckText string   `json:"check_text,omitempty"` // for what JSON has no number
	FirstNS   int64    `json:"first_ns,omitempty"`   // of a model of ONNX: to load it and to call it once
	AllocsOp  float64  `json:"allocs_op"`
	PeakRSSKB int64    `json:"peak_rss_kb"`
	Workers   int      `json:"workers"`
	Tier      string   `json:"tier"` // the code generator of cpu, or what else ran it
}

func newBench(s *Streams) *cobra.Command {
	var only, in []string
	var asJSON, sweep bool
	var record, peer, report string
	var budget time.Duration
	var as lowering
	var name string
	cmd := &cobra.Command{
		Use:   "bench [flags] [FILE.mlir…]",
		Short: "Time fixed workloads, or programs on synthetic inputs",
		Long: `Bench times the workloads that are compared with other array libraries, one after
another, and prints the median of the calls that fit in the budget. With files it
times @main of each program on synthetic inputs instead: floats uniform in [-1, 1),
integers from 0 to 15, booleans at random, the same ones every time. Sizes that a program
leaves open are set by --size batch=8, by the names that "nx inspect" shows, or
as arg0[1]. A model of ONNX is called on the inputs of --in if that is given.

A line has the median and the minimum time of a call, the number of timed calls, and
the allocations per call. With --json it also has the first element of the result
("check") and the peak memory of the process ("peak_rss_kb"). JSON cannot represent
elements that are not finite: these are in "check_text" instead, as "NaN", "+Inf" or
"-Inf".

With --record FILE each measurement is added to a file of tab-separated rows, as those of
bench/results in the repository: date, machine, features of the processor, workload and
time. With --peer FILE, which has lines of JSON with "bench", "peer", "version" and "ns", a
row has the fastest of them for its workload as well, and the ratio.

With --report FILE the measurements, and what "nx doctor" says of the processor, are one file
of JSON to send: it names no user, machine or folder.

With --sweep it times some functions of 2^10 to 2^26 elements and prints nanoseconds per
element: a function of linear time has a level line at the end.

The workloads are:
` + wrapped(benchNames()),
		Example: examples(
			"nx bench",
			"nx bench --only matmul_1024,mlp_step --budget 5s",
			"nx bench --sweep --budget 200ms",
			"nx bench --json model.mlir",
			"nx bench --only exp_1m --record rows.tsv --peer numpy.json",
			"nx bench --report mine.json",
			"nx bench --size b=32 model.jaxexport"),
		ValidArgsFunction: mlirFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if budget <= 0 {
				return fmt.Errorf("bench: the budget must be positive, got %v", budget)
			}
			if sweep && len(args) > 0 {
				return fmt.Errorf("--sweep times built-in functions: give no files with it")
			}
			if sweep {
				return s.sweep(cmd.Context(), budget)
			}
			if name != defaultBackend && len(args) == 0 {
				return errors.New("bench: --backend is for files: the workloads are those of cpu")
			}
			if peer != "" && record == "" {
				return errors.New("bench: --peer names measurements for rows: give a file to --record as well")
			}
			peers, err := readPeers(peer)
			if err != nil {
				return fmt.Errorf("bench: --peer: %w", err)
			}
			client, err := findCompiler(name)
			if err != nil {
				return err
			}
			work, err := s.workloads(cmd, client, only, args, in, as)
			if err != nil {
				return err
			}
			results := benchReport{}
			if report != "" {
				results.Machine = examine(cmd.Context())
				results.Machine.Shared = "" // a folder
			}
			for _, w := range work {
				if cmd.Context().Err() != nil {
					return cmd.Context().Err()
				}
				row, err := measure(w, client, budget)
				if err != nil {
					return err
				}
				results.Rows = append(results.Rows, row)
				if report != "" { // after each one: an interruption loses none, and a wrong path is found early
					if err := results.write(report); err != nil {
						return err
					}
				}
				if record != "" {
					r := row.record(peers, len(args) > 0, time.Now())
					if err := bench.AppendRecords(record, []bench.Record{r}); err != nil {
						return fmt.Errorf("bench: --record: %w", err)
					}
				}
				if asJSON {
					if err := json.NewEncoder(s.out).Encode(row); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintf(s.out, "%-24s %12s  min %12s  %6d calls  %8.1f allocs\n", row.Bench,
					time.Duration(row.NS), time.Duration(row.MinNS), row.Reps, row.AllocsOp)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&only, "only", nil, "time only these `workloads`")
	f.BoolVar(&asJSON, "json", false, "print one JSON object per line")
	f.StringVar(&record, "record", "", "add a row per measurement to this `file`, tab-separated")
	f.StringVar(&report, "report", "", "write all measurements, and the processor's features, to this `file`")
	f.StringVar(&peer, "peer", "", "a `file` of JSON lines of another library's times, for --record")
	f.BoolVar(&sweep, "sweep", false, "time functions of 2^10 to 2^26 elements")
	addSizeFlag(cmd, &as)
	f.StringArrayVar(&in, "in", nil, "inputs of a model of ONNX: an .npz, .npy or .safetensors `file`")
	f.DurationVar(&budget, "budget", 2500*time.Millisecond, "`time` spent on each")
	addBackendFlag(cmd, &name)
	cmd.MarkFlagsMutuallyExclusive("sweep", "only")
	cmd.MarkFlagsMutuallyExclusive("sweep", "backend")
	cmd.MarkFlagsMutuallyExclusive("sweep", "json")
	cmd.MarkFlagsMutuallyExclusive("sweep", "record")
	cmd.MarkFlagsMutuallyExclusive("sweep", "report")
	_ = cmd.RegisterFlagCompletionFunc("only",
		func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return benchNames(), cobra.ShellCompDirectiveNoFileComp
		}) // fails only for an unknown flag
	return cmd
}

// benchReport is the file of nx bench --report.
type benchReport struct {
	Machine health     `json:"machine"`
	Rows    []benchRow `json:"rows"`
}

// write writes the measurements to a file.
func (r *benchReport) write(path string) error {
	return fileError("write", path, atomicfile.Write(path, func(w io.Writer) error { return printJSON(w, r) }))
}

// sweep prints times an element of functions of tensors of all sizes, as a table and as lines.
func (s *Streams) sweep(ctx context.Context, budget time.Duration) error {
	logs := bench.SweepSizes()
	times := make([][]time.Duration, len(bench.Sweeps))
	fmt.Fprintf(s.out, "%-10s", "elements")
	for _, w := range bench.Sweeps {
		fmt.Fprintf(s.out, " %*s", max(len(w.Name), 9), w.Name)
	}
	fmt.Fprintln(s.out, "  (ns per element)")
	for _, log := range logs {
		fmt.Fprintf(s.out, "2^%-8d", log)
		for i, w := range bench.Sweeps {
			if err := ctx.Err(); err != nil {
				return err
			}
			r, err := w.At(log).Measure(budget)
			if err != nil {
				return err
			}
			times[i] = append(times[i], r.Median)
			fmt.Fprintf(s.out, " %*.4f", max(len(w.Name), 9), float64(r.Median)/math.Ldexp(1, log))
		}
		fmt.Fprintln(s.out)
	}
	fmt.Fprintln(s.out)
	for i, line := range bench.Plot(times, logs) {
		fmt.Fprintf(s.out, "%-24s %s\n", bench.Sweeps[i].Name, line)
	}
	return nil
}

func benchNames() []string {
	var names []string
	for _, w := range bench.Workloads {
		names = append(names, w.Name)
	}
	return names
}

// wrapped lists names in lines for a help text.
func wrapped(names []string) string {
	var b strings.Builder
	width := 0
	for _, n := range names {
		if width == 0 || width+len(n) > 80 {
			b.WriteString("\n ")
			width = 1
		}
		b.WriteString(" " + n)
		width += 1 + len(n)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// workload is a workload of the command line.
type workload struct {
	bench.Workload
	first time.Duration // of a model of ONNX
}

// workloads returns the workloads of the command line.
func (s *Streams) workloads(cmd *cobra.Command, client conformance.Compiler, only, files, in []string,
	as lowering) ([]workload, error) {
	if len(files) > 0 {
		if len(only) > 0 {
			return nil, fmt.Errorf("give workloads (--only) or files, not both")
		}
		var out []workload
		for _, path := range files {
			if onnx.IsFile(path) {
				w, err := onnxWorkload(cmd.Context(), path, in, as.sizes, client)
				if err != nil {
					return nil, err
				}
				out = append(out, w)
				continue
			}
			p, err := s.readModel(cmd.Context(), path, as)
			if err != nil {
				return nil, err
			}
			f, err := findEntry(path, p.Module)
			if err != nil {
				return nil, err
			}
			types, missing, err := sized(p, f, as.sizes)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if len(missing) > 0 {
				return nil, fmt.Errorf("%s: @%s takes any %s: give a number with --size",
					path, entry, printable(strings.Join(missing, ", ")))
			}
			w, err := bench.Program(strings.TrimSuffix(filepath.Base(path), ".mlir"), p.Module, client, types...)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			out = append(out, workload{Workload: w})
		}
		return out, nil
	}
	if len(only) == 0 {
		only = benchNames()
	}
	var out []workload
	for _, name := range only {
		i := slices.IndexFunc(bench.Workloads, func(w bench.Workload) bool { return w.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no workload %q; there are: %s", name, strings.Join(benchNames(), " "))
		}
		out = append(out, workload{Workload: bench.Workloads[i]})
	}
	return out, nil
}

func measure(w workload, client conformance.Compiler, budget time.Duration) (benchRow, error) {
	tier, workers := client.Name(), runtime.GOMAXPROCS(0)
	if c, ok := client.(*cpu.Client); ok {
		tier, workers = c.Tier(), c.Workers()
	}
	r, err := w.Measure(budget)
	if err != nil {
		return benchRow{}, err
	}
	row := benchRow{Bench: r.Name, Peer: "nx", NS: r.Median.Nanoseconds(), MinNS: r.Min.Nanoseconds(), Reps: r.Reps,
		FirstNS: w.first.Nanoseconds(), AllocsOp: r.AllocsOp, PeakRSSKB: peakRSS(), Workers: workers, Tier: tier}
	if math.IsNaN(r.Check) || math.IsInf(r.Check, 0) {
		row.CheckText = strconv.FormatFloat(r.Check, 'g', -1, 64)
	} else {
		row.Check = &r.Check
	}
	return row, nil
}

// peakRSS returns the peak memory of the process in KiB; 0 if the system does not report it.
func peakRSS() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			var kb int64
			if _, err := fmt.Sscan(rest, &kb); err == nil {
				return kb
			}
		}
	}
	return 0
}
