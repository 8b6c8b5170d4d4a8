package data_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
)

// ints is a source of its indices, each with a random number.
func ints(n int) data.Source[[2]int] {
	return data.Func(n, func(_ context.Context, i int, r *rand.Rand) ([2]int, error) {
		return [2]int{i, int(r.Uint32())}, nil
	})
}

func whole(e [][2]int) ([][2]int, error) { return slices.Clone(e), nil }

func collect[B any](t *testing.T, l *data.Loader[B]) (items []data.Item[B]) {
	t.Helper()
	for item, err := range l.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, item)
	}
	return items
}

func TestOrderDoesNotDependOnWorkers(t *testing.T) {
	var want []data.Item[[][2]int]
	for _, workers := range []int{1, 2, 4, 16} {
		for _, ahead := range []int{1, 3, 64} {
			l := data.Batches(ints(103), whole, data.Size(10), data.Shuffle(3), data.Epochs(2), data.Workers(workers),
				data.Ahead(ahead))
			got := collect(t, l)
			if want == nil {
				want = got
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%d workers, %d ahead: other batches", workers, ahead)
			}
		}
	}
	if len(want) != 22 || want[10].Rows != 3 || !want[10].EpochEnd || reflect.DeepEqual(want[0].Batch, want[11].Batch) {
		t.Errorf("%d batches, the last of an epoch has %d rows", len(want), want[10].Rows)
	}
}

func TestResume(t *testing.T) {
	l := data.Batches(ints(57), whole, data.Size(8), data.Shuffle(9), data.Epochs(3), data.PadLast)
	all := collect(t, l)
	for i := range all[:len(all)-1] {
		from, err := l.From(all[i].Next)
		if err != nil {
			t.Fatal(err)
		}
		if got := collect(t, from); !reflect.DeepEqual(got, all[i+1:]) {
			t.Fatalf("after batch %d: other batches", i)
		}
	}
	end, err := l.From(all[len(all)-1].Next)
	if err != nil {
		t.Fatal(err)
	}
	if got := collect(t, end); len(got) != 0 {
		t.Errorf("%d batches after the end", len(got))
	}
}

