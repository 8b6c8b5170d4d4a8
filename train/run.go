package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math"
	"os"
	"runtime/debug"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/tree"
)

// Event is a step that was made.
type Event[A any] struct {
	Report[A]
	Step     int64 // the number of steps so far
	Steps    int64 // of the run up to the end of its data, or that of [Steps]
	Epoch    int
	Batch    int // of the epoch
	Batches  int // of an epoch
	Rows     int // records of the batch without padding
	EpochEnd bool
	// Total are the sums of the epoch so far, this batch included, without steps whose gradients were not finite.
	Total A
}

// LossValue waits for the step and returns its loss.
func (e Event[A]) LossValue() float64 { return float64(nx.Item[float32](e.Loss)) }

// Progress is a place in a run from which it goes on: what a checkpoint has beside the state.
type Progress struct {
	Data  data.Position
	total map[string]nx.Tensor // the sums of the epoch so far, by path
}

// RunOption is an option of [Trainer.Run].
type RunOption interface{ run(*runOptions) }

type runOptions struct {
	from  Progress
	saver any // *Checkpoints[M]
	log   io.Writer
	every int
	steps int64 // at which the run ends, or 0
}

type fromOption struct{ p Progress }
type saveOption struct{ s any }
type stepsOption int64
type logOption struct {
	w     io.Writer
	every int
}

// From goes on from where a checkpoint was written.
func From(p Progress) RunOption { return fromOption{p} }

// Save writes checkpoints while the run goes on, and one when the loop ends: by break, by the end of the context, or
// with the last batch. The error of a write ends the loop at the next checkpoint, or with the last batch; after break
// [Checkpoints.Wait] returns it.
//
// A folder that has checkpoints of later steps than the state's is an error, as their runs are others.
func Save[M any](c *Checkpoints[M]) RunOption { return saveOption{c} }

// Log writes a line of JSON every n steps, with the step, the epoch, the loss, the norm of the gradients and the time;
// the first line has the machine and the revision of the program. Numbers that JSON has not are null.
func Log(w io.Writer, n int) RunOption { return logOption{w, max(n, 1)} }

// Steps ends a run with step n of its state, instead of the end of its data, which is repeated for as many epochs as
// the steps take. A run that is resumed ends at the same step; one whose state has made n steps or more makes none.
func Steps(n int64) RunOption {
	if n < 1 {
		panic(diag.New(nx.ErrArgument, "Steps", "", "a run has at least one step, got %d", n))
	}
	return stepsOption(n)
}

func (o stepsOption) run(r *runOptions) { r.steps = int64(o) }
func (o fromOption) run(r *runOptions)  { r.from = o.p }
func (o saveOption) run(r *runOptions)  { r.saver = o.s }
func (o logOption) run(r *runOptions)   { r.log, r.every = o.w, o.every }

// Run trains on the batches of a loader and yields each step. The state that s points to is replaced after each step;
// it is valid in the body of the loop and after it.
//
// The error that ends the loop is that of the data, of a step, of a checkpoint, the cause of the context's end, or
// [NonFiniteError] for a step whose gradients were not finite, or a buffer NaN; the state is then that before the step.
// A loader without a batch is an error too, and one with [data.PadLast] whose padding would count: give it to
// [data.Weighted], and with several [MicroBatches] the option [Weight] to the trainer.
func (t *Trainer[M, B, A]) Run(ctx context.Context, s *State[M], batches *data.Loader[B],
	opts ...RunOption) iter.Seq2[Event[A], error] {
	var o runOptions
	for _, opt := range opts {
		if opt != nil {
			opt.run(&o)
		}
	}
	r := &run[M, B, A]{trainer: t, options: o, state: s, at: o.from}
	if o.saver != nil {
		var ok bool
		if r.files, ok = o.saver.(*Checkpoints[M]); !ok {
			panic(diag.New(nx.ErrArgument, "Run", "take the checkpoints of this trainer", "Save got %T, not %T",
				o.saver,
				r.files))
		}
	}
	return func(yield func(Event[A], error) bool) {
		r := *r
		switch err := r.loop(ctx, batches, yield); {
		case err == nil:
		case r.broken:
			r.files.failed = err
			slog.Error("train: the last checkpoint could not be written", "error", err)
		default:
			yield(Event[A]{}, err)
		}
	}
}

