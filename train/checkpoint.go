package train

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/encoding/safetensors"
	"github.com/go-nx/nx/tree"
)

// Checkpoints are the files of a run: step_000000500.safetensors and so on in a folder. A file is complete or absent,
// and has a checksum. It depends on the run and on the tier of the machine's code only, not on the time.
type Checkpoints[M any] struct {
	dir     string
	every   int64
	keep    int
	pending chan error // of the file that is being written, or nil
	writing int64      // its step
	written int64      // the step of the last file
	damaged []int64    // the steps whose files gave way to the one before
	failed  error      // of a write after the loop was left, for Wait
	best    *best
}

// CheckpointOption is an option of [Trainer.Checkpoints].
type CheckpointOption interface{ checkpoint(*checkpointOptions) }

type checkpointOptions struct {
	every int64
	keep  int
}

type everyOption int
type keepOption int

// Every writes a checkpoint every n steps; without it they are written at the end of a run only.
func Every(n int) CheckpointOption { return everyOption(n) }

// Keep removes all but the last n checkpoints, 3 without it; 0 keeps all.
func Keep(n int) CheckpointOption { return keepOption(n) }

func (o everyOption) checkpoint(c *checkpointOptions) { c.every = int64(notNegative("Every", int(o))) }
func (o keepOption) checkpoint(c *checkpointOptions)  { c.keep = notNegative("Keep", int(o)) }

func notNegative(op string, n int) int {
	if n < 0 {
		panic(diag.New(nx.ErrArgument, op, "", "the number must not be negative, got %d", n))
	}
	return n
}

// Checkpoints returns the checkpoints of a folder, which is made where it is missing.
func (t *Trainer[M, B, A]) Checkpoints(dir string, opts ...CheckpointOption) *Checkpoints[M] {
	o := checkpointOptions{keep: 3}
	for _, opt := range opts {
		if opt != nil {
			opt.checkpoint(&o)
		}
	}
	return &Checkpoints[M]{dir: dir, every: o.every, keep: o.keep}
}

const (
	metadataKey = "nx.checkpoint"
	checksumKey = "nx.sha256"
	fileVersion = 1
)

// header is the metadata of a file.
type header struct {
	Version int           `json:"version"`
	Step    int64         `json:"step"`
	Data    data.Position `json:"data"`
	Tier    string        `json:"tier"` // of the code of package cpu, on which the last bits depend
	Score   *float64      `json:"score,omitempty"`
}

// due writes a checkpoint where one is due.
func (c *Checkpoints[M]) due(s State[M], step int64, p Progress) error {
	if c.every <= 0 || step%c.every != 0 {
		return nil
	}
	return c.write(s, step, p)
}

// write copies the state and writes it in the background. At most one file is pending.
func (c *Checkpoints[M]) write(s State[M], step int64, p Progress) error {
	if err := c.wait(); err != nil {
		return err
	}
	if step == c.written {
		return nil
	}
	h := newHeader(step)
	h.Data = p.Data
	tensors := c.tensors(s, p.total)
	c.pending = make(chan error, 1)
	c.writing = step
	go func(done chan<- error) {
		err := refuseNaN(tensors)
		if err == nil {
			err = c.save(c.path(step), tensors, h)
		}
		if err == nil {
			err = c.prune(step)
		}
		done <- err
	}(c.pending)
	return nil
}

// refuseNaN refuses a state whose model has a NaN, from which no run could go on. Steps with gradients that are not
// finite are not made, but an update may overflow.
func refuseNaN(tensors []safetensors.Tensor) error {
	for _, t := range tensors {
		if !t.DType.IsFloat() || !strings.HasPrefix(t.Name, "Model") && !strings.HasPrefix(t.Name, "EMA") {
			continue
		}
		x := nx.FromBytes(t.Data, t.Shape, t.DType)
		if nx.Item[bool](nx.Any(nx.IsNaN(x))) {
			return fmt.Errorf("%s of the state has a NaN; the files before it are whole", t.Name)
		}
	}
	return nil
}