func TestFromRefusesChanges(t *testing.T) {
	next := collect(t, data.Batches(ints(57), whole, data.Size(8)))[1].Next
	for want, l := range map[string]*data.Loader[[][2]int]{
		"the number of records was 57 where the run stopped, and is 58 now": data.Batches(ints(58), whole,
			data.Size(8)),
		"the size of batches was 8 where the run stopped, and is 9 now": data.Batches(ints(57), whole,
			data.Size(9)),
		"the seed was 0 where the run stopped, and is 1 now": data.Batches(ints(57), whole, data.Size(8),
			data.Shuffle(1)),
		"the number of parts was 1 where the run stopped, and is 2 now": data.Batches(ints(57), whole, data.Size(8),
			data.Shard(0, 2)),
	} {
		if _, err := l.From(next); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestShards(t *testing.T) {
	for _, n := range []int{1, 9, 64, 65, 71} {
		for _, shards := range []int{1, 2, 3, 8} {
			for _, last := range []data.Option{data.KeepLast, data.PadLast, data.DropLast} {
				count := map[int]int{}
				batches := map[int]bool{}
				for i := range shards {
					l := data.Weighted(data.Batches(ints(n), whole, data.Size(4), data.Shuffle(1),
						data.Shard(i, shards), last))
					items := collect(t, l)
					batches[len(items)] = true
					for _, item := range items {
						w := nx.Data[float32](item.Batch.Weight)
						for k, e := range item.Batch.Batch {
							if w[k] == 1 {
								count[e[0]]++
							}
						}
						if last == data.PadLast && len(item.Batch.Batch) != 4 {
							t.Fatalf("a padded batch has %d records", len(item.Batch.Batch))
						}
					}
				}
				for i, c := range count {
					if c != 1 {
						t.Errorf("n %d, %d parts, %v: record %d occurs %d times", n, shards, last, i, c)
					}
				}
				if last != data.DropLast && len(count) != n {
					t.Errorf("n %d, %d parts, %v: %d records", n, shards, last, len(count))
				}
				if last != data.KeepLast && len(batches) != 1 {
					t.Errorf("n %d, %d parts, %v: numbers of batches differ: %v", n, shards, last, batches)
				}
			}
		}
	}
}

func TestFailures(t *testing.T) {
	bad := func(fail func()) data.Source[int] {
		return data.Func(20, func(_ context.Context, i int, _ *rand.Rand) (int, error) {
			if i == 13 {
				fail()
				return 0, errors.New("no such file")
			}
			return i, nil
		})
	}
	sum := func(e []int) (int, error) { return len(e), nil }
	for want, l := range map[string]*data.Loader[int]{
		"data: record 13: no such file": data.Batches(bad(func() {}), sum, data.Size(4)),
		"data: record 13: panic while reading it: broken": data.Batches(bad(func() { panic("broken") }), sum,
			data.Size(4)),
		"panic while collating the batch: runtime error": data.Batches(data.Slice([]int{1}),
			func(e []int) (int, error) { return e[7], nil }),
	} {
		n := 0
		var got error
		for _, err := range l.All(t.Context()) {
			n++
			got = err
		}
		if got == nil || !strings.Contains(got.Error(), want) {
			t.Errorf("after %d batches: %v, want %q", n, got, want)
		}
	}
}

// A function that ends its goroutine does not let the loop wait for ever.
func TestGoexit(t *testing.T) {
	l := data.Batches(data.Func(8, func(_ context.Context, i int, _ *rand.Rand) (int, error) {
		if i == 5 {
			runtime.Goexit()
		}
		return i, nil
	}), func(e []int) (int, error) { return len(e), nil }, data.Size(2), data.Workers(2))
	n := 0
	var last error
	for _, last = range l.All(t.Context()) {
		n++
	}
	if n != 3 || last == nil || !strings.Contains(last.Error(), "has ended its goroutine") {
		t.Errorf("after %d batches: %v", n, last)
	}
}

func TestRemaining(t *testing.T) {
	l := data.Batches(ints(20), whole, data.Size(8), data.Epochs(2))
	for i, item := range collect(t, l) {
		from, err := l.From(item.Next)
		if err != nil || from.Remaining() != 5-i {
			t.Errorf("after batch %d: %d batches, %v", i, from.Remaining(), err)
		}
	}
}

// TestNoGoroutineIsLeft: after a break, an error, the end of the context.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	l := data.Batches(ints(1000), whole, data.Size(1), data.Workers(16))
	for range 20 {
		for range l.All(t.Context()) {
			break
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		var last error
		n := 0
		for _, err := range l.All(ctx) {
			if n++; n == 5 {
				cancel(why)
			}
			last = err
		}
		cancel(nil)
		if !errors.Is(last, why) {
			t.Fatalf("got %v, want the cause of the context's end", last)
		}
	}
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i == 100 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestSources(t *testing.T) {
	at := func(s data.Source[int], i int) int {
		v, err := s.At(t.Context(), i, nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	a, b := data.Slice([]int{1, 2, 3}), data.Slice([]int{4, 5})
	both := data.Concat(a, data.Slice[int](nil), b)
	got := []int{}
	for i := range both.Len() {
		got = append(got, at(both, i))
	}
	if !slices.Equal(got, []int{1, 2, 3, 4, 5}) {
		t.Error(got)
	}
	training, validation := data.Split(both, 2, 1)
	got = nil
	for i := range training.Len() {
		got = append(got, at(training, i))
	}
	for i := range validation.Len() {
		got = append(got, at(validation, i))
	}
	slices.Sort(got)
	if training.Len() != 3 || !slices.Equal(got, []int{1, 2, 3, 4, 5}) {
		t.Error(got)
	}
	if v := at(data.Map(data.Subset(both, []int{4, 0}), func(e int, _ *rand.Rand) (int, error) { return 10 * e, nil }),
		0); v != 50 {
		t.Error(v)
	}
}

func TestStack(t *testing.T) {
	type record struct {
		X, Y nx.Tensor
		Name string
	}
	rows, err := data.Rows(record{nx.New([][]float32{{1, 2}, {3, 4}, {5, 6}}), nx.New([]int32{7, 8, 9}), "r"})
	if err != nil {
		t.Fatal(err)
	}
	items := collect(t, data.Batches(rows, data.Stack, data.Size(2)))
	if got, want := fmt.Sprint(items[0].Batch.X, items[1].Batch.Y), fmt.Sprint(nx.New([][]float32{{1, 2}, {3, 4}}),
		nx.New([]int32{9})); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	_, err = data.Stack([]nx.Tensor{nx.New([]float32{1}), nx.New([]float32{1, 2})})
	if err == nil || !strings.Contains(err.Error(), "record 1 of the batch is f32[2], that of the first is f32[1]") {
		t.Errorf("got %v", err)
	}
	if _, err := data.Rows(record{X: nx.New([]int32{1}), Y: nx.New([]int32{1, 2})}); err == nil {
		t.Error("rows of different lengths")
	}
}
