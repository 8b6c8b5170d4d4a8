//go:build unix

package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-nx/nx/internal/testkit"
)

var (
	loadRows = flag.Int64("load-rows", 0, "how many rows TestServeUnderLoad wants answered at least")
	loadFor  = flag.Duration("load-for", 3*time.Second, "how long TestServeUnderLoad takes at least")
)

// putVersion writes a file of a version of a model.
func putVersion(t *testing.T, folder string, version int, data []byte) {
	t.Helper()
	at := filepath.Join(folder, strconv.Itoa(version))
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(at, "model.onnx"), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// load is the state of the clients of TestServeUnderLoad.
type load struct {
	*testing.T
	address string
	tags    atomic.Int64 // each row has another
	version atomic.Int64 // the newest good one
	rows    atomic.Int64 // that were answered
	full    atomic.Int64 // answers with results that were read to the end
	given   atomic.Int64 // requests whose clients gave up, which may have been answered
	mutex   sync.Mutex
	counts  map[string]int // of all kinds of ends
}

func (l *load) note(what string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.counts[what]++
}

// question is a request, and what its answer must be.
type question struct {
	path, header string // header is the length of the JSON of a binary one
	body         []byte
	x            []float32
	tag          []float32
	width        int
}

// ask returns a request of rows for the model "narrow" of width 4, or "wide" of width 2048.
func (l *load) ask(rng *rand.Rand, model string, rows int, inBinary bool) question {
	width := 4
	if model == "wide" {
		width = 2048
	}
	q := question{path: "/v2/models/" + model + "/infer", width: width}
	first := l.tags.Add(int64(rows)) - int64(rows)
	for i := range rows {
		q.tag = append(q.tag, float32((first+int64(i))%(1<<22)))
		for range width {
			q.x = append(q.x, float32(rng.IntN(1000)))
		}
	}
	if inBinary {
		head := fmt.Sprintf(`{"parameters":{"binary_data_output":true},"inputs":[{"name":"x","shape":[%d,%d],`+
			`"datatype":"FP32","parameters":{"binary_data_size":%d}},{"name":"tag","shape":[%d,1],"datatype":"FP32",`+
			`"parameters":{"binary_data_size":%d}}]}`, rows, width, 4*rows*width, rows, 4*rows)
		q.header, q.body = strconv.Itoa(len(head)), []byte(head)
		for _, list := range [][]float32{q.x, q.tag} {
			for _, v := range list {
				q.body = binary.LittleEndian.AppendUint32(q.body, math.Float32bits(v))
			}
		}
		return q
	}
	x, _ := json.Marshal(q.x) // these have JSON
	tag, _ := json.Marshal(q.tag)
	q.body = fmt.Appendf(nil, `{"inputs":[{"name":"x","shape":[%d,%d],"datatype":"FP32","data":%s},`+
		`{"name":"tag","shape":[%d,1],"datatype":"FP32","data":%s}]}`, rows, width, x, rows, tag)
	return q
}

// check compares an answer of status 200.
func (l *load) check(q *question, header string, body []byte) {
	var y, version []float32
	if header != "" {
		n, err := strconv.Atoi(header)
		if err != nil || n > len(body) || len(body)-n != 4*len(q.tag)*(q.width+1) {
			l.Errorf("an answer of %d bytes has the header %q", len(body), header)
			return
		}
		var all []float32
		for rest := body[n:]; len(rest) > 0; rest = rest[4:] {
			all = append(all, math.Float32frombits(binary.LittleEndian.Uint32(rest)))
		}
		y, version = all[:len(q.x)], all[len(q.x):]
	} else {
		var a struct{ Outputs []struct{ Data []float32 } }
		if err := json.Unmarshal(body, &a); err != nil || len(a.Outputs) != 2 {
			l.Errorf("an answer: %v %.200s", err, body)
			return
		}
		y, version = a.Outputs[0].Data, a.Outputs[1].Data
	}
	if len(y) != len(q.x) || len(version) != len(q.tag) {
		l.Errorf("%d and %d elements, want %d and %d", len(y), len(version), len(q.x), len(q.tag))
		return
	}
	for i, got := range y {
		if want := 3*q.x[i] + q.tag[i/q.width]; got != want {
			l.Errorf("row %d of %d with the tag %v is %v, want %v", i/q.width, len(q.tag), q.tag[i/q.width], got, want)
			return
		}
	}
	for _, v := range version {
		if v < 1 || v != version[0] || int64(v) > l.version.Load() {
			l.Errorf("an answer of the versions %v", version)
			return
		}
	}
	l.full.Add(1)
	l.rows.Add(int64(len(q.tag)))
}

// until calls f with numbers of its own until ctx ends.
func until(ctx context.Context, seed int, f func(rng *rand.Rand)) {
	for rng := rand.New(rand.NewPCG(uint64(seed), 7)); ctx.Err() == nil; {
		f(rng)
	}
}

// ordinary sends requests by one connection, and cancels some. Once ended is closed, the server may have stopped.
func (l *load) ordinary(ctx context.Context, seed int, cancels bool, ended <-chan struct{}) {
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	until(ctx, seed, func(rng *rand.Rand) {
		q := l.ask(rng, "narrow", 1+rng.IntN(8), rng.IntN(2) == 0)
		own, cancel := context.WithCancel(context.Background())
		defer cancel()
		if cancels && rng.IntN(20) == 0 {
			t := time.AfterFunc(time.Duration(rng.IntN(4000))*time.Microsecond, cancel)
			defer t.Stop()
		}
		r, err := http.NewRequestWithContext(own, "POST", "http://"+l.address+q.path, bytes.NewReader(q.body))
		if err != nil {
			l.Error(err)
			return
		}
		if q.header != "" {
			r.Header.Set("Inference-Header-Content-Length", q.header)
		}
		a, err := client.Do(r)
		var body []byte
		if err == nil {
			body, err = io.ReadAll(a.Body)
			a.Body.Close()
		}
		switch {
		case err != nil && own.Err() != nil:
			l.given.Add(1)
			l.note("cancelled")
		case err != nil && isClosed(ended) && a == nil: // it listens no more
			l.note("not connected after SIGTERM")
			time.Sleep(10 * time.Millisecond)
		case err != nil:
			l.Errorf("a request: %v", err)
		case a.StatusCode == http.StatusOK:
			l.note("200")
			l.check(&q, a.Header.Get("Inference-Header-Content-Length"), body)
		case a.StatusCode == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != "":
			l.note("503, refused")
		default:
			l.Errorf("%d %.200s", a.StatusCode, body)
		}
	})
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// raw sends bytes over a connection of its own, and lets f go on.
func (l *load) raw(text string, f func(c net.Conn)) {
	c, err := net.Dial("tcp", l.address)
	if err != nil {
		l.note("not connected")
		time.Sleep(10 * time.Millisecond)
		return
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c, text); err != nil {
		l.note("not written")
		return
	}
	f(c)
}

func (q *question) head() string {
	h := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n", q.path, len(q.body))
	if q.header != "" {
		h += "Inference-Header-Content-Length: " + q.header + "\r\n"
	}
	return h + "\r\n"
}

// slowReader reads an answer of a megabyte or so in small parts, sometimes none of it.
func (l *load) slowReader(ctx context.Context, seed int) {
	until(ctx, seed, func(rng *rand.Rand) {
		q := l.ask(rng, "wide", 60, true)
		l.raw(q.head()+string(q.body), func(c net.Conn) {
			if rng.IntN(3) == 0 {
				l.given.Add(1)
				l.note("never read")
				wait(ctx, time.Duration(rng.IntN(2000))*time.Millisecond)
				return
			}
			slow := slowConn{c, ctx, rng}
			a, err := http.ReadResponse(bufio.NewReaderSize(slow, 16<<10), nil)
			if err != nil {
				l.given.Add(1)
				l.note("slow reader cut off")
				return
			}
			body, err := io.ReadAll(a.Body)
			if err != nil || a.StatusCode != http.StatusOK {
				l.given.Add(1)
				l.note(fmt.Sprint("slow reader: ", a.StatusCode))
				return
			}
			l.note("200, read slowly")
			l.check(&q, a.Header.Get("Inference-Header-Content-Length"), body)
		})
	})
}

// slowConn reads few bytes at a time.
type slowConn struct {
	net.Conn
	ctx context.Context
	rng *rand.Rand
}

func (s slowConn) Read(b []byte) (int, error) {
	wait(s.ctx, time.Duration(s.rng.IntN(20))*time.Millisecond)
	return s.Conn.Read(b[:min(len(b), 4<<10+s.rng.IntN(60<<10))])
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// slowWriter sends a request in small parts; sometimes it stops in the middle, and leaves or stays.
func (l *load) slowWriter(ctx context.Context, seed int) {
	until(ctx, seed, func(rng *rand.Rand) {
		q := l.ask(rng, "narrow", 8, false)
		stops := rng.IntN(3)
		l.raw(q.head(), func(c net.Conn) {
			body := q.body
			for len(body) > 0 {
				if stops > 0 && len(body) < len(q.body)/2 {
					l.note("stopped in the middle")
					if stops == 1 {
						wait(ctx, time.Second)
					}
					return
				}
				n := min(len(body), 1+rng.IntN(100))
				if _, err := c.Write(body[:n]); err != nil {
					l.note("slow writer cut off")
					return
				}
				body = body[n:]
				time.Sleep(time.Duration(rng.IntN(3)) * time.Millisecond)
			}
			a, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				l.given.Add(1)
				l.note("slow writer cut off")
				return
			}
			text, err := io.ReadAll(a.Body)
			if err != nil || a.StatusCode != http.StatusOK {
				l.note(fmt.Sprint("slow writer: ", a.StatusCode))
				return
			}
			l.note("200, written slowly")
			l.check(&q, "", text)
		})
	})
}

// wrong sends requests that must be refused by their status.
func (l *load) wrong(ctx context.Context, seed int) {
	until(ctx, seed, func(rng *rand.Rand) {
		q := l.ask(rng, "narrow", 1, false)
		text, status := "", 0
		switch rng.IntN(5) {
		case 0:
			q.body = bytes.Repeat([]byte(" "), 4<<20)
			text, status = q.head()+string(q.body[:1<<20]), 413
		case 1:
			q.path = "/v2/models/none/infer"
			text, status = q.head()+string(q.body), 404
		case 2:
			q.body = bytes.Repeat([]byte("["), 1<<20)
			text, status = q.head()+string(q.body), 400
		case 3:
			text, status = "GET /v2 HTTP/1.1\r\nHost: localhost\r\nX: "+strings.Repeat("x", 100<<10), 431
		case 4:
			q.body = bytes.Replace(q.body, []byte(`"data":[`), []byte(`"data":[NaN,`), 1)
			text, status = q.head()+string(q.body), 400
		}
		l.raw(text, func(c net.Conn) {
			a, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil { // it was closed while the rest was written
				l.note("refused, connection closed")
				return
			}
			defer a.Body.Close()
			if a.StatusCode != status {
				l.Errorf("status %d, want %d", a.StatusCode, status)
			}
			l.note(fmt.Sprint(a.StatusCode, ", as it must be"))
		})
		wait(ctx, time.Duration(rng.IntN(20))*time.Millisecond)
	})
}

// metric returns a number of /metrics, the sum over models.
func (l *load) metric(text, name string) (v float64) {
	for _, m := range regexp.MustCompile(`(?m)^`+name+`(?:\{[^}]*\})? (\S+)$`).FindAllStringSubmatch(text, -1) {
		f, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			l.Error(err)
		}
		v += f
	}
	return v
}

func (l *load) metrics() string { return request(l.T, "GET", "http://"+l.address+"/metrics", "") }

// resident returns the memory of a process in MB, 0 where /proc is not.
func resident(process *exec.Cmd) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process.Process.Pid))
	if err != nil {
		return 0
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(text)
	if m == nil {
		return 0
	}
	kb, _ := strconv.ParseFloat(string(m[1]), 64)
	return kb / 1000
}

