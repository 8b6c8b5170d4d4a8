package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"
)

// checker is the state of one nx check.
type checker struct {
	*Streams
	verify   bool
	json     bool
	backend  string
	timeout  time.Duration
	workers  int
	preview  bool // report whether the programs can run
	lowering      // of the preview
}

// verdict is the outcome of one file.
type verdict struct {
	Path   string `json:"path"`
	Passed bool   `json:"passed"`
	// Reason reports why the file failed, in one line.
	Reason string `json:"reason,omitempty"`
	// Ran is the number of functions that ran; 0 for a program that was only
	// verified because its functions take arguments.
	Ran *int `json:"ran,omitempty"`
	// Place reports of --verify whether the errors of a rejected program stand
	// where its comments want them; nil for programs without such comments.
	Place *rejections `json:"place,omitempty"`
	// Needs are the requirements for --can-run.
	Needs *requirements `json:"needs,omitempty"`
}

// rejections counts the rejections of a file's parts and those at the named line.
type rejections struct {
	Rejected int `json:"rejected"`
	AtLine   int `json:"atNamedLine"`
}

func newCheck(s *Streams) *cobra.Command {
	c := &checker{Streams: s, workers: runtime.GOMAXPROCS(0)}
	cmd := &cobra.Command{
		Use:   "check [flags] FILE|DIR…",
		Short: "Run self-checking programs, or verify programs",
		Long: `Check runs StableHLO programs that check themselves with check.* ops. A file is
one unit: it is split at "// -----", and of each part @main runs, or else every
public function without arguments. The file passes when all parts run and every
check holds; unsupported programs fail. A program whose functions all take
arguments passes when it is valid and its custom calls are supported; the summary
counts such programs. Folders are searched for .mlir files; "-" reads standard input.

With --verify the programs are only read and verified: one without
"expected-error" comments passes when it is accepted, one with them when it is
rejected.

With --can-run no program runs and no weights are read: it reports for each program
(text, a portable artifact, an export of JAX, the folder of a bundle) whether @main can
run here, and the memory of its arguments, its results and its temporary buffers. A
program fails if it calls unknown functions, does not compile, or needs more than the
available memory. Dynamic sizes are set by --size batch=8, by the names that
"nx inspect" shows, or as arg0[1].

Each failure is a line "FAIL path: reason"; the last line is "N passed, M failed".
With --json each file is an object {"path", "passed", "reason", "ran", "place"} on a
separate line, and the last one is {"passed": N, "failed": M, …}.`,
		Example: examples(
			"nx check add.mlir",
			"nx check ../shared/conformance/stablehlo/testdata",
			"nx check --verify verify/*.mlir",
			"nx check --can-run --size b=32 model.jaxexport",
			"nx check --json . | jq -r 'select(.reason) | .path'"),
		Args:              wantArgs(1, -1, "files or folders"),
		ValidArgsFunction: mlirFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := exclude(cmd, "verify", "can-run"); err != nil {
				return err
			}
			if len(c.sizes) > 0 && !c.preview {
				return errors.New("check: --size is for --can-run")
			}
			return c.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&c.verify, "verify", false, "read and verify only, against expected-error comments")
	f.BoolVar(&c.preview, "can-run", false, "report whether programs can run, and their memory requirements")
	addSizeFlag(cmd, &c.lowering)
	f.BoolVar(&c.json, "json", false, "print one JSON object per line")
	f.DurationVar(&c.timeout, "timeout", 2*time.Minute, "fail a file that runs longer; 0 for no limit")
	addBackendFlag(cmd, &c.backend)
	return cmd
}

func (c *checker) run(ctx context.Context, args []string) error {
	judge := c.verifyFile
	switch {
	case c.preview:
		if _, err := findBackend(c.backend); err != nil {
			return err
		}
		judge = c.canRun
	case !c.verify:
		b, err := findBackend(c.backend)
		if err != nil {
			return err
		}
		judge = func(ctx context.Context, path string) verdict { return c.runFile(ctx, b, path) }
	}
	files := args
	if !c.preview { // a bundle is a folder
		var err error
		if files, err = findPrograms(args); err != nil {
			return err
		}
	}
	report := &checkReport{out: c.out, json: c.json, bar: newProgress(c.err, len(files))}
	err := checkAll(ctx, files, c.workers, judge, report.add)
	report.bar.finish()
	if err != nil {
		return err
	}
	return report.finish(c)
}

