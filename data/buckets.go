package data

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// buckets divides the records of a source by their lengths.
type buckets struct {
	lengths, bounds []int
	members         [][]int // the indices of each bucket's records, in order
	checksum        uint64
}

// Buckets makes batches of records of similar lengths, so that little of them is padding: a batch has records of one
// bucket, that of the smallest bound that is at least the length. lengths has that of each record, and bounds increase.
// [PadStack] fills the records of a batch to the bound of their bucket, so that there are as many shapes of batches,
// and compiled programs, as bounds.
//
// With [Shuffle] the records of each bucket and the batches of all buckets come in another random order in each epoch.
// Without it the buckets come one after another, with their records in order. Each bucket has a last batch that may be
// short, to which [KeepLast], [DropLast] or [PadLast] apply; with several parts of [Shard] one of the last two must.
//
// Errors, of [Batches]: [nx.ErrArgument] for a number of lengths that is not that of the records, a length above the
// last bound, and bounds that do not increase.
func Buckets(lengths []int, bounds ...int) Option {
	return &buckets{lengths: slices.Clone(lengths), bounds: slices.Clone(bounds)}
}

func (b *buckets) option(p *options) { p.buckets = b }

func bucketError(hint, format string, args ...any) *nx.Error {
	return diag.New(nx.ErrArgument, "Buckets", hint, format, args...)
}

// divided is b with the records of a source of n records in their buckets.
func (b *buckets) divided(n int) *buckets {
	b = &buckets{lengths: b.lengths, bounds: b.bounds, members: make([][]int, len(b.bounds))}
	if len(b.lengths) != n {
		panic(bucketError("", "there are %d lengths of %d records", len(b.lengths), n))
	}
	checkBounds("Buckets", b.bounds)
	sum := fnv.New64a()
	for i, length := range b.lengths {
		k, _ := slices.BinarySearch(b.bounds, length)
		if k == len(b.bounds) || length < 0 {
			panic(bucketError("give a higher last bound, or cut the records",
				"record %d has length %d, the bounds are %v", i, length, b.bounds))
		}
		b.members[k] = append(b.members[k], i)
		sum.Write(binary.AppendUvarint(nil, uint64(k)))
	}
	fmt.Fprint(sum, b.bounds)
	b.checksum = max(1, sum.Sum64())
	return b
}

// checkBounds refuses bounds that do not increase.
func checkBounds(op string, bounds []int) {
	for i, v := range bounds {
		if v < 1 || i > 0 && v <= bounds[i-1] {
			panic(diag.New(nx.ErrArgument, op, "", "the bounds %v must be positive and increase", bounds))
		}
	}
	if len(bounds) == 0 {
		panic(diag.New(nx.ErrArgument, op, "", "there must be a bound"))
	}
}

func (b *buckets) sum() uint64 {
	if b == nil {
		return 0
	}
	return b.checksum
}

// checkBuckets divides the records of the loader into buckets, where it has them.
func (l *Loader[B]) checkBuckets() {
	if l.buckets == nil {
		return
	}
	if l.shards > 1 && l.last == KeepLast {
		panic(bucketError("", "with several parts all have the same batches by DropLast or PadLast only"))
	}
	l.buckets = l.buckets.divided(l.records)
}

// groups is the number of groups of records of which batches are made: buckets, or one of all records.
func (l *Loader[B]) groups() int {
	if l.buckets == nil {
		return 1
	}
	return len(l.buckets.members)
}

func (l *Loader[B]) groupLen(g int) int {
	if l.buckets == nil {
		return l.records
	}
	return len(l.buckets.members[g])
}

// locate returns the group of batch b of an epoch, and its number among the batches of the group.
func (l *Loader[B]) locate(epoch, b, batches int) (group, k int) {
	if l.buckets == nil {
		return 0, b
	}
	if l.shuffle {
		order := newPermutation(uint64(batches), mix(uint64(l.seed)^batchOrder), uint64(epoch))
		b = int(order.at(uint64(b)))
	}
	for ; ; group++ {
		n := l.batches(l.groupLen(group))
		if b < n {
			return group, b
		}
		b -= n
	}
}

// batchOrder is the number by which the order of batches differs from that of records.
const batchOrder = 1 << 62

// indices are those of the records of a plan.
func (l *Loader[B]) indices(p plan) []int {
	list := slices.Clone(p.positions)
	if l.shuffle {
		key := uint64(l.seed)
		if l.buckets != nil {
			key = mix(key ^ uint64(p.group+1)<<32)
		}
		order := newPermutation(uint64(l.groupLen(p.group)), key, uint64(p.epoch))
		for k, i := range list {
			list[k] = int(order.at(uint64(i)))
		}
	}
	if l.buckets != nil {
		for k, i := range list {
			list[k] = l.buckets.members[p.group][i]
		}
	}
	return list
}

// Sequences is a batch of records of several lengths, filled to one.
type Sequences[B any] struct {
	Batch   B
	Lengths nx.Tensor // s32[size], of the records before they were filled
}

// Mask is 1 for what belongs to a record, and 0 for what fills it, of a width that the records of the batch have.
//
// Shapes: [size, width]. DTypes: bool.
func (s Sequences[B]) Mask(width int) nx.Tensor {
	return nx.Less(nx.Iota(nx.Shape{1, width}, nx.S32, nx.Axis(1)), nx.Reshape(s.Lengths, s.Lengths.Shape()[0], 1))
}

// PadStack returns a function that makes a batch of records of several lengths, for [Batches]: pad fills each of them,
// by [PadRows], to the smallest of the bounds that holds the longest one, and [Stack] makes a batch of them. The bounds
// are those of [Buckets]; they bound the number of shapes of batches without buckets too.
//
// The error names the record of the batch that is longer than the last bound.
func PadStack[E any](length func(record E) int, pad func(record E, n int) E, bounds ...int) func([]E) (Sequences[E],
	error) {
	checkBounds("PadStack", bounds)
	return func(records []E) (out Sequences[E], err error) {
		lengths := make([]int32, len(records))
		longest := 0
		for i, e := range records {
			n := length(e)
			if n > bounds[len(bounds)-1] {
				return out, fmt.Errorf("data: record %d of the batch has length %d, the bounds are %v: give a higher last "+
					"bound, or cut the records", i, n, bounds)
			}
			lengths[i] = int32(n)
			longest = max(longest, n)
		}
		k, _ := slices.BinarySearch(bounds, longest)
		padded := make([]E, len(records))
		for i, e := range records {
			padded[i] = pad(e, bounds[k])
		}
		if out.Batch, err = Stack(padded); err != nil {
			return out, err
		}
		out.Lengths = nx.FromSlice(lengths, nx.Shape{len(lengths)})
		return out, nil
	}
}

// PadRows returns a tensor with n rows along its first axis, of which those that it has not are filled with a value.
//
// Shapes: [m, …] to [n, …]. DTypes: all. Gradient: none. Errors: [nx.ErrShape] for a scalar, and for more than n rows.
func PadRows[V nx.Number](t nx.Tensor, n int, value V) nx.Tensor {
	if t.Rank() == 0 || t.Shape()[0] > n {
		panic(diag.New(nx.ErrShape, "PadRows", "", "%v%v cannot be filled to %d rows", t.DType(), t.Shape(), n))
	}
	shape := slices.Clone(t.Shape())
	shape[0] = n
	out := nx.Bytes(nx.Full(shape, value, t.DType()))
	copy(out, nx.Bytes(t))
	return nx.FromBytes(out, shape, t.DType())
}
