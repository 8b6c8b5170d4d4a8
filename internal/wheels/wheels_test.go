package wheels

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// wheel returns an archive of files by name.
func wheel(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(0o644)
		if strings.HasSuffix(name, "ptxas") {
			h.SetMode(0o755)
		}
		if text == "link" {
			h.SetMode(os.ModeSymlink | 0o777)
		}
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// server is an index of one package, and its faults.
type server struct {
	*httptest.Server
	data     []byte
	name     string // of the file
	sum      string // the announced sum
	json     bool
	cut      int // bytes that it sends before the connection ends, 0 for all
	requests []string
}

func newServer(t *testing.T, data []byte) *server {
	t.Helper()
	if runtime.GOOS != "linux" || machines[runtime.GOARCH] == "" {
		t.Skip("skipped: the packages are for Linux on amd64 and arm64")
	}
	sum := sha256.Sum256(data)
	s := &server{data: data, sum: hex.EncodeToString(sum[:]),
		name: "the_plugin-1.2-py3-none-manylinux_2_27_" + machines[runtime.GOARCH] + ".whl"}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	s.requests = append(s.requests, r.URL.Path+" "+r.Header.Get("Range"))
	switch {
	case r.URL.Path == "/simple/the-plugin/" && s.json:
		w.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
		json.NewEncoder(w).Encode(map[string]any{"files": []any{map[string]any{"filename": s.name,
			"url": "../../files/" + s.name, "hashes": map[string]string{"sha256": s.sum}}}})
	case r.URL.Path == "/simple/the-plugin/":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<a href="../../files/the_plugin-1.1-py3-none-any.whl#sha256=%s">old</a>
<A rel="x" HREF='../../files/%s#sha256=%s'>new</A>`, s.sum, s.name, s.sum)
	case r.URL.Path == "/files/"+s.name && s.cut > 0:
		w.Header().Set("Content-Length", fmt.Sprint(len(s.data)))
		w.Write(s.data[:s.cut])
		w.(http.Flusher).Flush()
		s.cut = 0
		panic(http.ErrAbortHandler)
	case r.URL.Path == "/files/"+s.name:
		http.ServeContent(w, r, s.name, time.Time{}, bytes.NewReader(s.data))
	default:
		http.NotFound(w, r)
	}
}

func install(s *server, folder string) error {
	return Install(context.Background(), List("the-plugin==1.2"), s.URL+"/simple", folder, func(string) {})
}

var plugin = map[string]string{"jax_plugins/x/plugin.so": strings.Repeat("code", 1000), "nvidia/cu13/bin/ptxas": "tool"}

// A package of an index of either form is checked, unpacked and recorded; installing again
// replaces it.
func TestInstall(t *testing.T) {
	s, folder := newServer(t, wheel(t, plugin)), filepath.Join(t.TempDir(), "a", "cuda13")
	for _, s.json = range []bool{false, true} {
		if err := install(s, folder); err != nil {
			t.Fatal(err)
		}
		for name, want := range plugin {
			if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != want {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
		}
		if info, err := os.Stat(filepath.Join(folder, "nvidia/cu13/bin/ptxas")); err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("the tool cannot be run: %v", err)
		}
		var record []Installed
		text, err := os.ReadFile(filepath.Join(folder, "installed.json"))
		if err == nil {
			err = json.Unmarshal(text, &record)
		}
		if err != nil || len(record) != 1 || record[0].SHA256 != s.sum || record[0].Version != "1.2" {
			t.Errorf("the record is %+v, %v", record, err)
		}
	}
	if left, _ := filepath.Glob(folder + ".*"); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// An interrupted download is resumed.
func TestInstallGoesOn(t *testing.T) {
	s, folder := newServer(t, wheel(t, plugin)), filepath.Join(t.TempDir(), "cuda13")
	s.cut = 50
	err := install(s, folder)
	if e, ok := errors.AsType[*Error](err); !ok || !strings.Contains(e.Hint, "it goes on where it ended") {
		t.Fatalf("a connection that ends: %v", err)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("half of a bundle is there: %v", err)
	}
	if err := install(s, folder); err != nil {
		t.Fatal(err)
	}
	if last := s.requests[len(s.requests)-1]; !strings.HasSuffix(last, "bytes=50-") {
		t.Errorf("the last request is %q", last)
	}
}

// A server that stops sending data ends the installation, which continues with the next; the downloads of a
// killed process are removed.
func TestIdleTimeout(t *testing.T) {
	defer func(d time.Duration) { idleTimeout = d }(idleTimeout)
	idleTimeout = 100 * time.Millisecond
	s, folder := newServer(t, wheel(t, plugin)), filepath.Join(t.TempDir(), "cuda13")
	serve, over := s.Config.Handler, make(chan struct{})
	defer close(over)
	for _, silent := range []string{"/simple/", "/files/"} {
		s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, silent) {
				serve.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Length", fmt.Sprint(len(s.data)))
			w.Write(s.data[:10])
			w.(http.Flusher).Flush()
			select {
			case <-over:
			case <-r.Context().Done():
			}
		})
		err := install(s, folder)
		if e, ok := errors.AsType[*Error](err); !ok || !errors.Is(err, errIdle) || e.Hint == "" {
			t.Errorf("%s: %v", silent, err)
		}
	}
	left := folder + ".downloads"
	for _, name := range []string{"new", "new.old"} {
		if err := os.MkdirAll(filepath.Join(left, name, "half"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.Config.Handler = serve
	idleTimeout = time.Minute
	if err := install(s, folder); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(filepath.Dir(folder)); err != nil || len(list) != 1 {
		t.Errorf("there are %v, %v", list, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "half")); err == nil {
		t.Error("what was left was installed")
	}
}

// A file that differs from the index is not installed, and the installed files stay.
func TestInstallRefuses(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "cuda13")
	if err := install(newServer(t, wheel(t, plugin)), folder); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		files map[string]string
		spoil func(s *server)
		want  string
	}{
		"tampered with":    {plugin, func(s *server) { s.data[100] ^= 1 }, "was tampered with, or damaged"},
		"without a digest": {plugin, func(s *server) { s.sum = "" }, "has no SHA-256"},
		"another processor": {plugin, func(s *server) { s.name = "the_plugin-1.2-py3-none-manylinux_2_27_s390x.whl" },
			"no wheel"},
		"not there":  {plugin, func(s *server) { s.Server.Config.Handler = http.NotFoundHandler() }, "404"},
		"outside":    {map[string]string{"../evil": "x"}, func(*server) {}, `"../evil" must be a relative path`},
		"a link":     {map[string]string{"evil": "link"}, func(*server) {}, `"evil" must be a relative path`},
		"no archive": {nil, func(s *server) { s.data = []byte("text"); s.sum = sumOf("text") }, "unpacking"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, wheel(t, tt.files))
			tt.spoil(s)
			err := install(s, folder)
			if e, ok := errors.AsType[*Error](err); !ok || !strings.Contains(err.Error(), tt.want) || e.From == "" {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if got, err := os.ReadFile(filepath.Join(folder, "nvidia/cu13/bin/ptxas")); err != nil ||
				string(got) != "tool" {
				t.Errorf("what was installed is %q, %v", got, err)
			}
		})
	}
	other := filepath.Join(t.TempDir(), "mine")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := install(newServer(t, wheel(t, plugin)), other); err == nil ||
		!strings.Contains(err.Error(), "not made by this command") {
		t.Errorf("a folder of the user's: %v", err)
	}
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Pip's own configuration reports which index; without one pip itself downloads, and without pip the
// error reports what to do. Passwords of addresses are not shown.
func TestConfiguration(t *testing.T) {
	dir := t.TempDir()
	conf := filepath.Join(dir, "pip.conf")
	text := "[global]\ntimeout = 5\nindex-url = https://a/simple\n[install]\nindex_url=https://b/simple\n[list]\nindex-url = c\n"
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PIP_INDEX_URL", "")
	t.Setenv("PIP_CONFIG_FILE", conf)
	if got := ConfiguredIndex(); got != "https://b/simple" {
		t.Errorf("the file says %q", got)
	}
	t.Setenv("PIP_INDEX_URL", "https://user:secret@127.0.0.1:1/simple")
	err := Install(context.Background(), List("p==1"), ConfiguredIndex(), filepath.Join(dir, "x"), func(string) {})
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "user:xxxxx@") {
		t.Errorf("an address with a password: %v", err)
	}

	s := newServer(t, wheel(t, plugin))
	if err := os.WriteFile(filepath.Join(dir, "w"), s.data, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	err = Install(context.Background(), List("the-plugin==1.2"), "", filepath.Join(dir, "y"), func(string) {})
	if err == nil || !strings.Contains(err.Error(), "pip is not installed") {
		t.Errorf("without an index and pip: %v", err)
	}
	script := "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" = --dest ] && /bin/cp " + filepath.Join(dir, "w") +
		" $2/" + s.name +
		"; shift; done\n"
	if err := os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	err = Install(context.Background(), List("the-plugin==1.2"), "", filepath.Join(dir, "y"), func(string) {})
	if _, missing := os.Stat(filepath.Join(dir, "y/jax_plugins/x/plugin.so")); err != nil || missing != nil {
		t.Errorf("by pip: %v, %v", err, missing)
	}
}
