package data

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/go-nx/nx"
)

// Loader makes batches of the records of a source. It is safe for concurrent use: its loops are independent.
type Loader[B any] struct {
	options
	records  int
	start    Position
	weighted bool // the batches have weights, by which padding is left out
	// make reads and collates the records of a batch.
	make func(ctx context.Context, p plan) (B, error)
}

// Position is a place between two batches of a run: the next batch, and what must be the same when the run is resumed.
type Position struct {
	Epoch   int   `json:"epoch"`
	Batch   int   `json:"batch"`   // of the epoch
	Records int   `json:"records"` // of the source
	Size    int   `json:"size"`    // of a batch
	Shards  int   `json:"shards"`
	Seed    int64 `json:"seed"`
	// Buckets is a checksum of the bounds and the contents of [Buckets], 0 without them.
	Buckets uint64 `json:"buckets,omitempty"`
}

// Item is a batch with its place in the run.
type Item[B any] struct {
	Batch B
	Rows  int // records that are not padding
	Size  int // records with padding
	Epoch int
	Index int // of the batch in its epoch
	// EpochEnd reports whether it is the last batch of its epoch.
	EpochEnd bool
	// Next is the position after this batch, from which [Loader.From] resumes.
	Next Position
}

// Batches returns a loader of batches, which collate makes of the records of a batch: [Stack], or a function of the
// program.
//
// Errors: [nx.ErrArgument] for options out of range.
func Batches[E, B any](s Source[E], collate func(records []E) (B, error), opts ...Option) *Loader[B] {
	o := options{size: 32, workers: runtime.GOMAXPROCS(0), epochs: 1, shards: 1}
	for _, opt := range opts {
		if opt != nil {
			opt.option(&o)
		}
	}
	if o.ahead == 0 {
		o.ahead = 2 * o.workers
	}
	l := &Loader[B]{options: o, records: s.Len()}
	l.checkBuckets()
	l.start = l.position(0, 0)
	l.make = func(ctx context.Context, p plan) (batch B, err error) {
		records := make([]E, len(p.positions))
		for k, i := range l.indices(p) {
			if records[k], err = readRecord(ctx, s, i, p.epoch, o.seed); err != nil {
				return batch, err
			}
		}
		defer recovered(&err, "collating the batch")
		if batch, err = collate(records); err != nil || o.device == nil {
			return batch, err
		}
		return nx.Transfer(batch, o.device)
	}
	return l
}

// readRecord reads a record; its error names the index.
func readRecord[E any](ctx context.Context, s Source[E], i, epoch int, seed int64) (e E, err error) {
	if err := context.Cause(ctx); err != nil {
		return e, err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("data: record %d: %w", i, err)
		}
	}()
	defer recovered(&err, "reading it")
	return s.At(ctx, i, rand.New(rand.NewPCG(mix(uint64(seed))^mix(uint64(epoch)+1), uint64(i))))
}

// recovered makes an error of a panic in a function of the program, which would end the process from a goroutine of the
// loader.
func recovered(err *error, doing string) {
	switch p := recover().(type) {
	case nil:
	case *nx.Error:
		*err = p
	default:
		*err = fmt.Errorf("panic while %s: %v\n%s", doing, p, debug.Stack())
	}
}

// Len is the number of batches of an epoch.
func (l *Loader[B]) Len() (n int) {
	for g := range l.groups() {
		n += l.batches(l.groupLen(g))
	}
	return n
}

// Remaining is the number of batches of all epochs from the loader's position on.
func (l *Loader[B]) Remaining() int {
	return max(0, (l.epochs-l.start.Epoch)*l.Len()-l.start.Batch)
}

// Repeat returns the loader with another number of [Epochs].
func (l *Loader[B]) Repeat(epochs int) *Loader[B] {
	c := *l
	c.epochs = atLeast("Repeat", epochs, 1)
	return &c
}

// Padded reports whether batches of an epoch have padding, by [PadLast], that no weights of [Weighted] leave out.
func (l *Loader[B]) Padded() bool { return l.Fills() && !l.weighted }

// Fills reports whether batches of an epoch have padding, by [PadLast].
func (l *Loader[B]) Fills() bool {
	for g := range l.groups() {
		if n := l.groupLen(g); l.last == PadLast && n != l.batches(n)*l.size*l.shards {
			return true
		}
	}
	return false
}

// batches is the number of batches of the loader's part of n records.
func (l *Loader[B]) batches(n int) int {
	n = l.perShard(n)
	if l.last == DropLast {
		return n / l.size
	}
	return (n + l.size - 1) / l.size
}

// perShard is the number of records of the loader's part of n records, with padding.
func (l *Loader[B]) perShard(n int) int {
	switch l.last {
	case DropLast:
		return n / l.shards
	case PadLast:
		return (n + l.shards - 1) / l.shards
	}
	return (n - l.shard + l.shards - 1) / l.shards
}

func (l *Loader[B]) position(epoch, batch int) Position {
	p := Position{epoch, batch, l.records, l.size, l.shards, l.seed, l.buckets.sum()}
	if n := l.Len(); batch >= n {
		p.Epoch, p.Batch = epoch+1, 0
	}
	return p
}