// checkAll checks the files in parallel and passes the verdicts to emit in the order of the files, as early as
// possible.
func checkAll(ctx context.Context, files []string, workers int,
	judge func(context.Context, string) verdict, emit func(verdict) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	verdicts := make([]chan verdict, len(files))
	for i := range verdicts {
		verdicts[i] = make(chan verdict, 1)
	}
	next := make(chan int)
	for range min(workers, len(files)) {
		go func() {
			for i := range next {
				verdicts[i] <- recovering(ctx, files[i], judge)
			}
		}()
	}
	go func() {
		defer close(next)
		for i := range files {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	for _, ch := range verdicts {
		select {
		case v := <-ch:
			if err := ctx.Err(); err != nil { // v may be the verdict of a run cut short
				return err
			}
			if err := emit(v); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// recovering checks a file; a panic is the failure of that file, not the end of the whole run.
func recovering(ctx context.Context, path string, judge func(context.Context, string) verdict) (v verdict) {
	defer func() {
		if r := recover(); r != nil {
			v = verdict{Path: path, Reason: printable(fmt.Sprintf("nx panicked, which is a bug: %v", r))}
		}
	}()
	return judge(ctx, path)
}

// failure is the verdict of a file that failed.
func failure(path string, err error) verdict { return verdict{Path: path, Reason: reason(path, err)} }

// checkReport prints verdicts as they come and counts them.
type checkReport struct {
	out            io.Writer
	json           bool
	bar            *progress
	passed, failed int
	verified       int // passed without running anything
	rejections     rejections
}

func (r *checkReport) add(v verdict) error {
	if v.Passed {
		r.passed++
	} else {
		r.failed++
	}
	if v.Ran != nil && *v.Ran == 0 {
		r.verified++
	}
	if v.Place != nil {
		r.rejections.Rejected += v.Place.Rejected
		r.rejections.AtLine += v.Place.AtLine
	}
	defer r.bar.step()
	switch {
	case r.json:
		return printJSON(r.out, v)
	case !v.Passed:
		r.bar.clear()
		_, err := fmt.Fprintf(r.out, "FAIL %s: %s\n", printable(v.Path), v.Reason)
		if v.Needs != nil && len(v.Needs.Unknown) > 1 {
			for _, c := range v.Needs.Unknown[1:] {
				_, err = fmt.Fprintf(r.out, "  line %d calls @%s as well\n", c.Line, printable(c.Target))
			}
		}
		return written(err)
	case v.Needs != nil:
		r.bar.clear()
		_, err := fmt.Fprintf(r.out, "%s: %s\n", printable(v.Path), v.Needs)
		return written(err)
	}
	return nil
}

func (r *checkReport) finish(c *checker) error {
	if err := r.summary(c); err != nil {
		return err
	}
	if r.failed > 0 {
		return errFailed
	}
	return nil
}

func (r *checkReport) summary(c *checker) error {
	if r.json {
		sum := map[string]any{"passed": r.passed, "failed": r.failed}
		switch {
		case c.verify:
			sum["place"] = r.rejections
		case !c.preview:
			sum["verifiedOnly"] = r.verified
		}
		return printJSON(r.out, sum)
	}
	note := ""
	switch {
	case c.verify:
		note = fmt.Sprintf("rejected: %d, with the error at the named line: %d\n", r.rejections.Rejected,
			r.rejections.AtLine)
	case r.verified > 0:
		note = fmt.Sprintf("verified only, as all functions take arguments: %d\n", r.verified)
	}
	_, err := fmt.Fprintf(r.out, "%s%d passed, %d failed\n", note, r.passed, r.failed)
	return written(err)
}

// printJSON prints v as one line.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return written(e.Encode(v))
}

// written wraps an error of writing results.
func written(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write the results: %w", cause(err))
}
