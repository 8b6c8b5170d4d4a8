//go:build unix

package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const classifier = "../../../internal/nxtests/onnx/testdata/classifier.onnx"

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
	return string(out)
}

// TestServeUnderLoad: with clients that cancel, models that are loaded again and a SIGTERM in the middle, no answer is
// wrong, and every request that was sent is answered, refused, or its connection was refused.
func TestServeUnderLoad(t *testing.T) {
	folder := t.TempDir()
	data, err := os.ReadFile(classifier)
	if err != nil {
		t.Fatal(err)
	}
	put := func(version int) {
		at := filepath.Join(folder, fmt.Sprint(version))
		if err := os.Mkdir(at, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, "model.onnx"), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put(1)
	address, process, ended := startServing(t, "--quiet", "--name", "m", folder)
	url := "http://" + address + "/v2/models/m/infer"
	body := func(v int) string {
		return fmt.Sprintf(`{"id":"%d","inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","data":[%d,2,3,4]}]}`, v, v)
	}
	type answer struct {
		ID      string
		Outputs []struct{ Data []float64 }
	}
	want := map[int]float64{}
	for v := range 20 {
		var a answer
		if err := json.Unmarshal([]byte(request(t, "POST", url, body(v))), &a); err != nil {
			t.Fatal(err)
		}
		want[v] = a.Outputs[0].Data[0]
	}
	var wait sync.WaitGroup
	var mutex sync.Mutex
	counts := map[int]int{}
	stop := make(chan struct{})
	for c := range 16 {
		wait.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				v := (c + i) % 20
				a, err := client.Post(url, "application/json", strings.NewReader(body(v)))
				if err != nil { // the server has stopped listening
					return
				}
				out, err := io.ReadAll(a.Body)
				a.Body.Close()
				if err != nil {
					t.Errorf("an answer was cut off: %v", err)
					return
				}
				mutex.Lock()
				counts[a.StatusCode]++
				mutex.Unlock()
				var got answer
				if a.StatusCode == 200 && (json.Unmarshal(out, &got) != nil || got.ID != fmt.Sprint(v) ||
					got.Outputs[0].Data[0] != want[v]) {
					t.Errorf("request %d: %s, want %v", v, out, want[v])
				} else if a.StatusCode != 200 && a.StatusCode != 503 && a.StatusCode != 404 {
					t.Errorf("status %d: %s", a.StatusCode, out)
				}
			}
		})
	}
	for version := range 3 {
		time.Sleep(100 * time.Millisecond)
		put(version + 2)
		if err := process.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(200 * time.Millisecond)
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	close(stop)
	wait.Wait()
	if counts[200] < 100 {
		t.Errorf("answers by status: %v", counts)
	}
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
