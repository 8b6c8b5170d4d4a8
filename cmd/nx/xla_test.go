package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// nx xla runs nx-xla with its arguments, flags included; where it is not, the error names the
// command that installs it.
func TestXLA(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: a script stands for the program, which Windows does not run")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"xla", "list"}, nil, &out, &errs); code != exitUsage ||
		!strings.Contains(errs.String(), xlaInstall) {
		t.Errorf("without it: exit %d, %s", code, &errs)
	}
	script := "#!/bin/sh\necho \"got $*\"\n[ \"$1\" != fail ]\n"
	if err := os.WriteFile(filepath.Join(dir, "nx-xla"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if code := run(context.Background(), []string{"xla", "list", "--wait", "1s", "--help"}, nil, &out, &errs); code != 0 ||
		out.String() != "got list --wait 1s --help\n" {
		t.Errorf("exit %d, %q", code, &out)
	}
	if code := run(context.Background(), []string{"xla", "fail"}, nil, &out, &errs); code != exitFailed {
		t.Errorf("a command that fails: exit %d", code)
	}
}