// From returns a loader which goes on from a position, that of [Item.Next] of the last batch that counted. The zero
// Position is the beginning.
//
// The error says what has changed since: the number of records, the size of batches, the number of parts, or the seed.
func (l *Loader[B]) From(p Position) (*Loader[B], error) {
	c := *l
	if p == (Position{}) {
		c.start = l.position(0, 0)
		return &c, nil
	}
	want := l.position(0, 0)
	for _, v := range []struct {
		what      string
		then, now int64
	}{
		{"number of records", int64(p.Records), int64(want.Records)},
		{"size of batches", int64(p.Size), int64(want.Size)},
		{"number of parts", int64(p.Shards), int64(want.Shards)},
		{"seed", p.Seed, want.Seed},
	} {
		if v.then != v.now {
			return nil, fmt.Errorf("data: the %s was %d where the run stopped, and is %d now: "+
				"the order of the records would be another one; start from the zero Position, "+
				"or give the loader what it had", v.what, v.then, v.now)
		}
	}
	if p.Buckets != want.Buckets {
		return nil, fmt.Errorf("data: the buckets, or the lengths of the records, were others where the run stopped: the " +
			"order of the records would be another one; start from the zero Position, or give the loader what it had")
	}
	if p.Epoch < 0 || p.Batch < 0 || p.Batch > l.Len() {
		return nil, fmt.Errorf("data: there is no batch %d of epoch %d: an epoch has %d batches", p.Batch, p.Epoch,
			l.Len())
	}
	c.start = p
	return &c, nil
}

// plan says which records make a batch: their positions in the order that an epoch gives those of a group, of which the
// first rows are not padding.
type plan struct {
	epoch, group, rows int
	positions          []int
}

// job is a batch to be made, and where its result goes.
type job[B any] struct {
	plan plan
	item Item[B]
	done chan result[B]
}

type result[B any] struct {
	batch B
	err   error
}

// All yields the batches of the epochs in order. After an error it ends. When the loop ends, so have the goroutines.
func (l *Loader[B]) All(ctx context.Context) iter.Seq2[Item[B], error] {
	return func(yield func(Item[B], error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		var goroutines sync.WaitGroup
		defer goroutines.Wait()
		defer cancel(context.Canceled)
		ready := make(chan job[B], l.ahead) // in the order of the batches
		work := make(chan job[B])
		goroutines.Go(func() { l.schedule(ctx, ready, work) })
		for range min(l.workers, l.ahead) {
			goroutines.Go(func() { l.work(ctx, work) })
		}
		for j := range ready {
			var r result[B]
			select {
			case r = <-j.done:
			case <-ctx.Done():
				r.err = context.Cause(ctx)
			}
			j.item.Batch = r.batch
			if !yield(j.item, r.err) || r.err != nil {
				return
			}
		}
		if err := context.Cause(ctx); err != nil {
			yield(Item[B]{}, err)
		}
	}
}

// schedule sends the batches of the run to the workers, and to the consumer in order.
func (l *Loader[B]) schedule(ctx context.Context, ready, work chan<- job[B]) {
	defer close(ready)
	defer close(work)
	batches := l.Len()
	first := l.start.Batch
	for epoch := l.start.Epoch; epoch < l.epochs && batches > 0; epoch++ {
		for b := first; b < batches; b++ {
			j := l.job(epoch, b, batches)
			select {
			case ready <- j:
			case <-ctx.Done():
				return
			}
			select {
			case work <- j:
			case <-ctx.Done():
				return
			}
		}
		first = 0
	}
}

// job describes batch b of an epoch.
func (l *Loader[B]) job(epoch, b, batches int) job[B] {
	group, k := l.locate(epoch, b, batches)
	records := l.groupLen(group)
	var positions []int
	end := min((k+1)*l.size, l.perShard(records))
	for k *= l.size; k < end; k++ {
		if p := k*l.shards + l.shard; p < records {
			positions = append(positions, p)
		}
	}
	item := Item[B]{Rows: len(positions), Epoch: epoch, Index: b, EpochEnd: b == batches-1,
		Next: l.position(epoch, b+1)}
	if l.last == PadLast {
		for len(positions) < l.size {
			if item.Rows == 0 { // a part without a record in this batch
				positions = append(positions, 0)
				continue
			}
			positions = append(positions, positions[0])
		}
	}
	item.Size = len(positions)
	return job[B]{plan{epoch, group, item.Rows, positions}, item, make(chan result[B], 1)}
}

func (l *Loader[B]) work(ctx context.Context, work <-chan job[B]) {
	for j := range work {
		l.do(ctx, j)
	}
}

// do makes a batch. A function of the program that ends its goroutine, as FailNow of a test does, is an error.
func (l *Loader[B]) do(ctx context.Context, j job[B]) {
	r := result[B]{err: errors.New("data: a function that reads or collates records has ended its goroutine")}
	defer func() { j.done <- r }()
	r.batch, r.err = l.make(ctx, j.plan)
}

// Masked is a batch with a weight for each of its records: 1, or 0 for padding.
type Masked[B any] struct {
	Batch  B
	Weight nx.Tensor // f32[size]
}

// Weighted is a loader of the batches of a loader with weights, by which losses and metrics leave the padding of
// [PadLast] out.
func Weighted[B any](l *Loader[B]) *Loader[Masked[B]] {
	w := &Loader[Masked[B]]{options: l.options, records: l.records, start: l.start, weighted: true}
	w.make = func(ctx context.Context, p plan) (Masked[B], error) {
		b, err := l.make(ctx, p)
		if err != nil {
			return Masked[B]{Batch: b}, err
		}
		weights := make([]float32, len(p.positions))
		for i := range p.rows {
			weights[i] = 1
		}
		weight := nx.FromSlice(weights, nx.Shape{len(weights)})
		if l.device != nil {
			weight, err = nx.Transfer(weight, l.device)
		}
		return Masked[B]{b, weight}, err
	}
	return w
}
