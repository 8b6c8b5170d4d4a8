package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// outcome is the outcome of a command line.
type outcome struct {
	code           int
	stdout, stderr string
}

// nx runs a command line as a process would.
// run is the command line of nx.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	return Nx.Run(ctx, args, in, out, errs)
}

func nx(args ...string) outcome { return nxWith(context.Background(), "", args...) }

func nxWith(ctx context.Context, stdin string, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	code := run(ctx, args, strings.NewReader(stdin), &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

// want checks the status and that each text occurs.
func (o outcome) want(t *testing.T, code int, stdout, stderr string) {
	t.Helper()
	if o.code != code {
		t.Errorf("status %d, want %d", o.code, code)
	}
	if !strings.Contains(o.stdout, stdout) || stdout == "" && o.stdout != "" {
		t.Errorf("stdout is %q, want %q in it", o.stdout, stdout)
	}
	if !strings.Contains(o.stderr, stderr) || stderr == "" && o.stderr != "" {
		t.Errorf("stderr is %q, want %q in it", o.stderr, stderr)
	}
	if t.Failed() {
		t.Logf("stdout:\n%s\nstderr:\n%s", o.stdout, o.stderr)
	}
}

// file writes a file into a temporary folder and returns its path.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCommandLine(t *testing.T) {
	tests := []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"no arguments", nil, exitOK, "Available Commands", ""},
		{"help", []string{"help"}, exitOK, "Available Commands", ""},
		{"help of a command", []string{"help", "check"}, exitOK, "N passed, M failed", ""},
		{"unknown command", []string{"frobnicate"}, exitUsage, "",
			`nx: there is no command "frobnicate": "nx help" lists the commands`},
		{"misspelt command", []string{"chek"}, exitUsage, "", `did you mean "check"?`},
		{"unknown flag", []string{"run", "--frob"}, exitUsage, "",
			`nx: unknown flag: --frob: "nx run --help" shows the flags`},
		{"flag without value", []string{"run", "--in"}, exitUsage, "",
			`flag needs an argument: --in: "nx run --help" shows the flags`},
		{"no file", []string{"run"}, exitUsage, "", "run: want one file, got 0 arguments"},
		{"two files", []string{"inspect", "a", "b"}, exitUsage, "", "inspect: want one file, got 2 arguments"},
		{"nothing to check", []string{"check"}, exitUsage, "", "check: want files or folders"},
		{"unknown backend", []string{"check", "--backend", "tpu", "."}, exitUsage, "",
			`there is no backend "tpu": the backends are cpu, interp`},
		{"generic and pretty", []string{"fmt", "--generic", "--pretty", "x"}, exitUsage, "",
			"fmt: --generic and --pretty exclude each other"},
		{"JSON of a stage", []string{"inspect", "--json", "--stage", "fused", "x"}, exitUsage, "",
			"inspect: --json and --stage exclude each other"},
		{"help of nothing", []string{"help", "frob"}, exitUsage, "", `there is no command "frob"`},
		{"completions of no shell", []string{"completion", "frob"}, exitUsage, "",
			`there are no completions for "frob"`},
		{"the shells", []string{"completion"}, exitOK, "Available Commands", ""},
		{"no budget", []string{"bench", "--budget", "-1s"}, exitUsage, "", "the budget must be positive, got -1s"},
		{"the workloads", []string{"help", "bench"}, exitOK, "\n  softmax_1m softmax_naive_1m ", ""},
		{"missing file", []string{"run", "none.mlir"}, exitUsage, "",
			"nx: cannot read none.mlir: no such file or directory: check the path\n"},
		{"folder for a file", []string{"run", "."}, exitUsage, "", "cannot read .: it is a folder"},
		{"completion", []string{"completion", "bash"}, exitOK, "__start_nx", ""},
		{"completion of a flag's values", []string{"__complete", "run", "--backend", ""}, exitOK,
			"cpu\ninterp\n", "Completion ended"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nx(tt.args...).want(t, tt.code, tt.stdout, tt.stderr)
		})
	}
}

func TestEveryCommandHasExamples(t *testing.T) {
	for _, c := range newRoot(&Streams{}).Commands() {
		if c.Example == "" || c.Long == "" {
			t.Errorf("nx %s: its help has no examples or no text", c.Name())
		}
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	for _, args := range [][]string{
		{"check", "none.mlir"}, {"run", "none.mlir"}, {"fmt", "none.mlir"}, {"inspect", "none.mlir"},
		{"doctor", "x"}, {"version", "x"}, {"check", t.TempDir()},
	} {
		o := nx(args...)
		if o.code != exitUsage || strings.Count(o.stderr, "\n") != 1 || !strings.HasPrefix(o.stderr, "nx: ") {
			t.Errorf("nx %s: status %d, stderr %q: want status 2 and one line", strings.Join(args, " "),
				o.code, o.stderr)
		}
	}
}

func TestVersion(t *testing.T) {
	o := nx("version")
	line := regexp.MustCompile(`^nx version \S+( \([0-9a-f]{12}(, modified)?\))?, StableHLO 1\.20\.0, go\S+, \w+/\w+\n$`)
	if !line.MatchString(o.stdout) {
		t.Errorf("got %q", o.stdout)
	}
	for _, flag := range []string{"--version", "-v"} {
		if got := nx(flag); got != o {
			t.Errorf("%s: got %+v, want %+v", flag, got, o)
		}
	}
	nx("version", "--json").want(t, exitOK, `"stablehlo":"1.20.0"`, "")
}

func TestDoctor(t *testing.T) {
	nx("doctor").want(t, exitOK, "self-test  ok\n", "")
	nx("doctor", "--json").want(t, exitOK, `"selfTest":"ok"`, "")
}

func TestStreamWithoutEnd(t *testing.T) {
	var stderr bytes.Buffer
	code := run(t.Context(), []string{"fmt", "-"}, endlessReader{}, &stderr, &stderr)
	if want := "nx: cannot read -: a program must have at most 256 MiB\n"; code != exitUsage ||
		stderr.String() != want {
		t.Errorf("status %d, %q, want 2 and %q", code, stderr.String(), want)
	}
}

// endlessReader is a device like /dev/zero.
type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) { return len(p), nil }

// failingWriter is standard output on a full disk.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestUnwritableOutput(t *testing.T) {
	program := file(t, "a.mlir", "func.func @main() -> tensor<f32> {\n"+
		"  %0 = stablehlo.constant dense<1.0> : tensor<f32>\n  return %0 : tensor<f32>\n}\n")
	for _, args := range [][]string{
		{"version"}, {"version", "--json"}, {"doctor"}, {"check", program}, {"check", "--json", program},
		{"run", program}, {"fmt", program}, {"inspect", program}, {"inspect", "--json", program},
		{"inspect", "--stage", "kernels", program},
	} {
		var stderr bytes.Buffer
		code := run(context.Background(), args, strings.NewReader(""), failingWriter{}, &stderr)
		if want := "nx: cannot write the results: no space left on device\n"; code != exitUsage ||
			stderr.String() != want {
			t.Errorf("nx %s: status %d, stderr %q, want 2 and %q", strings.Join(args, " "), code, stderr.String(), want)
		}
	}
}

func TestPlain(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"text", "tensor<2xf32>: größer", "tensor<2xf32>: größer"},
		{"escape sequence", "a\x1b[2Jb", `a\x1b[2Jb`},
		{"line ends", "a\nb\r", `a\x0ab\x0d`},
		{"bytes that are not text", "a\xffb", "a\ufffdb"},
		{"long", strings.Repeat("é", 500), strings.Repeat("é", 300) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := printable(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
