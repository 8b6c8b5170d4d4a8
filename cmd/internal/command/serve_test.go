//go:build unix

package command

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const classifier = "../../../internal/nxtests/onnx/testdata/classifier.onnx"

// lastAnswered is how many requests the last nx serve that ended had answered, by its log.
var lastAnswered atomic.Value

// startServing runs nx serve as a process, and returns the address when it is ready.
func startServing(t *testing.T, args ...string) (address string, process *exec.Cmd, ended <-chan error) {
	t.Helper()
	c := exec.Command(os.Args[0], append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	c.Env = append(os.Environ(), asProcess+"=1")
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() }) // it has ended if all is well
	lines, done := make(chan string, 1000), make(chan error, 1)
	go func() {
		for s := bufio.NewScanner(stderr); s.Scan(); {
			if _, n, ok := strings.Cut(s.Text(), "answered="); ok {
				lastAnswered.Store(n)
			}
			select {
			case lines <- s.Text():
			default:
			}
		}
		done <- c.Wait()
	}()
	for {
		select {
		case line := <-lines:
			if _, at, ok := strings.Cut(line, "address=http://"); ok {
				address = at
			}
			if strings.Contains(line, "msg=ready") {
				return address, c, done
			}
		case err := <-done:
			t.Fatalf("nx serve ended: %v", err)
		case <-time.After(time.Minute):
			t.Fatal("nx serve is not ready")
		}
	}
}

// docs/serving.md shows the answers of the server.
func TestServeTranscript(t *testing.T) {
	address, process, ended := startServing(t, "--quiet", classifier)
	page, err := os.ReadFile("../../../docs/serving.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```console\n")
	block, _, _ = strings.Cut(block, "```")
	command := regexp.MustCompile(`^\$ curl (?:-d '(.*)' )?localhost:8080(\S+)$`)
	n := 0
	lines := strings.Split(strings.TrimSpace(block), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		m := command.FindStringSubmatch(lines[i])
		if m == nil {
			t.Fatalf("not a command: %s", lines[i])
		}
		method := "GET"
		if m[1] != "" {
			method = "POST"
		}
		got := request(t, method, "http://"+address+m[2], m[1])
		if strings.TrimSpace(got) != lines[i+1] {
			t.Errorf("%s\nanswers %s\nwant    %s", lines[i], got, lines[i+1])
		}
		n++
	}
	if n < 4 {
		t.Errorf("%d commands", n)
	}
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

func request(t *testing.T, method, url, body string) string {
	t.Helper()
	_, answer := send(t, method, url, body)
	return answer
}

// send sends a request and returns the status and body of the answer.
func send(t *testing.T, method, url, body string) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	out, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(out)
}

func TestServeErrors(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no model":         {nil, "model"},
		"no file":          {[]string{"none.onnx"}, "none.onnx"},
		"two of a name":    {[]string{classifier, "other/classifier.mlir"}, "name"},
		"names":            {[]string{"--name", "a,b", classifier}, "names"},
		"an address":       {[]string{"--addr", "nowhere:x", classifier}, "listen"},
		"a size":           {[]string{"--size", "batch=x", classifier}, "batch=x"},
		"another size":     {[]string{"--size", "width=8", classifier}, "width"},
		"a batch":          {[]string{"--batch", "0", classifier}, "--batch"},
		"public profiles":  {[]string{"--pprof", ":6060", classifier}, "--pprof"},
		"a certificate":    {[]string{"--tls-cert", "none.pem", classifier}, "--tls-cert"},
		"an unknown input": {[]string{"--bind", "rate=1", classifier}, "rate"},
	} {
		args := c.args
		if name != "an address" {
			args = append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)
		} else {
			args = append([]string{"serve"}, args...)
		}
		if o := nx(args...); o.code == exitOK || !bytes.Contains([]byte(o.stderr), []byte(c.want)) {
			t.Errorf("%s: %d %s", name, o.code, o.stderr)
		}
	}
}

// nx serve answers for language models and others beside each other, logs their requests, and waits for them.
func TestServeLanguageModel(t *testing.T) {
	dir := textFolder(t, true)
	address, process, ended := startServing(t, "--name", "tiny", "--slots", "2", dir, classifier)
	for path, want := range map[string]string{"/v1/models": `"id":"tiny"`, "/v2/models/classifier": "FP32",
		"/v2/health/ready": "true"} {
		if got := request(t, "GET", "http://"+address+path, ""); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	got := request(t, "POST", "http://"+address+"/v1/chat/completions",
		`{"messages":[{"role":"user","content":"Hello"}],"max_tokens":4,"stream":true}`)
	if !strings.HasSuffix(got, "data: [DONE]\n\n") {
		t.Error(got)
	}
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || lastAnswered.Load() != "1" {
		t.Errorf("after SIGTERM: %v, answered %v", err, lastAnswered.Load())
	}
	if o := nx("serve", "--size", "n=8", dir); o.code == exitOK || !strings.Contains(o.stderr, "--size") {
		t.Errorf("--size: %d %s", o.code, o.stderr)
	}
}