// wait waits for the file that is being written.
func (c *Checkpoints[M]) wait() error {
	if c.pending == nil {
		return nil
	}
	err := <-c.pending
	c.pending = nil
	if err != nil {
		return fmt.Errorf("train: the checkpoint of step %d could not be written: %w", c.writing, err)
	}
	c.written = c.writing
	return nil
}

// Wait waits for the file that is being written. The error is that of the last write, where no loop has told it.
func (c *Checkpoints[M]) Wait() error {
	err := c.wait()
	if err == nil {
		err = c.failed
	}
	c.failed = nil
	return err
}

// begin prepares for a run that starts after a step.
func (c *Checkpoints[M]) begin(step int64) error {
	if err := c.wait(); err != nil {
		return err
	}
	if c.written != step {
		c.written = 0
	}
	steps, err := c.steps()
	if err != nil {
		return err
	}
	for _, later := range slices.Backward(steps) {
		if later > step && !slices.Contains(c.damaged, later) {
			return fmt.Errorf("train: %s has the checkpoint of step %d, and the state is that of step %d: go on from it by "+
				"Resume and From, or save to another folder", c.dir, later, step)
		}
	}
	return nil
}

// end writes the last file of a run.
func (c *Checkpoints[M]) end(s State[M], step int64, p Progress) error {
	err := c.wait()
	if step > 0 {
		err = cmp.Or(c.write(s, step, p), err)
	}
	return cmp.Or(c.wait(), err)
}

func (c *Checkpoints[M]) path(step int64) string {
	return filepath.Join(c.dir, fmt.Sprintf("step_%09d.safetensors", step))
}

// totalPrefix begins the names of the sums of an epoch.
const totalPrefix = "Total: "

// tensors are copies of the tensors of a state and of the sums of its epoch.
func (c *Checkpoints[M]) tensors(s State[M], total map[string]nx.Tensor) (list []safetensors.Tensor) {
	add := func(name string, t nx.Tensor) {
		list = append(list, safetensors.Tensor{
			Info: safetensors.Info{Name: name, DType: t.DType(), Shape: t.Shape()},
			Data: nx.Bytes(t),
		})
	}
	for path, t := range tree.Leaves(s) {
		add(path, t)
	}
	for path, t := range tree.Leaves(total) {
		add(totalPrefix+path[1:len(path)-1], t) // without the brackets of a key
	}
	return list
}

func (c *Checkpoints[M]) save(path string, tensors []safetensors.Tensor, h header) error {
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return err
	}
	meta, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return safetensors.WriteFile(path, tensors, map[string]string{
		metadataKey: string(meta), checksumKey: checksum(string(meta), tensors)})
}

// newHeader is the header of a file without a position.
func newHeader(step int64) header {
	tier, _ := cpu.ExplainTier()
	return header{Version: fileVersion, Step: step, Tier: tier}
}

