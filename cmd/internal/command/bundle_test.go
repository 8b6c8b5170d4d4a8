//go:build unix

package command

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-nx/nx/internal/payload"
)

// bundle runs nx bundle in this process, whose test binary is the base.
func bundle(t *testing.T, args ...string) (server string, o outcome) {
	t.Helper()
	t.Setenv(asProcess, "1") // of the program that compiles
	server = filepath.Join(t.TempDir(), "server")
	return server, nx(append([]string{"bundle", "-o", server}, args...)...)
}

// mustBundle is bundle of models that are good.
func mustBundle(t *testing.T, args ...string) string {
	t.Helper()
	server, o := bundle(t, args...)
	if o.code != exitOK {
		t.Fatalf("nx bundle %v: %d %s", args, o.code, o.stderr)
	}
	return server
}

// running is a bundle that serves.
type running struct {
	*exec.Cmd
	address, log string
}

// serveBundle starts a bundle without an environment, and returns when it is ready.
func serveBundle(t *testing.T, server string, change func(*exec.Cmd), args ...string) *running {
	t.Helper()
	c := exec.Command(server, append([]string{"--addr", "127.0.0.1:0"}, args...)...)
	c.Env = []string{asProcess + "=1"}
	if change != nil {
		change(c)
	}
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	r := &running{Cmd: c}
	t.Cleanup(func() { // it has ended if all is well
		if c.ProcessState == nil {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	})
	late := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	defer late.Stop()
	for s := bufio.NewScanner(stderr); s.Scan(); {
		r.log += s.Text() + "\n"
		if _, at, ok := strings.Cut(s.Text(), "address=http://"); ok {
			r.address = at
		}
		if strings.Contains(s.Text(), "msg=ready") {
			return r
		}
	}
	t.Fatalf("the bundle is not ready: %s", r.log)
	return nil
}

// stop ends a bundle as systems of containers do.
func (r *running) stop(t *testing.T) {
	t.Helper()
	if err := r.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

const (
	oneRow    = `{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,4]}]}`
	oneAnswer = `"data":[0.466063,0.24876142,0.14825542]`
	noCompile = "nothing was compiled"
)

// wantAnswer asks a bundle for what docs/serving.md shows.
func (r *running) wantAnswer(t *testing.T, model string) {
	t.Helper()
	if got := request(t, "GET", "http://"+r.address+"/v2/health/ready", ""); got != "{\"ready\":true}\n" {
		t.Errorf("ready: %q", got)
	}
	got := request(t, "POST", "http://"+r.address+"/v2/models/"+model+"/infer", oneRow)
	if !strings.Contains(got, oneAnswer) {
		t.Errorf("answer: %s", got)
	}
}

// TestBundle: a bundle serves without an environment and without compiling, also as a user that cannot write to its
// folder, and where there is no other file, if it needs no libraries and the test may arrange that.
func TestBundle(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "flowers", "7")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(classifier)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"7/model.onnx": data, "tokenizer.json": []byte("{}"),
		"7/vocab.txt": []byte("a"), "secret": []byte("x")} {
		if err := os.WriteFile(filepath.Join(folder, "..", name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	server := mustBundle(t, filepath.Dir(folder))
	info, err := os.Stat(server)
	if err != nil || info.Mode().Perm()&0o100 == 0 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
	r := serveBundle(t, server, nil)
	r.wantAnswer(t, "flowers")
	got := request(t, "GET", "http://"+r.address+"/v2/models/flowers/versions/7", "")
	if !strings.Contains(got, `"versions":["7"]`) {
		t.Errorf("the version: %s", got)
	}
	if !strings.Contains(r.log, noCompile) {
		t.Errorf("the bundle has compiled: %s", r.log)
	}
	r.stop(t)

	list := exec.Command(server, "models")
	list.Env = []string{asProcess + "=1"}
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"flowers, version 7", "models/flowers/7/model.onnx, 6.3 KiB",
		"models/flowers/tokenizer.json", "models/flowers/7/vocab.txt"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("nx models does not list %s: %s", want, out)
		}
	}
	if strings.Contains(string(out), "secret") {
		t.Errorf("a file that is not one of the model is inside: %s", out)
	}

	empty, err := os.MkdirTemp("", "nx-bundle-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(empty)
	program := filepath.Join(empty, "server")
	if err := os.Rename(server, program); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(empty, 0o555); err != nil {
		t.Fatal(err)
	}
	bytes, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	of := &syscall.SysProcAttr{}
	dir := empty
	if os.Geteuid() == 0 {
		of.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
		if !dynamic(bytes) { // .ci/bundle has a program that needs no libraries
			of.Chroot, dir, program = empty, "/", "/server"
		}
	}
	r = serveBundle(t, program, func(c *exec.Cmd) { c.Dir, c.SysProcAttr = dir, of })
	r.wantAnswer(t, "flowers")
	if !strings.Contains(r.log, noCompile) {
		t.Errorf("in an empty folder the bundle has compiled: %s", r.log)
	}
	r.stop(t)
	if left, err := os.ReadDir(empty); err != nil || len(left) != 1 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

// docs/serving.md shows what the commands print. Numbers differ by processors; "…" is the rest of a line.
func TestBundleTranscript(t *testing.T) {
	server := mustBundle(t, classifier)
	page, err := os.ReadFile("../../../docs/serving.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(string(page), "$ nx bundle classifier.onnx -o server\n")
	block, _, _ = strings.Cut(block, "```")
	number := regexp.MustCompile(`(^|\s)\d+(\.\d+)?(\s|$)`)
	plain := func(s string) string { return number.ReplaceAllString(s, "$1 N $3") }
	var got string
	commands := 0
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		if command, ok := strings.CutPrefix(line, "$ ./server "); ok {
			c := exec.Command(server, strings.Fields(command)...)
			c.Env = []string{asProcess + "=1"}
			out, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			got = string(out)
			commands++
			continue
		}
		if commands == 0 { // of nx bundle itself
			_, o := bundle(t, classifier)
			got = strings.Replace(o.stdout, filepath.Dir(strings.SplitN(o.stdout, ":", 2)[0])+"/", "", 1)
		}
		start, more := strings.CutSuffix(line, "…")
		end := "\n"
		if more {
			end = ""
		}
		if want := plain(start) + end; !strings.Contains(plain(got), want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if !ok || commands != 1 {
		t.Errorf("%d commands", commands)
	}
}

// The flags of nx bundle are defaults. Sizes that it has not compiled are compiled at the start, and kept where --cache
// says.
func TestBundleFlags(t *testing.T) {
	server := mustBundle(t, "--batch", "2", "--name", "m", "--quiet", classifier)
	r := serveBundle(t, server, nil)
	r.wantAnswer(t, "m")
	if !strings.Contains(r.log, "batch=2 compiled=2") || !strings.Contains(r.log, noCompile) {
		t.Errorf("the defaults: %s", r.log)
	}
	r.stop(t)
	cache := filepath.Join(t.TempDir(), "cache")
	for i := range 2 {
		r = serveBundle(t, server, nil, "--batch", "8", "--cache", cache)
		r.wantAnswer(t, "m")
		if !strings.Contains(r.log, "batch=8 compiled=4") || !strings.Contains(r.log, "or other sizes") {
			t.Errorf("another size: %s", r.log)
		}
		r.stop(t)
		list, err := os.ReadDir(cache)
		if err != nil || len(list) == 0 {
			t.Errorf("start %d: the cache has %d entries, %v", i, len(list), err)
		}
	}
	// A bundle is also the base of another, whose payload it is without.
	again := mustBundle(t, "--base", server, "--no-code", "--name", "n", classifier)
	r = serveBundle(t, again, nil)
	r.wantAnswer(t, "n")
	if !strings.Contains(r.log, "there is no code inside") {
		t.Errorf("without code: %s", r.log)
	}
	r.stop(t)
}

// A bundle that is damaged in any part ends with a message, and does not listen.
func TestBundleDamaged(t *testing.T) {
	good, err := os.ReadFile(mustBundle(t, classifier))
	if err != nil {
		t.Fatal(err)
	}
	base, err := payload.Base(good)
	if err != nil {
		t.Fatal(err)
	}
	altered := bytes.Clone(good)
	altered[bytes.Index(altered[len(base):], []byte("pytorch"))+len(base)]++
	for name, c := range map[string]struct {
		program []byte
		want    string
	}{
		"truncated": {good[:len(good)-1000], "was truncated"},
		"stripped":  {base, "strip"},
		"longer":    {append(bytes.Clone(good), 0), "was truncated"},
		"altered":   {altered, "SHA-256"},
	} {
		server := filepath.Join(t.TempDir(), "server")
		if err := os.WriteFile(server, c.program, 0o777); err != nil {
			t.Fatal(err)
		}
		run := exec.Command(server, "--addr", "127.0.0.1:0")
		run.Env = []string{asProcess + "=1"}
		out, err := run.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitFailed || !bytes.Contains(out, []byte(c.want)) ||
			bytes.Contains(out, []byte("listening")) {
			t.Errorf("%s: %v, %s", name, err, out)
		}
	}
}

// externalModel writes a model of ONNX, x + w, whose w is in another file.
func externalModel(t *testing.T, folder string) string {
	t.Helper()
	field := func(n int, b string) string {
		return string(binary.AppendUvarint([]byte{byte(n<<3 | 2)}, uint64(len(b)))) + b
	}
	number := func(n, v int) string { return string(binary.AppendUvarint([]byte{byte(n << 3)}, uint64(v))) }
	value := func(name string) string {
		shape := field(2, field(1, field(2, "batch"))+field(1, number(1, 2)))
		return field(1, name) + field(2, field(1, number(1, 1)+shape))
	}
	location := field(13, field(1, "location")+field(2, "data/w.bin"))
	w := number(1, 2) + number(2, 1) + field(8, "w") + location + number(14, 1)
	graph := field(1, field(1, "x")+field(1, "w")+field(2, "y")+field(4, "Add")) + field(2, "g") + field(5, w) +
		field(11, value("x")) + field(12, value("y"))
	file := filepath.Join(folder, "sum.onnx")
	if err := os.MkdirAll(filepath.Join(folder, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{file: number(1, 8) + field(7, graph) + field(8, number(2, 17)),
		filepath.Join(folder, "data", "w.bin"): "\x00\x00\x80\x3f\x00\x00\x00\x40"} {
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// Models of several files: weights that are in others, and folders.
func TestBundleFiles(t *testing.T) {
	external := externalModel(t, t.TempDir())
	exports := filepath.Join("..", "..", "..", "internal", "nxtests", "load", "testdata", "exports")
	torch := filepath.Join(exports, "torch-mlp", "model")
	server := mustBundle(t, "--name", "sum,torch", external, torch)
	if err := os.RemoveAll(filepath.Dir(external)); err != nil {
		t.Fatal(err)
	}
	r := serveBundle(t, server, nil)
	got := request(t, "POST", "http://"+r.address+"/v2/models/sum/infer",
		`{"inputs":[{"name":"x","shape":[1,2],"datatype":"FP32","data":[10,20]}]}`)
	if !strings.Contains(got, `"data":[11,22]`) {
		t.Errorf("sum: %s", got)
	}
	if got := request(t, "GET", "http://"+r.address+"/v2/models/torch/ready", ""); !strings.Contains(got, "true") {
		t.Errorf("torch: %s", got)
	}
	r.stop(t)
	keras := filepath.Join(exports, "keras-dense")
	server = mustBundle(t, "--weights", filepath.Join(keras, "weights.safetensors"),
		filepath.Join(keras, "keras-dense.jaxexport"))
	r = serveBundle(t, server, nil)
	if got := request(t, "GET", "http://"+r.address+"/v2/models/keras-dense", ""); strings.Contains(got, "kernel") {
		t.Errorf("the weights are inputs: %s", got)
	}
	if !strings.Contains(r.log, noCompile) {
		t.Errorf("the bundle has compiled: %s", r.log)
	}
	r.stop(t)
}

func TestBundleErrors(t *testing.T) {
	taken := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(taken, []byte("a letter"), 0o666); err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(t.TempDir(), "server")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no file":              {[]string{classifier}, "-o"},
		"no model":             {[]string{"-o", there}, "model"},
		"a model that is gone": {[]string{"-o", there, "none.onnx"}, "none.onnx"},
		"a file that is there": {[]string{"-o", taken, classifier}, "is not a bundle"},
		"two of a name":        {[]string{"-o", there, classifier, classifier}, "two models"},
		"two files of a name":  {[]string{"-o", there, classifier, taken + "/classifier.mlir"}, "name"},
		"another base":         {[]string{"-o", there, "--base", taken, classifier}, "--base"},
		"no base":              {[]string{"-o", there, "--base", "none", classifier}, "none"},
		"a batch":              {[]string{"-o", there, "--batch", "0", classifier}, "--batch"},
		"no program":           {[]string{"-o", there, taken}, "taken"},
		"a folder":             {[]string{"-o", filepath.Join(there, "x"), classifier}, "bundle: "},
	} {
		t.Setenv(asProcess, "1")
		o := nx(append([]string{"bundle"}, c.args...)...)
		if o.code == exitOK || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%s: %d %s", name, o.code, o.stderr)
		}
		left, err := filepath.Glob(filepath.Join(filepath.Dir(there), "*"))
		if err != nil || len(left) != 0 {
			t.Errorf("%s left %v (%v)", name, left, err)
		}
	}
	if data, err := os.ReadFile(taken); err != nil || string(data) != "a letter" {
		t.Errorf("the file that was there: %q, %v", data, err)
	}
}