// run is a loop of training.
type run[M, B, A any] struct {
	trainer *Trainer[M, B, A]
	options runOptions
	files   *Checkpoints[M] // or nil
	state   *State[M]
	at      Progress
	step    int64
	steps   int64
	broken  bool // by the body of the loop, which hears no more errors
}

func (r *run[M, B, A]) loop(ctx context.Context, batches *data.Loader[B],
	yield func(Event[A], error) bool) (err error) {
	if batches.Len() == 0 {
		return fmt.Errorf("train: the loader has no batch: an epoch has fewer records than a batch, or none")
	}
	if err := r.trainer.refusePadding(batches, r.trainer.micro); err != nil {
		return err
	}
	if r.options.steps > 0 {
		batches = batches.Repeat(math.MaxInt32)
	}
	loader, err := batches.From(r.at.Data)
	if err != nil {
		return err
	}
	if *r.state, err = moved(r.trainer.client, *r.state); err != nil {
		return err
	}
	if r.at.total, err = moved(r.trainer.client, r.at.total); err != nil {
		return err
	}
	r.step = nx.Item[int64](r.state.Step)
	r.steps = r.step + int64(loader.Remaining())
	if r.options.steps > 0 {
		r.steps = r.options.steps
	}
	if r.files != nil {
		if err := r.files.begin(r.step); err != nil {
			return err
		}
		defer func() {
			e := r.files.end(*r.state, r.step, r.at)
			if err == nil {
				err = e
			}
			var bad *NonFiniteError
			if errors.As(err, &bad) && r.files.written > 0 {
				bad.Checkpoint = r.files.path(r.files.written)
			}
		}()
	}
	if r.options.log != nil {
		if err := r.header(); err != nil {
			return err
		}
	}
	if r.step >= r.steps {
		return nil
	}
	for item, err := range loader.All(ctx) {
		if err != nil {
			return err
		}
		e, err := r.one(ctx, item)
		if err != nil {
			return err
		}
		e.Batches = batches.Len()
		r.at.Data, r.at.total = item.Next, nil
		if !e.EpochEnd {
			r.at.total = byPath(e.Total)
		}
		if err := r.record(e); err != nil {
			return err
		}
		if !yield(e, nil) {
			r.broken = true
			return nil
		}
		if r.files != nil {
			if err := r.files.due(*r.state, r.step, r.at); err != nil {
				return err
			}
		}
		if r.step >= r.steps && r.options.steps > 0 {
			return nil
		}
	}
	return nil
}

// refusePadding refuses batches whose padding would count in the loss, as records that occur twice.
func (t *Trainer[M, B, A]) refusePadding(batches *data.Loader[B], micro int) error {
	switch {
	case batches.Padded():
		return errors.New("train: the last batch of an epoch is filled by data.PadLast, and its padding would count in the " +
			"loss: give the loader to data.Weighted, whose batches have weights for the loss, or leave the last records out " +
			"by data.DropLast")
	case micro > 1 && batches.Fills() && t.weight == nil:
		return errors.New("train: the last batch of an epoch is filled by data.PadLast, and micro-batches of padding would " +
			"weigh as much as others: give the trainer the option train.Weight")
	}
	return nil
}

// one makes a step. It is not cancelled, as a step that was cancelled has no state.
func (r *run[M, B, A]) one(ctx context.Context, item data.Item[B]) (Event[A], error) {
	batch, err := moved(r.trainer.client, item.Batch)
	if err != nil {
		return Event[A]{}, fmt.Errorf("step %d: %w", r.step+1, err)
	}
	next, report, err := r.trainer.step(context.WithoutCancel(ctx), *r.state, batch)
	if err != nil {
		return Event[A]{}, fmt.Errorf("step %d: %w", r.step+1, err)
	}
	*r.state = next
	r.step++
	e := Event[A]{Report: report, Step: r.step, Steps: r.steps, Epoch: item.Epoch, Batch: item.Index, Rows: item.Rows,
		EpochEnd: item.EpochEnd}
	switch {
	case nx.Item[bool](report.Finite):
		e.Total = addSums(r.at.total, report.Sums)
	case r.trainer.stops(next):
		// Only these numbers have changed.
		r.state.Step, r.state.Skipped = nx.Sub(next.Step, 1), nx.Sub(next.Skipped, 1)
		r.step--
		return e, r.trainer.blame(*r.state, batch, e.Step, report)
	default:
		e.Total = addSums(r.at.total, mapAny(nx.ZerosLike, report.Sums))
	}
	return e, nil
}

