package data

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Option is an option of [Batches].
type Option interface{ option(*options) }

type options struct {
	size, workers, ahead, epochs int
	shuffle                      bool
	seed                         int64
	last                         lastOption
	shard, shards                int
	device                       nx.Device // or nil
	buckets                      *buckets  // or nil
}

type sizeOption int
type workersOption int
type aheadOption int
type epochsOption int
type shuffleOption int64
type shardOption struct{ i, n int }
type deviceOption struct{ d nx.Device }

// lastOption says what becomes of a last batch with too few records.
type lastOption int

const (
	// KeepLast makes a shorter last batch, the default.
	KeepLast lastOption = iota
	// DropLast leaves the last records of an epoch out.
	DropLast
	// PadLast fills the last batch with its first record, so that all batches have one shape, and a compiled step one
	// form. [Item.Rows] and [Weighted] say which records count.
	PadLast
)

// Size is the number of records of a batch, 32 without it.
func Size(n int) Option { return sizeOption(n) }

// Workers is the number of goroutines that make batches, by default the number of CPUs. It changes no result.
func Workers(n int) Option { return workersOption(n) }

// Ahead is the number of batches that are ready or in work before they are asked for, by default twice the number of
// workers.
func Ahead(n int) Option { return aheadOption(n) }

// Epochs is the number of times that the records are read, 1 without it.
func Epochs(n int) Option { return epochsOption(n) }

// Shuffle reads the records of each epoch in another random order, which the seed determines.
func Shuffle(seed int64) Option { return shuffleOption(seed) }

// To moves batches to a device when they are made, before they are asked for.
func To(d nx.Device) Option { return deviceOption{d} }

// Shard reads part i of n of each epoch: process i of n that train together. All parts have the same number of batches
// with [DropLast] or [PadLast]; with [KeepLast] their last batches may differ by a record.
func Shard(i, n int) Option { return shardOption{i, n} }

func (o sizeOption) option(p *options)    { p.size = atLeast("Size", int(o), 1) }
func (o workersOption) option(p *options) { p.workers = atLeast("Workers", int(o), 1) }
func (o aheadOption) option(p *options)   { p.ahead = atLeast("Ahead", int(o), 1) }
func (o epochsOption) option(p *options)  { p.epochs = atLeast("Epochs", int(o), 1) }
func (o shuffleOption) option(p *options) { p.shuffle, p.seed = true, int64(o) }
func (o lastOption) option(p *options)    { p.last = o }
func (o deviceOption) option(p *options)  { p.device = o.d }
func (o shardOption) option(p *options) {
	if o.n < 1 || o.i < 0 || o.i >= o.n {
		panic(diag.New(nx.ErrArgument, "Shard", "parts are numbered from 0", "there is no part %d of %d", o.i, o.n))
	}
	p.shard, p.shards = o.i, o.n
}

func (o shardOption) String() string { return fmt.Sprintf("part %d of %d", o.i, o.n) }

func atLeast(op string, n, least int) int {
	if n < least {
		panic(diag.New(nx.ErrArgument, op, "", "it must be at least %d, got %d", least, n))
	}
	return n
}
