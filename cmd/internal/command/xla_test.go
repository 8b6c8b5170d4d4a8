package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// nx xla runs nx-xla with its arguments, flags included, and so do commands whose --backend is a
// client of XLA; nx vet runs nx-vet, nx defn defn. Where these are not, the error names the command that installs them.
func TestOtherPrograms(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: a script stands for the program, which Windows does not run")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"xla", "list"}, nil, &out, &errs); code != exitUsage ||
		!strings.Contains(errs.String(), installOf("nx-xla")) {
		t.Errorf("without it: exit %d, %s", code, &errs)
	}
	errs.Reset()
	if code := run(context.Background(), []string{"vet"}, nil, &out, &errs); code != exitUsage ||
		!strings.Contains(errs.String(), installOf("nx-vet")) {
		t.Errorf("vet without it: exit %d, %s", code, &errs)
	}
	t.Run("defn", func(t *testing.T) { // without a module that has it as a tool
		t.Chdir(dir)
		for _, args := range [][]string{{"defn", "vet"}, {"run", "example.com/m/defs.Softmax"}} {
			errs.Reset()
			if code := run(context.Background(), args, nil, &out, &errs); code != exitUsage ||
				!strings.Contains(errs.String(), installOf("defn")) {
				t.Errorf("%q without it: exit %d, %s", args, code, &errs)
			}
		}
	})
	program := filepath.Join(dir, "p.mlir")
	if err := os.WriteFile(program, []byte("func.func @main() {\n  return\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ofXLA := [][]string{{"run", program, "--backend", "xla:cuda"}, {"check", "--backend=xla", program},
		{"check", "--can-run", "--backend=xla:tpu", program}, {"bench", "--json", "--backend", "xla:cuda", program}}
	for _, args := range ofXLA {
		errs.Reset()
		if code := run(context.Background(), args, nil, &out, &errs); code != exitUsage ||
			!strings.Contains(errs.String(), installOf("nx-xla")) || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q without it: exit %d, %s", args, code, &errs)
		}
	}
	script := "#!/bin/sh\necho \"got $*\"\n[ \"$1\" != fail ]\n"
	if err := os.WriteFile(filepath.Join(dir, "nx-xla"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if code := run(context.Background(), []string{"xla", "list", "--wait", "1s", "--help"}, nil, &out,
		&errs); code != 0 ||
		out.String() != "got list --wait 1s --help\n" {
		t.Errorf("exit %d, %q", code, &out)
	}
	for _, args := range ofXLA {
		out.Reset()
		if code := run(context.Background(), args, nil, &out, &errs); code != 0 ||
			out.String() != "got "+strings.Join(args, " ")+"\n" {
			t.Errorf("%q: exit %d, %q, %s", args, code, &out, &errs)
		}
	}
	out.Reset()
	if err := os.Rename(filepath.Join(dir, "nx-xla"), filepath.Join(dir, "nx-vet")); err != nil {
		t.Fatal(err)
	}
	if code := run(context.Background(), []string{"vet", "-json", "./..."}, nil, &out, &errs); code != 0 ||
		out.String() != "got -json ./...\n" {
		t.Errorf("vet: exit %d, %q", code, &out)
	}
	if err := os.Rename(filepath.Join(dir, "nx-vet"), filepath.Join(dir, "defn")); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	t.Chdir(dir)
	if code := run(context.Background(), []string{"defn", "-check", "./..."}, nil, &out, &errs); code != 0 ||
		out.String() != "got -check ./...\n" {
		t.Errorf("defn: exit %d, %q", code, &out)
	}
	if code := run(context.Background(), []string{"defn", "fail"}, nil, &out, &errs); code != exitFailed {
		t.Errorf("a command that fails: exit %d", code)
	}
}
