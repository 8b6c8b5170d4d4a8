//go:build unix

package command

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/go-nx/nx/internal/tinymodel"
)

// TestListenBeforeLanguageModels: a server is alive before its language models are open, and ready when they are.
func TestListenBeforeLanguageModels(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	const hello = `{"messages":[{"role":"user","content":"Hello"}],"max_tokens":2}`
	check := func(addr net.Addr, want map[string]int) {
		for path, code := range want {
			method, body := "GET", ""
			if strings.HasPrefix(path, "/v1/") {
				method, body = "POST", hello
			}
			if got, answer := send(t, method, "http://"+addr.String()+path, body); got != code {
				t.Errorf("%s: %d %s, want %d", path, got, answer, code)
			}
		}
	}
	reached := false
	v := &serving{Streams: &Streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard, name: "nx"}}
	v.listening = func(addr net.Addr) {
		check(addr, map[string]int{"/v2/health/live": 200, "/v2/health/ready": 503, "/v1/chat/completions": 503})
	}
	v.ready = func(addr net.Addr) {
		check(addr, map[string]int{"/v2/health/live": 200, "/v2/health/ready": 200, "/v1/chat/completions": 200})
		reached = true
		cancel()
	}
	cmd := newServing(v)
	cmd.SetArgs([]string{"--addr", "127.0.0.1:0", "--quiet", textFolder(t, true)})
	if err := cmd.ExecuteContext(ctx); err != nil || !reached {
		t.Errorf("ready: %v, %v", reached, err)
	}
}

// TestLanguageTranscripts: docs/language-models.md shows the output of nx chat and the answers of nx serve.
func TestLanguageTranscripts(t *testing.T) {
	page, err := os.ReadFile("../../../docs/language-models.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "greeter")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := tinymodel.WriteGreeter(dir); err != nil {
		t.Fatal(err)
	}
	curl := regexp.MustCompile(`^curl localhost:8080(\S+)(?: -d '(.*)')?$`)
	changing := regexp.MustCompile(`"created":\d+|"id":"(chatcmpl|cmpl)-\w+"`)
	address, commands := "", 0
	for _, block := range strings.Split(string(page), "\n<!-- transcript:")[1:] {
		_, block, _ = strings.Cut(block, "```console\n$ ")
		block, _, _ = strings.Cut(block, "\n```")
		for _, part := range strings.Split(block, "\n$ ") {
			command, want, _ := strings.Cut(part, "\n")
			got := ""
			commands++
			if m := curl.FindStringSubmatch(command); m != nil {
				method := "GET"
				if m[2] != "" {
					method = "POST"
				}
				got = request(t, method, "http://"+address+m[1], m[2])
			} else if args, ok := strings.CutPrefix(command, "nx serve "); ok {
				var process *os.Process
				a, c, ended := startServing(t, strings.Fields(strings.Replace(args, "greeter", dir, 1))...)
				address, process = a, c.Process
				defer func() {
					if err := process.Signal(syscall.SIGTERM); err != nil {
						t.Error(err)
					}
					if err := <-ended; err != nil {
						t.Error(err)
					}
				}()
			} else if args, ok := strings.CutPrefix(command, "nx chat "); ok {
				o := chat("", strings.Fields(strings.Replace(args, "greeter", dir, 1))...)
				if got = o.stdout; o.code != exitOK || o.stderr != "" {
					t.Errorf("%s: %d %s", command, o.code, o.stderr)
				}
			} else {
				t.Errorf("not a command: %s", command)
			}
			got, want = strings.TrimSpace(got), strings.TrimSpace(want)
			if changing.ReplaceAllString(got, "") != changing.ReplaceAllString(want, "") {
				t.Errorf("%s\ngives %s\nwant  %s", command, got, want)
			}
		}
	}
	if commands != 7 {
		t.Errorf("%d commands", commands)
	}
}