// checksum is the SHA-256 of metadata, and of tensors in the order of their names.
func checksum(meta string, tensors []safetensors.Tensor) string {
	list := slices.Clone(tensors)
	slices.SortFunc(list, func(a, b safetensors.Tensor) int { return strings.Compare(a.Name, b.Name) })
	sum := sha256.New()
	fmt.Fprintln(sum, meta)
	for _, t := range list {
		fmt.Fprintf(sum, "%s %v %v\n", t.Name, t.DType, t.Shape)
		sum.Write(t.Data)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// steps are the steps that have files, in order.
func (c *Checkpoints[M]) steps() (steps []int64, err error) {
	entries, err := os.ReadDir(c.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		m := fileName.FindStringSubmatch(e.Name())
		if m == nil || e.IsDir() {
			continue
		}
		if n, err := strconv.ParseInt(m[1], 10, 64); err == nil && filepath.Base(c.path(n)) == e.Name() {
			steps = append(steps, n)
		}
	}
	slices.Sort(steps)
	return steps, err
}

var (
	fileName      = regexp.MustCompile(`^step_(\d{9,})\.safetensors$`)
	unfinishedOne = regexp.MustCompile(`^(step_\d{9,}|best)\.safetensors\.[0-9a-f]{8}\.tmp$`)
)

// removeUnfinished removes files that a killed process was writing.
func (c *Checkpoints[M]) removeUnfinished() {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return // the folder is not there yet, or the next error says why
	}
	for _, e := range entries {
		if unfinishedOne.MatchString(e.Name()) {
			os.Remove(filepath.Join(c.dir, e.Name()))
		}
	}
}

// prune removes files older than the last ones up to a step. Later ones were damaged where the run went on.
func (c *Checkpoints[M]) prune(last int64) error {
	steps, err := c.steps()
	if err != nil || c.keep <= 0 {
		return err
	}
	steps = slices.DeleteFunc(steps, func(s int64) bool { return s > last })
	for len(steps) > c.keep {
		if err := os.Remove(c.path(steps[0])); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		steps = steps[1:]
	}
	return nil
}

// Resume reads the newest checkpoint into the state that s points to, which [Trainer.Init] made of the same model, and
// returns where the run goes on; without a file both stay as they are, and the run begins. A file that is damaged gives
// way to the one before, with a line in the log.
//
// The error names the file of another model or version and what differs; the state is then unchanged.
func (c *Checkpoints[M]) Resume(s *State[M]) (Progress, error) {
	if err := c.wait(); err != nil {
		return Progress{}, err
	}
	c.removeUnfinished()
	c.damaged = nil
	steps, err := c.steps()
	if err != nil {
		return Progress{}, err
	}
	for i, step := range slices.Backward(steps) {
		p, err := c.read(c.path(step), s)
		var damaged *damagedError
		if i > 0 && errors.As(err, &damaged) {
			slog.Warn("train: a checkpoint is damaged, the one before is taken", "file", c.path(step), "error", err)
			c.damaged = append(c.damaged, step)
			continue
		}
		if err == nil {
			c.written = step
		}
		return p, err
	}
	return Progress{}, nil
}

// damagedError is a file that is not what was written.
type damagedError struct{ err error }

func (e *damagedError) Error() string { return "the file is damaged: " + e.err.Error() }
func (e *damagedError) Unwrap() error { return e.err }

// Load reads the checkpoint of a file as [Checkpoints.Resume] does.
func (c *Checkpoints[M]) Load(path string, s *State[M]) (Progress, error) { return c.read(path, s) }

func (c *Checkpoints[M]) read(path string, s *State[M]) (p Progress, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("train: %s: %w", path, err)
		}
	}()
	h, tensors, err := readFile(path)
	if err != nil {
		return p, err
	}
	given := map[string]safetensors.Tensor{}
	total := map[string]nx.Tensor{}
	for _, t := range tensors {
		if name, ok := strings.CutPrefix(t.Name, totalPrefix); ok {
			total[name] = nx.FromBytes(t.Data, t.Shape, t.DType)
			continue
		}
		given[t.Name] = t
	}
	var missing, differ []string
	next := tree.MapLeaves(func(path string, old nx.Tensor) nx.Tensor {
		t, ok := given[path]
		switch {
		case !ok:
			missing = append(missing, path)
			return old
		case t.DType != old.DType() || !slices.Equal(t.Shape, []int(old.Shape())):
			differ = append(differ, fmt.Sprintf("%s is %v%v in the file and %v%v in the state", path, t.DType, t.Shape,
				old.DType(), old.Shape()))
			return old
		}
		delete(given, path)
		return nx.FromBytes(t.Data, old.Shape(), old.DType(), nx.Names(old.Names()...))
	}, *s)
	switch {
	case len(missing) > 0:
		return p, fmt.Errorf("it is of another model or optimiser: %s is not in the file, and %d others", missing[0],
			len(missing)-1)
	case len(differ) > 0:
		return p, fmt.Errorf("it is of another model or optimiser: %s, and %d others", differ[0], len(differ)-1)
	case len(given) > 0:
		return p, fmt.Errorf("it is of another model or optimiser: %s of the file is not in the state, and %d others",
			slices.Min(slices.Collect(keys(given))), len(given)-1)
	}
	if tier, _ := cpu.ExplainTier(); h.Tier != tier {
		slog.Warn("train: the checkpoint was computed with another tier of code: the last bits of results will differ from "+
			"those of the run so far", "file", path, "then", h.Tier, "now", tier)
	}
	p.Data, p.total = h.Data, total
	*s = next
	return p, nil
}