// TestServeUnderLoad runs nx serve with 64 clients: ordinary ones, of which some cancel; slow readers and writers, some
// of which stop in the middle; and ones whose requests must be refused. Models are loaded again all the time, every
// second one damaged. Each row has a tag and each version its number, so that an answer tells whose it is. Then all
// clients leave, and no goroutine may be left; and come again, for a SIGTERM in the middle.
//
//	go test ./cmd/internal/command -run TestServeUnderLoad -v -args -load-rows 1000000 -load-for 60s
func TestServeUnderLoad(t *testing.T) {
	narrow, wide := filepath.Join(t.TempDir(), "narrow"), filepath.Join(t.TempDir(), "wide")
	putVersion(t, narrow, 1, testkit.TaggedModel(4, 1))
	putVersion(t, wide, 1, testkit.TaggedModel(2048, 1))
	address, process, ended := startServing(t, "--quiet", "--repository-control", "--max-body", "2000000",
		"--header-timeout", "1m", "--write-timeout", "20s", "--grace", "20s", "--batch", "64", narrow, wide)
	l := &load{T: t, address: address, counts: map[string]int{}}
	l.version.Store(1)
	l.metrics()
	time.Sleep(100 * time.Millisecond)
	before := l.metric(l.metrics(), "go_goroutines") + float64(runtime.GOMAXPROCS(0)) // workers that begin later

	stopped := make(chan struct{})
	start := func(ctx context.Context, wait *sync.WaitGroup, cancels bool) {
		for i := range 64 {
			wait.Go(func() {
				switch {
				case i < 52:
					l.ordinary(ctx, i, cancels, stopped)
				case i < 56:
					l.slowReader(ctx, i)
				case i < 60:
					l.slowWriter(ctx, i)
				default:
					l.wrong(ctx, i)
				}
			})
		}
	}
	var clients, reloads sync.WaitGroup
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	start(ctx, &clients, true)
	good, bad := 0, 0
	reloads.Go(func() {
		for version := 2; ctx.Err() == nil; version++ {
			wait(ctx, *loadFor/20)
			data, status := testkit.TaggedModel(4, version), 200
			if version%2 == 1 {
				data, status = data[:len(data)/2], 400
			} else {
				l.version.Store(int64(version))
			}
			putVersion(t, narrow, version, data)
			a, err := http.Post("http://"+address+"/v2/repository/models/narrow/load", "", nil)
			if err != nil {
				t.Error(err)
				return
			}
			a.Body.Close()
			if a.StatusCode != status {
				t.Errorf("loading version %d: status %d, want %d", version, a.StatusCode, status)
			}
			if status == 200 {
				good++
			} else {
				bad++
				os.RemoveAll(filepath.Join(narrow, strconv.Itoa(version)))
			}
		}
	})
	type sample struct{ heap, resident float64 }
	var samples []sample
	began := time.Now()
	for quarter := range 4 {
		for time.Since(began) < *loadFor*time.Duration(quarter+1)/4 || l.rows.Load() < *loadRows*int64(quarter+1)/4 {
			time.Sleep(50 * time.Millisecond)
			if t.Failed() {
				t.Fatal("stopped")
			}
		}
		heap := math.Inf(1) // the least of some, as collections of garbage are not in step with us
		for range 10 {
			heap = min(heap, l.metric(l.metrics(), "go_memstats_heap_alloc_bytes")/1e6)
			time.Sleep(10 * time.Millisecond)
		}
		samples = append(samples, sample{heap, resident(process)})
		t.Logf("after %v: %d rows, heap %.0f MB, resident %.0f MB", time.Since(began).Round(time.Millisecond),
			l.rows.Load(), heap, samples[quarter].resident)
	}
	for _, s := range samples[2:] {
		if first := samples[1]; s.heap > 1.5*first.heap+20 || s.resident > 1.25*first.resident+30 {
			t.Errorf("memory grows: %v", samples)
		}
	}
	leave()
	clients.Wait()
	reloads.Wait()
	http.DefaultClient.CloseIdleConnections()
	var text string
	for range 300 {
		if text = l.metrics(); l.metric(text, "go_goroutines") <= before {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	after := l.metric(text, "go_goroutines")
	if after > before {
		t.Errorf("%v goroutines are left, there were %v", after, before)
	}
	for _, name := range []string{"nx_serve_http_running", "nx_serve_http_running_bytes", "nx_serve_waiting_rows",
		"nx_serve_running_batches"} {
		if v := l.metric(text, name); v != 0 {
			t.Errorf("%s is %v after all have left", name, v)
		}
	}

	// Once more, with a SIGTERM in the middle.
	answered := int64(l.metric(text, "nx_serve_answered_total"))
	first := l.full.Swap(0)
	if most := first + l.given.Swap(0); answered < first || answered > most {
		t.Errorf("the server answered %d requests, of which %d came, of at most %d", answered, first, most)
	}
	rows := l.rows.Load()
	ctx, leave = context.WithCancel(t.Context())
	defer leave()
	start(ctx, &clients, false)
	for l.rows.Load() < rows+2000 && !t.Failed() {
		time.Sleep(10 * time.Millisecond)
	}
	close(stopped)
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if err := <-ended; err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	took := time.Since(begun)
	leave()
	clients.Wait()
	t.Logf("%d processors, %d rows answered in %v, %d good and %d damaged versions, %v goroutines before and %v after, "+
		"ended %v after SIGTERM; ends: %v", runtime.NumCPU(), l.rows.Load(), time.Since(began).Round(time.Millisecond),
		good, bad, before, after, took.Round(time.Millisecond), l.counts)
	last, err := strconv.ParseInt(lastAnswered.Load().(string), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if came := l.full.Load(); last-answered < came || last-answered > came+l.given.Load() {
		t.Errorf("after the pause the server answered %d requests, of which %d came, and %d were given up", last-answered,
			came, l.given.Load())
	}
	t.Logf("after the pause: %d requests answered, of which %d came; their clients had given up %d", last-answered,
		l.full.Load(), l.given.Load())
}
