package serve_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/serve"
)

// TestQueueBytes: the queue is full by bytes, too, but for a first request.
func TestQueueBytes(t *testing.T) {
	leaks(t)
	g := newGate()
	b := serve.BatchContext(g.run, serve.Size(2), serve.Queue(1000, 100), quiet)
	var wait sync.WaitGroup
	do := func(n int) {
		wait.Go(func() {
			if _, err := b.Do(t.Context(), rowsOf(1, n)); err != nil {
				t.Error(err)
			}
		})
	}
	do(1)
	<-g.entered
	do(2) // 24 bytes
	waiting(t, b, 2)
	if _, err := b.Do(t.Context(), nx.Zeros(nx.Shape{1, 20}, nx.F32)); !errors.Is(err, serve.ErrOverloaded) {
		t.Errorf("104 bytes: %v", err)
	}
	do(2)
	waiting(t, b, 4)
	for range 3 {
		g.leave <- struct{}{}
	}
	wait.Wait()
}

// TestDeadline: a request that cannot be answered in time is refused at once, by how long batches took.
func TestDeadline(t *testing.T) {
	leaks(t)
	const slow = 200 * time.Millisecond
	b := serve.Batch(func(x nx.Tensor) nx.Tensor { time.Sleep(slow); return x }, serve.Size(1), quiet)
	for range 2 {
		if _, err := b.Do(t.Context(), rowsOf(1, 1)); err != nil {
			t.Fatal(err)
		}
	}
	var wait sync.WaitGroup
	wait.Go(func() {
		if _, err := b.Do(t.Context(), rowsOf(1, 1)); err != nil {
			t.Error(err)
		}
	})
	for b.Stats().Running == 0 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(t.Context(), slow/2)
	defer cancel()
	_, err := b.Do(ctx, rowsOf(1, 1))
	if !errors.Is(err, serve.ErrOverloaded) || ctx.Err() != nil {
		t.Errorf("a deadline before the end of a batch: %v", err)
	}
	wait.Wait()
}

// TestLanes: lanes compute at the same time, and the function learns on which it is.
func TestLanes(t *testing.T) {
	leaks(t)
	var together sync.WaitGroup
	together.Add(3)
	var mutex sync.Mutex
	var lanes []int
	b := serve.BatchContext(func(ctx context.Context, x nx.Tensor) (nx.Tensor, error) {
		together.Done()
		together.Wait() // for all three
		mutex.Lock()
		defer mutex.Unlock()
		lanes = append(lanes, serve.Lane(ctx))
		return x, nil
	}, serve.Size(1), serve.Lanes(3), quiet)
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			if _, err := b.Do(t.Context(), rowsOf(1, 1)); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if slices.Sort(lanes); fmt.Sprint(lanes) != "[0 1 2]" {
		t.Errorf("lanes %v", lanes)
	}
}

// TestAllLeft: a batch whose callers have all left is stopped, and one of whose callers some stay goes on.
func TestAllLeft(t *testing.T) {
	leaks(t)
	g := newGate()
	b := serve.BatchContext(g.run, serve.Size(4), quiet)
	var wait sync.WaitGroup
	first, leave := context.WithCancel(t.Context())
	wait.Go(func() { _, _ = b.Do(first, rowsOf(1, 1)) })
	<-g.entered
	var errs [3]error
	var cancels [3]context.CancelFunc
	for i := range 3 {
		var ctx context.Context
		ctx, cancels[i] = context.WithCancel(t.Context())
		wait.Go(func() { _, errs[i] = b.Do(ctx, rowsOf(1, 1)) })
	}
	waiting(t, b, 3)
	leave()
	<-g.entered // a batch of three
	for _, i := range []int{1, 0, 2} {
		select {
		case <-g.entered:
			t.Error("computed again")
		case <-time.After(10 * time.Millisecond):
		}
		if b.Stats().Running != 1 {
			t.Errorf("the batch has ended before caller %d left", i)
		}
		cancels[i]()
	}
	wait.Wait()
	if err := b.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for i, err := range errs {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("caller %d: %v", i, err)
		}
	}
}

