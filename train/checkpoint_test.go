package train_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/train"
)

// line is the smallest model.
type line struct{ W nx.Tensor }

func newLine() line { return line{nx.Zeros(nx.Shape{2}, nx.F32)} }

func lineLoss(m *line, _ *nn.Ctx, b batch) (nx.Tensor, sums) {
	n := int64(b.X.Shape()[0])
	return nx.Mean(nx.Square(nx.Sub(nx.Dot(b.X, m.W), b.Y))), sums{N: nx.Full(nx.Shape{}, n, nx.S64)}
}

// points are 12 records of y = x₀ + 2·x₁.
func points(n int) data.Source[batch] {
	var x [][]float32
	var y []float32
	for i := range n {
		a, b := float32(i%3), float32(i%4)/2
		x, y = append(x, []float32{a, b}), append(y, a+2*b)
	}
	s, err := data.Rows(batch{nx.New(x), nx.New(y)})
	if err != nil {
		panic(err)
	}
	return s
}

func lineBatches(n int, opts ...data.Option) *data.Loader[batch] {
	return data.Batches(points(n), data.Stack, append([]data.Option{data.Size(3)}, opts...)...)
}

func newLineTrainer(opts ...train.Option) *train.Trainer[line, batch, sums] {
	return train.New(lineLoss, optim.SGD(optim.Constant(.05)), opts...)
}

// lineRun trains with checkpoints every two steps, in a folder, to the end or up to a step.
func lineRun(dir string, stop int64, opts ...train.CheckpointOption) (train.State[line], error) {
	tr := newLineTrainer()
	s := tr.Init(newLine(), nx.New([]uint32{0, 1}))
	files := tr.Checkpoints(dir, append([]train.CheckpointOption{train.Every(2)}, opts...)...)
	at, err := files.Resume(&s)
	if err != nil {
		return s, err
	}
	for e, err := range tr.Run(context.Background(), &s, lineBatches(12, data.Epochs(2)), train.From(at),
		train.Save(files)) {
		if err != nil {
			return s, err
		}
		if e.Step == stop {
			break
		}
	}
	return s, files.Wait()
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, strings.TrimPrefix(strings.TrimSuffix(e.Name(), ".safetensors"), "step_00000000"))
	}
	return strings.Join(list, " ")
}

func stepFile(dir string, step int) string {
	return filepath.Join(dir, fmt.Sprintf("step_%09d.safetensors", step))
}

// captureLog returns what is logged during a test.
func captureLog(t *testing.T) *bytes.Buffer {
	old := slog.Default()
	t.Cleanup(func() { slog.SetDefault(old) })
	var b bytes.Buffer
	slog.SetDefault(slog.New(slog.NewTextHandler(&b, nil)))
	return &b
}

func TestKeep(t *testing.T) {
	for want, opt := range map[string]train.CheckpointOption{
		"4 6 8": nil, "8": train.Keep(1), "2 4 6 8": train.Keep(0)} {
		dir := t.TempDir()
		if _, err := lineRun(dir, -1, opt); err != nil {
			t.Fatal(err)
		}
		if got := names(t, dir); got != want {
			t.Errorf("files %s, want %s", got, want)
		}
	}
}

