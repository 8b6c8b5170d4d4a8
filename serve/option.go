package serve

import (
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"time"
)

// Option is an option of [Batch] and [Stream].
type Option func(*options)

type options struct {
	size, lanes int
	rows        int
	bytes       int64
	delay       time.Duration
	pad         []int
	whole       bool
	key         func(x any) any
	keyed       reflect.Type // of its argument
	logger      *slog.Logger
}

// Size is the largest number of rows in a batch, 32 by default. A larger request is computed in parts.
func Size(rows int) Option { return func(o *options) { o.size = rows } }

// Pad gives the numbers of rows that the function is compiled for; a batch is filled up with rows of zeros to the
// next of them. By default they are the powers of two up to [Size], and that. The last is at least [Size].
func Pad(rows ...int) Option { return func(o *options) { o.pad = slices.Clone(rows) } }

// Delay is how long a request waits for others while a lane is free and there are fewer than [Size] rows. By default it
// is 0: a batch is what came while the lane was busy.
func Delay(d time.Duration) Option { return func(o *options) { o.delay = d } }

// Queue is how many rows, and how many bytes of arguments, may wait: more are refused with [ErrOverloaded]. By default
// they are 32 batches of [Size], and 1 GiB.
func Queue(rows int, bytes int64) Option { return func(o *options) { o.rows, o.bytes = rows, bytes } }

// Lanes is how many batches are computed at a time, 1 by default. More are of use for functions that do not use all
// processors, or that choose one of several devices by [Lane].
func Lanes(n int) Option { return func(o *options) { o.lanes = n } }

// Key gives requests a key, a value that can be compared: those with other keys are in batches of their own, which take
// turns. Requests whose rows have other shapes are so anyway. X is that of the batcher, else [Batch] panics.
func Key[X any](f func(x X) any) Option {
	return func(o *options) {
		o.key, o.keyed = func(x any) any { return f(x.(X)) }, reflect.TypeFor[X]()
	}
}

// Logger is for warnings: batches that fail and are computed again request by request, and sizes that [Batcher.Warm]
// has not compiled. By default it is slog.Default.
func Logger(l *slog.Logger) Option { return func(o *options) { o.logger = l } }

// Whole computes requests one by one, as they are: for functions whose arguments have no common axis of rows. [Size],
// [Pad] and [Delay] have no effect, and [Queue] counts requests as rows.
func Whole() Option { return func(o *options) { o.whole = true } }

// read returns the options with their defaults. Misuse panics, as it is a mistake of the program.
func read(list []Option) options {
	o := options{size: 32, lanes: 1, bytes: 1 << 30}
	for _, f := range list {
		if f != nil {
			f(&o)
		}
	}
	if o.whole {
		o.size, o.pad, o.delay = 1, []int{1}, 0
	}
	if o.size < 1 || o.lanes < 1 || o.delay < 0 {
		panic(fmt.Errorf("serve: Size and Lanes are at least 1 and Delay is not negative, got %d, %d and %v", o.size, o.lanes,
			o.delay))
	}
	if o.rows == 0 {
		o.rows = 32 * o.size
	}
	if o.rows < o.size || o.bytes < 1 {
		panic(fmt.Errorf("serve: Queue(%d, %d) has no place for a batch of %d rows", o.rows, o.bytes, o.size))
	}
	if len(o.pad) == 0 {
		for n := 1; n < o.size; n *= 2 {
			o.pad = append(o.pad, n)
		}
		o.pad = append(o.pad, o.size)
	}
	slices.Sort(o.pad)
	if o.pad[0] < 1 || o.pad[len(o.pad)-1] < o.size {
		panic(fmt.Errorf("serve: Pad(%v) must be positive, and the last at least Size, %d", o.pad, o.size))
	}
	if o.logger == nil {
		o.logger = slog.Default()
	}
	return o
}

// padded returns the number of rows that a batch of n is filled up to.
func (o *options) padded(n int) int {
	i, _ := slices.BinarySearch(o.pad, n)
	return o.pad[i]
}
