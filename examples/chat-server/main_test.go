package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/serve/openai"
)

// listen serves a small model with random weights, which ends with the returned function.
func listen(t *testing.T) (address string, end context.CancelFunc, ended chan error) {
	t.Helper()
	dir := t.TempDir()
	if err := tinymodel.WriteText(dir, true); err != nil {
		t.Fatal(err)
	}
	m, err := openai.Open(dir, openai.Config{Name: "tiny", Slots: 2})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	ended = make(chan error, 1)
	go func() { ended <- serve(ctx, listener, handler(m), time.Minute) }()
	return "http://" + listener.Addr().String(), end, ended
}

func get(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", url, r.Status, err)
	}
	return string(data)
}

// An answer streams beside the page and the endpoint of our own. It is whole although the server is told to end while
// it is sent.
func TestServe(t *testing.T) {
	address, end, ended := listen(t)
	if page := get(t, address+"/"); !strings.Contains(page, "/v1/chat/completions") {
		t.Errorf("the page is %s", page)
	}
	r, err := http.Post(address+"/v1/chat/completions", "application/json", strings.NewReader(
		`{"messages":[{"role":"user","content":"Hello"}],"temperature":1,"seed":3,"max_tokens":60,"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if status := get(t, address+"/status"); !strings.Contains(status, `"model":"tiny","requests":1`) {
		t.Errorf("the status is %s", status)
	}
	text, last := "", ""
	for lines := bufio.NewScanner(r.Body); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		end() // at the first part
		if last = data; data == "[DONE]" {
			break
		}
		var event struct {
			Choices []struct{ Delta struct{ Content string } }
		}
		if err := json.Unmarshal([]byte(data), &event); err != nil || len(event.Choices) != 1 {
			t.Fatalf("%s: %v", data, err)
		}
		text += event.Choices[0].Delta.Content
	}
	if text == "" || last != "[DONE]" {
		t.Errorf("the answer is %q, the last event %q", text, last)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := http.Get(address); err == nil {
		t.Error("the server still listens")
	}
}

func TestErrors(t *testing.T) {
	for want, f := range map[string]func() error{
		"config.json": func() error { return start(t.Context(), t.TempDir(), "localhost:0", 1) },
		"listen": func() error {
			dir := t.TempDir()
			if err := tinymodel.WriteText(dir, true); err != nil {
				t.Fatal(err)
			}
			return start(t.Context(), dir, "localhost:-1", 1)
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
