//go:build unix

package command

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// nx serve --grpc runs nx-grpc with its arguments, in its own place; without it, the error says how to get it.
func TestServeGRPC(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	args := []string{"serve", "--name", "a,b", "--grpc", "127.0.0.1:0", classifier, "other.onnx"}
	var out, errs bytes.Buffer
	if code := run(context.Background(), args, nil, &out, &errs); code != exitUsage ||
		!strings.Contains(errs.String(), installOf("nx-grpc")) || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("without it: exit %d, %s", code, &errs)
	}
	script := "#!/bin/sh\necho \"$$ got $*\"\n[ \"$2\" != fail ]\n"
	if err := os.WriteFile(filepath.Join(dir, "nx-grpc"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	want := "got " + strings.Join(args, " ") + "\n"
	if code := run(context.Background(), args, nil, &out, &errs); code != exitOK ||
		!strings.HasSuffix(out.String(), want) {
		t.Errorf("exit %d, %q, %s", code, &out, &errs)
	}
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asProcess+"=1")
	var text bytes.Buffer
	c.Stdout, c.Stderr = &text, &text
	c.Stdin = os.Stdin
	if err := c.Run(); err != nil {
		t.Errorf("%v %s", err, &text)
	}
	if got := text.String(); got != strings.Join([]string{strconv.Itoa(c.Process.Pid), want}, " ") {
		t.Errorf("process %d: %q", c.Process.Pid, got)
	}
}