// readFile reads a file and checks it.
func readFile(path string) (h header, tensors []safetensors.Tensor, err error) {
	f, err := safetensors.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return h, nil, err
		}
		return h, nil, &damagedError{err}
	}
	defer f.Close()
	meta, ok := f.Metadata()[metadataKey]
	if !ok {
		return h, nil, &damagedError{fmt.Errorf("it has no metadata %q, is it a checkpoint?", metadataKey)}
	}
	if err := json.Unmarshal([]byte(meta), &h); err != nil {
		return h, nil, &damagedError{err}
	}
	if h.Version != fileVersion {
		return h, nil, fmt.Errorf("it has version %d of the format, this program reads version %d", h.Version,
			fileVersion)
	}
	for _, i := range f.Infos() {
		t, err := f.Tensor(i.Name)
		if err != nil {
			return h, nil, &damagedError{err}
		}
		tensors = append(tensors, t)
	}
	if sum, want := checksum(meta, tensors), f.Metadata()[checksumKey]; sum != want {
		return h, nil, &damagedError{fmt.Errorf("its checksum is %.8s…, not %.8s…", sum, want)}
	}
	return h, tensors, nil
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Order says whether a lower or a higher score is better.
type Order int

// The orders.
const (
	Lower Order = iota
	Higher
)

// best is the best score so far.
type best struct {
	score float64
}

// Best writes a state to the file best.safetensors of the folder if its score is better than that of the file which is
// there, and reports whether it is. NaN is not better than anything.
func (c *Checkpoints[M]) Best(s State[M], score float64, order Order) (better bool, err error) {
	path := filepath.Join(c.dir, "best.safetensors")
	if c.best == nil {
		c.best = &best{math.NaN()}
		switch h, _, err := readFile(path); {
		case err == nil && h.Score != nil:
			c.best.score = *h.Score
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			slog.Warn("train: the best checkpoint cannot be read, it will be replaced", "file", path, "error", err)
		}
	}
	old := c.best.score
	if math.IsNaN(score) || !math.IsNaN(old) && (order == Lower && score >= old || order == Higher && score <= old) {
		return false, nil
	}
	h := newHeader(nx.Item[int64](s.Step))
	h.Score = &score
	if err := c.save(path, c.tensors(s, nil), h); err != nil {
		return false, err
	}
	c.best.score = score
	return true, nil
}

// Patience counts how often a score was not better than the best before: early stopping is
//
//	if patience.Lost(loss) > 5 { break }
type Patience struct {
	Order Order
	Delta float64 // by how much a score must be better
	lost  int
	best  float64
	seen  bool
}

// Lost returns how many scores in a row were not better than the best, with this one.
func (p *Patience) Lost(score float64) int {
	better := !p.seen || p.Order == Lower && score < p.best-p.Delta || p.Order == Higher && score > p.best+p.Delta
	if better && !math.IsNaN(score) {
		p.best, p.seen, p.lost = score, true, 0
	} else {
		p.lost++
	}
	return p.lost
}