// Each byte of a small file is changed, and the file ends at each byte: the one before is taken, or an error says why
// not, and the state is never a wrong one.
func TestDamagedAnywhere(t *testing.T) {
	log := captureLog(t)
	dir := t.TempDir()
	if _, err := lineRun(dir, -1, train.Keep(2)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(stepFile(dir, 8))
	if err != nil {
		t.Fatal(err)
	}
	tr := newLineTrainer()
	taken := func(b []byte) (step int64, err error) {
		t.Helper()
		if err := os.WriteFile(stepFile(dir, 8), b, 0o644); err != nil {
			t.Fatal(err)
		}
		s := tr.Init(newLine(), nx.New([]uint32{0, 1}))
		at, err := tr.Checkpoints(dir).Resume(&s)
		step = nx.Item[int64](s.Step)
		if err == nil && int64(4*at.Data.Epoch+at.Data.Batch) != step || err != nil && step != 0 {
			t.Fatalf("the state of step %d and position %v, %v", step, at.Data, err)
		}
		return step, err
	}
	if step, err := taken(whole); step != 8 || err != nil || log.Len() > 0 {
		t.Fatalf("step %d, %v, log %s", step, err, log)
	}
	for n := range whole {
		if step, err := taken(whole[:n]); step != 6 || err != nil {
			t.Fatalf("%d of %d bytes: step %d, %v", n, len(whole), step, err)
		}
		changed := slices.Clone(whole)
		changed[n] ^= 1 << (n % 8)
		step, err := taken(changed)
		if step == 8 || err != nil && !strings.Contains(err.Error(), "version") {
			t.Fatalf("byte %d of %d is changed, %q: step %d, %v", n, len(whole), changed[max(0, n-20):n+1], step, err)
		}
	}
	if n := strings.Count(log.String(), "\n"); n < 2*len(whole)-200 {
		t.Errorf("%d lines for %d damaged files", n, 2*len(whole))
	}
	// A run goes on from the one before, keeps it while the damaged one is newer, and replaces that.
	if err := os.WriteFile(stepFile(dir, 8), whole[:9], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := lineRun(dir, 7, train.Keep(1)); err != nil || names(t, dir) != "7 8" {
		t.Errorf("files %s, %v", names(t, dir), err)
	}
	if _, err := lineRun(dir, -1, train.Keep(1)); err != nil || names(t, dir) != "8" {
		t.Errorf("files %s, %v", names(t, dir), err)
	}
	if got, err := os.ReadFile(stepFile(dir, 8)); err != nil || !bytes.Equal(got, whole) {
		t.Error("the last file differs from that of the whole run", err)
	}
	// All are damaged.
	if err := os.WriteFile(stepFile(dir, 8), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := lineRun(dir, -1); err == nil || !strings.Contains(err.Error(), "8.safetensors: the file is damaged") {
		t.Errorf("got %v", err)
	}
}

// Files of other names, and folders, are not steps; what a killed process left is removed.
func TestOddNames(t *testing.T) {
	dir := t.TempDir()
	if _, err := lineRun(dir, 4); err != nil {
		t.Fatal(err)
	}
	const temporary = "step_000000009.safetensors.0123abcd.tmp"
	odd := []string{"step_5.safetensors", "step_+00000007.safetensors", "step_.safetensors",
		"step_00000000x.safetensors",
		"step_99999999999999999999.safetensors", "step_000000006.safetensors.bak", "step_0000000000006.safetensors"}
	for _, name := range append(odd, temporary) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(stepFile(dir, 77), 0o755); err != nil {
		t.Fatal(err)
	}
	if s, err := lineRun(dir, -1, train.Keep(1)); err != nil || nx.Item[int64](s.Step) != 8 {
		t.Fatal(s.Step, err)
	}
	for _, name := range odd {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, temporary)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the temporary file of another process is left")
	}
}

// A run from the beginning does not go into the folder of another one.
func TestFolderOfALaterRun(t *testing.T) {
	dir := t.TempDir()
	if _, err := lineRun(dir, -1); err != nil {
		t.Fatal(err)
	}
	tr := newLineTrainer()
	s := tr.Init(newLine(), nx.New([]uint32{0, 1}))
	var last error
	for _, last = range tr.Run(t.Context(), &s, lineBatches(12), train.Save(tr.Checkpoints(dir))) {
	}
	if last == nil || !strings.Contains(last.Error(), "has the checkpoint of step 8, and the state is that of step 0") {
		t.Errorf("got %v", last)
	}
	if names(t, dir) != "4 6 8" {
		t.Errorf("files %s", names(t, dir))
	}
}

func TestRemovedFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	tr := newLineTrainer()
	s := tr.Init(newLine(), nx.New([]uint32{0, 1}))
	files := tr.Checkpoints(dir, train.Every(1))
	for e, err := range tr.Run(t.Context(), &s, lineBatches(12), train.Save(files)) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Step == 2 {
			if err := files.Wait(); err != nil {
				t.Fatal(err)
			}
			os.RemoveAll(dir)
		}
	}
	if got := names(t, dir); got != "2 3 4" {
		t.Errorf("files %s", got)
	}
}

