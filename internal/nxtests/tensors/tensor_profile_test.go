package tensors_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/shard"
)

// liveRow is a sample of the profile of tensors.
type liveRow struct {
	count, bytes int64
	line         int // of the first frame, in this file; 0 for others
	labels       string
}

// liveRows returns the samples of a profile as go tool pprof reads it.
func liveRows(t *testing.T) []liveRow {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tensors")
	var b bytes.Buffer
	if err := debug.WriteTensors(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	c := exec.Command("go", "tool", "pprof", "-raw", path)
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	head, locations, _ := strings.Cut(string(out), "\nLocations\n")
	if !strings.Contains(head, "\ninuse_tensors/count inuse_space/bytes[dflt]") ||
		!strings.Contains(head, "nx.tensors") {
		t.Fatalf("the profile has other values:\n%s", head)
	}
	lines := map[string]int{} // by the id of the location
	own := regexp.MustCompile(`(?m)^ +(\d+): .*tensor_profile_test\.go:(\d+)`)
	for _, m := range own.FindAllStringSubmatch(locations, -1) {
		lines[m[1]], _ = strconv.Atoi(m[2])
	}
	var rows []liveRow
	sample := regexp.MustCompile(`(?m)^ +(\d+) +(\d+): (\d+).*\n +(.*)$`)
	for _, m := range sample.FindAllStringSubmatch(head, -1) {
		r := liveRow{line: lines[m[3]], labels: m[4]}
		r.count, _ = strconv.ParseInt(m[1], 10, 64)
		r.bytes, _ = strconv.ParseInt(m[2], 10, 64)
		rows = append(rows, r)
	}
	return rows
}

func here() int { _, _, line, _ := runtime.Caller(1); return line }

// TestTensorProfile: the bytes of live tensors are those that LiveBytes counts, at the lines that made them, whatever
// made them.
func TestTensorProfile(t *testing.T) {
	debug.TrackTensors(true)
	defer debug.TrackTensors(false)
	before := testkit.Settled(debug.LiveBytes)
	const size = 4 << 20 // a multiple of what the pool hands out
	shape := nx.Shape{1 << 10, 1 << 10}
	data := make([]float32, 1<<20)
	double := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) })

	var kept []nx.Tensor
	want := map[int]liveRow{}
	expect := func(line int, count int64, more ...nx.Tensor) {
		want[line] = liveRow{count: count, bytes: count * size}
		kept = append(kept, more...)
	}
	var x nx.Tensor
	for range 3 {
		x = nx.FromSlice(data, shape)
		expect(here()-1, 3, x)
	}
	y := nx.Exp(x)
	expect(here()-1, 1, y)
	for range 2 {
		kept = append(kept, double(x))
	}
	expect(here()-2, 2)
	view := nx.Reshape(nx.Neg(x), 1<<20) // the memory is that of Neg, on the same line
	expect(here()-1, 1, view, nx.Rename(view, "n"), nx.Reshape(view, 2, -1))
	kept = append(kept, nx.FromSliceShared(data, shape)) // in the memory of the program
	released := nx.Abs(x)
	nx.Release(released)
	nx.Sqrt(x) // garbage
	given := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2) }, nx.Donate(0))(nx.Sin(x))
	expect(here()-1, 1, given)

	rows := liveRows(t)
	sum := int64(0)
	for _, r := range rows {
		sum += r.bytes
		w, known := want[r.line]
		if !known {
			if r.bytes >= size {
				t.Errorf("%+v is not expected", r)
			}
			continue
		}
		delete(want, r.line)
		if w.line, w.labels = r.line, "device:[cpu:0] type:[f32[1024][1024]]"; r != w {
			t.Errorf("got %+v, want %+v", r, w)
		}
	}
	if len(want) > 0 {
		t.Errorf("not in the profile: %+v", want)
	}
	if live := debug.LiveBytes() - before; live-sum > 64<<10 || sum-live > 64<<10 {
		t.Errorf("the profile has %d bytes, LiveBytes counts %d", sum, live)
	}
	runtime.KeepAlive(kept)
	kept, x, y, view, given = nil, nx.Tensor{}, nx.Tensor{}, nx.Tensor{}, nx.Tensor{}
	testkit.Settled(debug.LiveBytes)
	for _, r := range liveRows(t) {
		if r.bytes >= size {
			t.Errorf("%+v is unreachable", r)
		}
	}
}

// TestTensorProfileOfViews: memory that only a reshaped tensor uses counts where it was made.
func TestTensorProfileOfViews(t *testing.T) {
	debug.TrackTensors(true)
	defer debug.TrackTensors(false)
	x := nx.Add(nx.Ones(nx.Shape{1 << 20}, nx.F32), 0)
	line := here() - 1
	view := nx.Reshape(x, 2, -1)
	nx.Release(x)
	parts := shard.Split(view)
	for _, r := range liveRows(t) {
		if r.bytes >= 4<<20 && (r.line != line || r.count != 1 || !strings.Contains(r.labels, "f32[1048576]")) {
			t.Errorf("got %+v, want line %d", r, line)
		}
	}
	runtime.KeepAlive([]any{view, parts})
}

// TestTrackedTogether: goroutines make tensors while a profile is written.
func TestTrackedTogether(t *testing.T) {
	debug.TrackTensors(true)
	defer debug.TrackTensors(false)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			x := nx.New([]float32{1, 2})
			for range 2000 {
				x = nx.Reshape(nx.Add(x, 1), 2, 1)
				x = nx.Reshape(x, 2)
			}
		})
	}
	for range 3 {
		var b bytes.Buffer
		if err := debug.WriteTensors(&b); err != nil || b.Len() == 0 {
			t.Error(err)
		}
	}
	wait.Wait()
	debug.TrackTensors(false)
	if err := debug.WriteTensors(&bytes.Buffer{}); !errors.Is(err, nx.ErrState) ||
		!strings.Contains(err.Error(), "debug.TrackTensors(true)") {
		t.Errorf("got %v", err)
	}
}
