package command

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// newModule runs nx new.
func newModule(t *testing.T, args ...string) (status int, out string) {
	t.Helper()
	var b bytes.Buffer
	status = Nx.Run(t.Context(), append([]string{"new"}, args...), strings.NewReader(""), &b, &b)
	return status, b.String()
}

// The module that is made trains and passes its test, with the sources that are here and without a network.
func TestNewModule(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: builds a module")
	}
	dir := filepath.Join(t.TempDir(), "spirals")
	sources, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if status, out := newModule(t, dir, "--replace", sources); status != exitOK ||
		!strings.Contains(out, "go test ./...") {
		t.Fatalf("status %d: %s", status, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !strings.HasPrefix(string(text), "module spirals\n") {
		t.Errorf("%v\n%s", err, text)
	}
	for _, args := range [][]string{{"test", "./..."}, {"run", ".", "-epochs", "1"}} {
		cmd := exec.Command("go", append([]string{args[0], "-mod=mod"}, args[1:]...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
	if files, err := filepath.Glob(filepath.Join(dir, "run", "step_*.safetensors")); err != nil || len(files) == 0 {
		t.Errorf("no checkpoint: %v", err)
	}
	if status, out := newModule(t, dir, "--replace", sources); status != exitFailed ||
		!strings.Contains(out, "is not empty") {
		t.Errorf("status %d: %s", status, out)
	}
}

func TestNewErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(t.TempDir(), "fresh")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, exitUsage, "want the name of the folder"},
		{[]string{fresh}, exitUsage, "--replace names their folder"}, // as tests have no version
		{[]string{fresh, "--module", "a b"}, exitUsage, `"a b" cannot be the path of a module`},
		{[]string{fresh, "--module", "../up"}, exitUsage, "cannot be the path of a module"},
		{[]string{fresh, "--replace", t.TempDir()}, exitFailed, "go.sum"},
		{[]string{file, "--replace", "../../.."}, exitFailed, "file"},
	} {
		if status, out := newModule(t, c.args...); status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%v: status %d, %s", c.args, status, out)
		}
	}
	if _, err := os.Stat(fresh); err == nil {
		t.Error("a folder is left after an error")
	}
	files, err := filesOfModule("example.com/m", "v1.2.3", "")
	if err != nil || string(files["go.mod"]) != "module example.com/m\n\ngo 1.26.0\n\nrequire github.com/go-nx/nx v1.2.3\n" ||
		!strings.HasPrefix(string(files["README.md"]), "# m\n") || len(files) != 7 {
		t.Errorf("%v, %d files\n%s", err, len(files), files["go.mod"])
	}
}
