package data_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
)

// randomLengths are numbers from 1 to 40.
func randomLengths(n int) []int {
	r := rand.New(rand.NewPCG(1, 2))
	lengths := make([]int, n)
	for i := range lengths {
		lengths[i] = 1 + r.IntN(40)
	}
	return lengths
}

func bucketOf(bounds []int, length int) int {
	return slices.IndexFunc(bounds, func(b int) bool { return length <= b })
}

// Each record is in one batch of an epoch, of its bucket, whatever the number of parts and what becomes of short
// batches.
func TestBuckets(t *testing.T) {
	bounds := []int{8, 16, 17, 40}
	for _, n := range []int{1, 5, 200} {
		lengths := randomLengths(n)
		for _, shards := range []int{1, 3} {
			for _, last := range []data.Option{data.KeepLast, data.PadLast, data.DropLast} {
				if last == data.KeepLast && shards > 1 {
					continue
				}
				for _, shuffle := range []data.Option{nil, data.Shuffle(4)} {
					count := map[int]int{}
					var sequence []string // of the buckets of batches
					for shard := range shards {
						l := data.Weighted(data.Batches(ints(n), whole, data.Size(6), last, shuffle,
							data.Buckets(lengths, bounds...), data.Shard(shard, shards)))
						var text []string
						items := collect(t, l)
						if len(items) != l.Len() {
							t.Fatalf("%d batches, Len is %d", len(items), l.Len())
						}
						for i, item := range items {
							w := nx.Data[float32](item.Batch.Weight)
							bucket := bucketOf(bounds, lengths[item.Batch.Batch[0][0]])
							text = append(text, fmt.Sprint(bucket))
							if last != data.KeepLast && item.Size != 6 || item.EpochEnd != (i == len(items)-1) {
								t.Fatalf("batch %d: %d records, end %v", i, item.Size, item.EpochEnd)
							}
							for k, e := range item.Batch.Batch {
								if bucketOf(bounds, lengths[e[0]]) != bucket {
									t.Fatalf("a record of length %d in a batch of bucket %d", lengths[e[0]], bucket)
								}
								if w[k] == 1 {
									count[e[0]]++
								}
							}
						}
						if s := strings.Join(text, " "); sequence == nil {
							sequence = text
						} else if s != strings.Join(sequence, " ") {
							t.Fatalf("the parts have batches of the buckets %v and %v", text, sequence)
						}
					}
					for _, c := range count {
						if c != 1 {
							t.Fatalf("a record occurs %d times", c)
						}
					}
					if last != data.DropLast && len(count) != n || len(count) < n-6*shards*len(bounds) {
						t.Fatalf("%d of %d records", len(count), n)
					}
				}
			}
		}
	}
}

func TestBucketsResume(t *testing.T) {
	lengths := randomLengths(90)
	load := func(workers int, lengths []int, bounds ...int) *data.Loader[[][2]int] {
		return data.Batches(ints(90), whole, data.Size(8), data.Shuffle(9), data.Epochs(3), data.PadLast,
			data.Buckets(lengths, bounds...), data.Workers(workers))
	}
	l := load(1, lengths, 10, 40)
	all := collect(t, l)
	if !reflect.DeepEqual(all, collect(t, load(7, lengths, 10, 40))) {
		t.Error("batches depend on the number of workers")
	}
	if epoch := l.Len(); reflect.DeepEqual(all[0].Batch, all[epoch].Batch) && reflect.DeepEqual(all[1].Batch,
		all[epoch+1].Batch) {
		t.Error("two epochs have one order")
	}
	for i := range all[:len(all)-1] {
		from, err := l.From(all[i].Next)
		if err != nil {
			t.Fatal(err)
		}
		if got := collect(t, from); !reflect.DeepEqual(got, all[i+1:]) {
			t.Fatalf("after batch %d: other batches", i)
		}
	}
	other := slices.Clone(lengths)
	other[3] = 41 - other[3]
	for what, l := range map[string]*data.Loader[[][2]int]{
		"bounds": load(1, lengths, 11, 40), "lengths": load(1, other, 10, 40),
		"none": data.Batches(ints(90), whole, data.Size(8), data.Shuffle(9), data.Epochs(3), data.PadLast),
	} {
		if _, err := l.From(all[1].Next); err == nil || !strings.Contains(err.Error(), "the buckets") {
			t.Errorf("other %s: %v", what, err)
		}
	}
}

func TestBucketsErrors(t *testing.T) {
	for want, opts := range map[string][]data.Option{
		"there are 2 lengths of 3 records":                      {data.Buckets([]int{1, 2}, 8)},
		"record 1 has length 9, the bounds are [8]":             {data.Buckets([]int{1, 9, 2}, 8)},
		"record 2 has length -1":                                {data.Buckets([]int{1, 9, -1}, 8, 9)},
		"the bounds [8 8] must be positive and increase":        {data.Buckets([]int{1, 2, 3}, 8, 8)},
		"there must be a bound":                                 {data.Buckets([]int{1, 2, 3})},
		"all have the same batches by DropLast or PadLast only": {data.Buckets([]int{1, 2, 3}, 8), data.Shard(0, 2)},
	} {
		func() {
			defer func() {
				if e, ok := recover().(*nx.Error); !ok || !strings.Contains(e.Error(), want) {
					t.Errorf("got %v, want %q", e, want)
				}
			}()
			data.Batches(ints(3), whole, opts...)
			t.Errorf("no error, want %q", want)
		}()
	}
	stack := data.PadStack(func(x nx.Tensor) int { return x.Shape()[0] },
		func(x nx.Tensor, n int) nx.Tensor { return data.PadRows(x, n, -1) }, 2, 4)
	if _, err := stack([]nx.Tensor{nx.New([]int32{1}), nx.New([]int32{1, 2, 3, 4, 5})}); err == nil ||
		!strings.Contains(err.Error(), "record 1 of the batch has length 5, the bounds are [2 4]") {
		t.Error(err)
	}
}

func TestPadRows(t *testing.T) {
	for _, d := range []nx.DType{nx.F32, nx.BF16, nx.S8, nx.S64} {
		x := nx.Cast(nx.New([][]float32{{1, 2}, {3, 4}}), d)
		want := nx.Cast(nx.New([][]float32{{1, 2}, {3, 4}, {-1, -1}}), d)
		if got := data.PadRows(x, 3, -1); !nx.ArrayEqual(got, want) || got.DType() != d {
			t.Error(got)
		}
	}
}

// Padded and Fills say whether batches have records that fill them.
func TestFills(t *testing.T) {
	for _, c := range []struct {
		n    int
		opts []data.Option
		want bool
	}{
		{12, []data.Option{data.PadLast}, false},
		{13, []data.Option{data.PadLast}, true},
		{13, []data.Option{data.DropLast}, false},
		{13, nil, false},
		{12, []data.Option{data.PadLast, data.Shard(0, 2)}, true},
		{16, []data.Option{data.PadLast, data.Shard(0, 2)}, false},
		{12, []data.Option{data.PadLast, data.Buckets(make([]int, 12), 1, 2)}, false},
		{12, []data.Option{data.PadLast, data.Buckets(append(make([]int, 11), 2), 1, 2)}, true},
	} {
		l := data.Batches(ints(c.n), whole, append(c.opts, data.Size(4))...)
		w := data.Weighted(l)
		if l.Fills() != c.want || l.Padded() != c.want || w.Padded() || w.Fills() != c.want {
			t.Errorf("%d records, %v: %v, want %v", c.n, c.opts, l.Fills(), c.want)
		}
	}
}