// slowly is a connection to a server of a classifier, on which a request of the given length has begun.
func slowly(t *testing.T, url string, length int, body string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := fmt.Fprintf(c, "POST /v2/models/classifier/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s",
		length, body); err != nil {
		t.Fatal(err)
	}
	return c
}

// gauge returns a number of /metrics.
func gauge(t *testing.T, url, name string) string {
	t.Helper()
	_, _, out := send(t, "GET", url+"/metrics", nil)
	m := regexp.MustCompile(`(?m)^` + name + ` (.*)$`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("no %s in %s", name, out)
	}
	return string(m[1])
}

// until waits until f.
func until(t *testing.T, what string, f func() bool) {
	t.Helper()
	for range 2000 {
		if f() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal(what)
}

// TestLimits: what is beyond a bound of requests, or of their bytes, is refused with 503 and Retry-After; memory is
// counted as bodies come, not as they are announced.
func TestLimits(t *testing.T) {
	body := []byte(fmt.Sprintf(rowsJSON, "[1,2,3,4,5,6,7,8]"))
	s, _ := serving(t, serve.Limits{Concurrent: 1})
	url := s.URL + "/v2/models/classifier/infer"
	c := slowly(t, s.URL, 100, "{")
	until(t, "not running", func() bool { return gauge(t, s.URL, "nx_serve_http_running") == "1" })
	if status, header, out := send(t, "POST", url, body); status != 503 || header.Get("Retry-After") == "" {
		t.Errorf("two requests: %d %s", status, out)
	}
	if gauge(t, s.URL, "nx_serve_http_refused_total") != "1" {
		t.Error("the refused request is not counted")
	}
	c.Close()
	until(t, "it runs on", func() bool { return gauge(t, s.URL, "nx_serve_http_running") == "0" })
	if status, _, out := send(t, "POST", url, body); status != 200 {
		t.Errorf("after it has left: %d %s", status, out)
	}

	const most = 3 << 20
	s, _ = serving(t, serve.Limits{InFlight: most})
	url = s.URL + "/v2/models/classifier/infer"
	announced := slowly(t, s.URL, 60<<20, "{")
	until(t, "not running", func() bool { return gauge(t, s.URL, "nx_serve_http_running") == "1" })
	if status, _, out := send(t, "POST", url, body); status != 200 {
		t.Errorf("beside one of 60 MB that has not come: %d %s", status, out)
	}
	large := []byte(strings.Repeat(" ", 4<<20))
	if status, header, out := send(t, "POST", url, large); status != 503 || header.Get("Retry-After") == "" {
		t.Errorf("4 MB beside it: %d %.100s", status, out)
	}
	announced.Close()
	until(t, "its bytes are left", func() bool { return gauge(t, s.URL, "nx_serve_http_running_bytes") == "0" })
	if status, _, out := send(t, "POST", url, large); status != 400 { // one may always run
		t.Errorf("4 MB alone: %d %.100s", status, out)
	}
	if status, _, _ := send(t, "POST", url, []byte(strings.Repeat(" ", 65<<20))); status != 413 {
		t.Errorf("65 MB: %d", status)
	}
}

// TestDrain: after Drain it is not ready; a request that comes is answered still, and the rest of a body has a bounded
// time.
func TestDrain(t *testing.T) {
	leaks(t)
	defer http.DefaultClient.CloseIdleConnections()
	s, models := serving(t, serve.Limits{Drain: 100 * time.Millisecond})
	stops := slowly(t, s.URL, 100, "{")
	until(t, "not running", func() bool { return gauge(t, s.URL, "nx_serve_http_running") == "1" })
	models.Drain()
	if status, _, _ := send(t, "GET", s.URL+"/v2/health/ready", nil); status != 503 {
		t.Errorf("ready: %d", status)
	}
	a, err := http.ReadResponse(bufio.NewReader(stops), nil)
	if err != nil || a.StatusCode != http.StatusRequestTimeout {
		t.Errorf("a body that stops: %v %v", a, err)
	}
	good := fmt.Sprintf(rowsJSON, "[1,2,3,4,5,6,7,8]")
	for range 2 { // on one connection
		if status, _, out := send(t, "POST", s.URL+"/v2/models/classifier/infer", []byte(good)); status != 200 {
			t.Errorf("after Drain: %d %s", status, out)
		}
	}
}

// forever returns a function of a stream without an end.
func forever(y nx.Tensor) func(ctx context.Context, x []nx.Tensor) iter.Seq2[[]nx.Tensor, error] {
	return func(context.Context, []nx.Tensor) iter.Seq2[[]nx.Tensor, error] {
		return func(yield func([]nx.Tensor, error) bool) {
			for yield([]nx.Tensor{y}, nil) {
			}
		}
	}
}

// TestNeverRead: an answer that is never read ends.
func TestNeverRead(t *testing.T) {
	leaks(t)
	models := serve.NewRepository()
	x := nx.Parameter{Name: "x", Shape: nx.Shape{-1, 1}, DType: nx.F32, Dims: []string{"batch", ""}}
	y := nx.Parameter{Name: "y", Shape: nx.Shape{-1, 1 << 20}, DType: nx.F32, Dims: []string{"batch", ""}}
	large := nx.Ones(nx.Shape{1, 1 << 20}, nx.F32)
	models.Add(serve.NewStream("classifier", "1", []nx.Parameter{x}, []nx.Parameter{y}, forever(large), quiet))
	s := httptest.NewServer(serve.Handler(models, serve.Limits{Write: 200 * time.Millisecond}))
	defer s.Close()
	defer http.DefaultClient.CloseIdleConnections()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "POST /v2/models/classifier/generate_stream HTTP/1.1\r\nHost: localhost\r\n"+
		"Content-Length: 7\r\n\r\n{\"x\":1}"); err != nil {
		t.Fatal(err)
	}
	until(t, "not running", func() bool { return gauge(t, s.URL, "nx_serve_http_running") == "1" })
	until(t, "it runs on", func() bool { return gauge(t, s.URL, "nx_serve_http_running") == "0" })
	if err := models.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestMetrics reads all metrics as Prometheus does: a type before the samples of a name, buckets that grow, and a last
// one that is the count.
func TestMetrics(t *testing.T) {
	s, _ := serving(t, serve.Limits{})
	for range 3 {
		send(t, "POST", s.URL+"/v2/models/classifier/infer", []byte(fmt.Sprintf(rowsJSON, "[1,2,3,4,5,6,7,8]")))
	}
	send(t, "POST", s.URL+"/v2/models/classifier/infer", []byte("{"))
	_, header, out := send(t, "GET", s.URL+"/metrics", nil)
	if got := header.Get("Content-Type"); !strings.HasPrefix(got, "text/plain; version=0.0.4") {
		t.Error(got)
	}
	sample := regexp.MustCompile(`^([a-z_]+?)(_bucket|_sum|_count)?(\{(?:[a-z]+="[^"]*",?)+\})? (\S+)$`)
	types, values := map[string]string{}, map[string]float64{}
	last := -1.0
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, kind, _ := strings.Cut(rest, " ")
			if types[name] != "" {
				t.Errorf("two types of %s", name)
			}
			types[name], last = kind, -1
			continue
		}
		if strings.HasPrefix(line, "# HELP ") {
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("not a sample: %s", line)
			continue
		}
		v, err := strconv.ParseFloat(m[4], 64)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		kind := types[m[1]]
		if kind == "histogram" != (m[2] != "") || kind == "" {
			t.Errorf("a %s: %s", kind, line)
		}
		if m[2] == "_bucket" {
			if v < last {
				t.Errorf("a bucket is less than the one before: %s", line)
			}
			last = v
		}
		if m[2] == "_count" && v != last {
			t.Errorf("%s, and the last bucket has %v", line, last)
		}
		values[m[1]+m[2]] = v
	}
	for name, want := range map[string]float64{"nx_serve_queue_seconds_count": 3, "nx_serve_compute_seconds_count": 3,
		"nx_serve_batch_rows_count": 3, "nx_serve_batch_rows_sum": 6, "nx_serve_batch_padding_ratio_count": 3,
		"nx_serve_rows_total": 6, "nx_serve_answered_total": 3} {
		if values[name] != want {
			t.Errorf("%s is %v, want %v", name, values[name], want)
		}
	}
	if !strings.Contains(string(out), `nx_serve_requests_total{model="classifier",version="1",code="400"} 1`) {
		t.Errorf("no status: %s", out)
	}
}