// stops reports whether the loop ends with a step whose gradients were not finite, after which the state is s.
func (t *Trainer[M, B, A]) stops(s State[M]) bool {
	return t.nan == Stop && (s.Scale.Value.IsZero() || nx.Item[float32](s.Scale.Value) <= smallestScale)
}

// addSums adds the sums of batches before, by their paths, to those of a batch.
func addSums[A any](before map[string]nx.Tensor, sums A) A {
	if !hasTensors(sums) {
		return sums
	}
	return tree.MapLeaves(func(path string, t nx.Tensor) nx.Tensor {
		if old, ok := before[path]; ok {
			return nx.Add(old, t)
		}
		return t
	}, sums)
}

// byPath are the tensors of a container by their paths.
func byPath(p any) map[string]nx.Tensor {
	m := map[string]nx.Tensor{}
	for path, t := range tree.Leaves(p) {
		m[path] = t
	}
	return m
}

// Evaluate returns the mean loss of a model over the batches of a loader, weighted by the numbers of their records, and
// their sums, in inference. Pass s.Model, or the averages: tree.Combine(s.EMA, s.Model). Padding of [data.PadLast]
// without [data.Weighted] is an error, as that of [Trainer.Run].
func (t *Trainer[M, B, A]) Evaluate(ctx context.Context, m M, batches *data.Loader[B]) (loss float64, sums A,
	err error) {
	if err := t.refusePadding(batches, 1); err != nil {
		return 0, sums, err
	}
	if m, err = moved(t.client, m); err != nil {
		return 0, sums, err
	}
	rows := 0
	for item, err := range batches.All(ctx) {
		if err != nil {
			return 0, sums, err
		}
		b, err := moved(t.client, item.Batch)
		if err != nil {
			return 0, sums, err
		}
		l, a, err := t.evaluate(ctx, m, b)
		if err != nil {
			return 0, sums, err
		}
		loss += float64(nx.Item[float32](l)) * float64(item.Rows)
		rows += item.Rows
		sums = addSums(byPath(sums), a)
	}
	if rows == 0 {
		return 0, sums, fmt.Errorf("train: there is no record to evaluate")
	}
	return loss / float64(rows), sums, nil
}

// header writes the first line of a log.
func (r *run[M, B, A]) header() error {
	host, _ := os.Hostname()
	line := map[string]any{"host": host, "time": time.Now().UTC().Format(time.RFC3339), "step": r.step}
	if info, ok := debug.ReadBuildInfo(); ok {
		line["go"] = info.GoVersion
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
				line[s.Key] = s.Value
			}
		}
	}
	return r.write(line)
}

// record writes a line of the log where one is due.
func (r *run[M, B, A]) record(e Event[A]) error {
	if r.options.log == nil || e.Step%int64(r.options.every) != 0 && !e.EpochEnd {
		return nil
	}
	line := map[string]any{"step": e.Step, "epoch": e.Epoch, "loss": number(e.Loss), "grad_norm": number(e.GradNorm),
		"time": time.Now().UTC().Format(time.RFC3339Nano)}
	if e.EpochEnd {
		line["epoch_end"] = true
	}
	if v := r.state.Scale.Value; !v.IsZero() {
		line["loss_scale"] = number(v)
	}
	return r.write(line)
}

func (r *run[M, B, A]) write(line map[string]any) error {
	b, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = r.options.log.Write(append(b, '\n'))
	return err
}

// number is a scalar for JSON, nil for NaN and infinities.
func number(t nx.Tensor) any {
	v := float64(nx.Item[float32](t))
	if v-v != 0 {
		return nil
	}
	return v
}