// The error of a write in the background ends the loop at the next checkpoint, or with the last batch, and Wait has it
// after break; the state goes on being valid, and is written when the folder can be.
func TestFailedWrites(t *testing.T) {
	log := captureLog(t)
	dir := filepath.Join(t.TempDir(), "run")
	for name, c := range map[string]struct {
		every, stop, want int64
		told              bool
	}{"next": {1, -1, 2, true}, "end": {0, -1, 4, true}, "break": {0, 3, 3, false}} {
		tr := newLineTrainer()
		s := tr.Init(newLine(), nx.New([]uint32{0, 1}))
		os.Remove(dir)
		files := tr.Checkpoints(filepath.Join(dir, "sub"), train.Every(int(c.every)))
		var last error
		for e, err := range tr.Run(t.Context(), &s, lineBatches(12), train.Save(files)) {
			if last = err; err == nil && e.Step == 1 {
				os.RemoveAll(dir)
				if err := os.WriteFile(dir, []byte("no folder"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err == nil && e.Step == c.stop {
				break
			}
		}
		if c.told == (last == nil) {
			t.Errorf("%s: the loop yields %v", name, last)
		}
		if !c.told {
			if last = files.Wait(); last == nil || !strings.Contains(log.String(), "could not be written") {
				t.Errorf("%s: Wait: %v, log %s", name, last, log)
			}
		}
		if last == nil || !regexp.MustCompile(`the checkpoint of step \d could not be written: .*run`).MatchString(
			last.Error()) {
			t.Errorf("%s: got %v", name, last)
		}
		if got := nx.Item[int64](s.Step); got != c.want {
			t.Errorf("%s: the state is of step %d, want %d", name, got, c.want)
		}
		if err := files.Wait(); err != nil {
			t.Errorf("%s: told twice: %v", name, err)
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("skipped: root writes to read-only folders")
	}
	dir := t.TempDir()
	if _, err := lineRun(dir, 4); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if _, err := lineRun(dir, -1); !errors.Is(err, fs.ErrPermission) || names(t, dir) != "2 4" {
		t.Errorf("got %v, files %s", err, names(t, dir))
	}
}

func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := lineRun(dir, 4); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(stepFile(dir, 4))
	if err != nil {
		t.Fatal(err)
	}
	// Of another version: an error, not the file before.
	other := bytes.Replace(b, []byte(`{\"version\":1,`), []byte(`{\"version\":2,`), 1)
	if err := os.WriteFile(stepFile(dir, 4), other, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := lineRun(dir, -1); err == nil || !strings.Contains(err.Error(),
		"it has version 2 of the format, this program reads version 1") {
		t.Errorf("got %v", err)
	}
	if got, _ := os.ReadFile(stepFile(dir, 4)); !bytes.Equal(got, other) {
		t.Error("the file has changed")
	}
	if err := os.WriteFile(stepFile(dir, 4), b, 0o644); err != nil {
		t.Fatal(err)
	}
	// Of a model of another shape.
	tr := newLineTrainer()
	s := tr.Init(line{nx.Zeros(nx.Shape{3}, nx.F32)}, nx.New([]uint32{0, 1}))
	if _, err := tr.Checkpoints(dir).Resume(&s); err == nil || !strings.Contains(err.Error(),
		"another model or optimiser: Model.W is f32[2] in the file and f32[3] in the state") {
		t.Errorf("got %v", err)
	}
	// The data has another length.
	s = tr.Init(newLine(), nx.New([]uint32{0, 1}))
	files := tr.Checkpoints(dir)
	at, err := files.Resume(&s)
	if err != nil {
		t.Fatal(err)
	}
	for _, err = range tr.Run(t.Context(), &s, lineBatches(15), train.From(at), train.Save(files)) {
	}
	if err == nil || !strings.Contains(err.Error(), "number of records was 12 where the run stopped, and is 15 now") {
		t.Errorf("got %v", err)
	}
	if names(t, dir) != "2 4" {
		t.Errorf("files %s", names(t, dir))
	}
}

func TestBest(t *testing.T) {
	dir := t.TempDir()
	tr := newLineTrainer()
	s := tr.Init(newLine(), nx.New([]uint32{0, 1}))
	files := tr.Checkpoints(dir)
	try := func(score float64, order train.Order, want bool) {
		t.Helper()
		if got, err := files.Best(s, score, order); err != nil || got != want {
			t.Errorf("score %v: %v, %v, want %v", score, got, err, want)
		}
	}
	try(math.NaN(), train.Lower, false)
	try(3, train.Lower, true)
	try(3, train.Lower, false)
	try(math.NaN(), train.Lower, false)
	try(2, train.Lower, true)
	files = tr.Checkpoints(dir) // of the next process
	try(2.5, train.Lower, false)
	try(2.5, train.Higher, true)
	if at, err := files.Load(filepath.Join(dir, "best.safetensors"), &s); err != nil || at.Data != (data.Position{}) {
		t.Error(at, err)
	}
	if at, err := files.Resume(&s); err != nil || at.Data != (data.Position{}) {
		t.Error("the best file is not a step of the run:", at, err)
	}
}

func TestPatience(t *testing.T) {
	p := train.Patience{Delta: .1}
	var got []int
	for _, score := range []float64{math.NaN(), 3, 2, 1.95, 2, math.NaN(), 1.8, 1.8} {
		got = append(got, p.Lost(score))
	}
	if want := []int{1, 0, 0, 1, 2, 3, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("lost %v, want %v", got, want)
	}
	h := train.Patience{Order: train.Higher}
	if h.Lost(1) != 0 || h.Lost(2) != 0 || h.Lost(1.5) != 1 {
		t.Error("Higher")
	}
}
