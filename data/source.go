package data

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/tree"
)

// Source is a set of records with random access. It is called from several goroutines at once.
type Source[E any] interface {
	// Len is the number of records.
	Len() int
	// At reads record i. Random numbers, for augmentation, come from r, which depends on the seed of the loader, the
	// epoch and i.
	At(ctx context.Context, i int, r *rand.Rand) (E, error)
}

type slice[E any] []E

func (s slice[E]) Len() int                                             { return len(s) }
func (s slice[E]) At(_ context.Context, i int, _ *rand.Rand) (E, error) { return s[i], nil }

// Slice is a source of the elements of a slice.
func Slice[E any](records []E) Source[E] { return slice[E](records) }

type funcSource[E any] struct {
	n  int
	at func(ctx context.Context, i int, r *rand.Rand) (E, error)
}

func (s funcSource[E]) Len() int { return s.n }
func (s funcSource[E]) At(ctx context.Context, i int, r *rand.Rand) (E, error) {
	return s.at(ctx, i, r)
}

// Func is a source of n records that a function reads.
func Func[E any](n int, at func(ctx context.Context, i int, r *rand.Rand) (E, error)) Source[E] {
	return funcSource[E]{n, at}
}

// Map is a source of the results of f for the records of a source.
func Map[E, F any](s Source[E], f func(record E, r *rand.Rand) (F, error)) Source[F] {
	return Func(s.Len(), func(ctx context.Context, i int, r *rand.Rand) (F, error) {
		e, err := s.At(ctx, i, r)
		if err != nil {
			var none F
			return none, err
		}
		return f(e, r)
	})
}

// Subset is a source of some records of a source, in the order of their indices.
//
// Errors: [nx.ErrArgument] for an index that is not in the source.
func Subset[E any](s Source[E], indices []int) Source[E] {
	for _, i := range indices {
		if i < 0 || i >= s.Len() {
			panic(diag.New(nx.ErrArgument, "Subset", "", "index %d is not in a source of %d records", i, s.Len()))
		}
	}
	return Func(len(indices), func(ctx context.Context, i int, r *rand.Rand) (E, error) {
		return s.At(ctx, indices[i], r)
	})
}

// Concat is a source of the records of several sources, one after another.
func Concat[E any](sources ...Source[E]) Source[E] {
	ends := make([]int, len(sources))
	n := 0
	for i, s := range sources {
		n += s.Len()
		ends[i] = n
	}
	return Func(n, func(ctx context.Context, i int, r *rand.Rand) (E, error) {
		k := 0
		for i >= ends[k] {
			k++
		}
		if k > 0 {
			i -= ends[k-1]
		}
		return sources[k].At(ctx, i, r)
	})
}

// Split divides a source at random into one for training and one for validation, which has n of the records. The same
// seed gives the same division.
//
// Errors: [nx.ErrArgument] for an n below 0 or above the number of records.
func Split[E any](s Source[E], n int, seed int64) (training, validation Source[E]) {
	size := s.Len()
	if n < 0 || n > size {
		panic(diag.New(nx.ErrArgument, "Split", "", "%d records cannot be taken of %d", n, size))
	}
	order := newPermutation(uint64(size), uint64(seed), splitEpoch)
	part := func(from, n int) Source[E] {
		return Func(n, func(ctx context.Context, i int, r *rand.Rand) (E, error) {
			return s.At(ctx, int(order.at(uint64(from+i))), r)
		})
	}
	return part(n, size-n), part(0, n)
}

// splitEpoch is the number by which the permutation of [Split] differs from those of epochs.
const splitEpoch = 1 << 63

// Rows is a source of the rows of the tensors of a container: record i has their parts i along the first axis.
//
// Errors: [nx.ErrShape] for tensors of different lengths, and scalars.
func Rows[P any](p P) (Source[P], error) {
	n := -1
	for path, t := range tree.Leaves(p) {
		if t.Rank() == 0 {
			return nil, diag.New(nx.ErrShape, "Rows", "give each tensor an axis of records", "%s is a scalar", path)
		}
		if m := t.Shape()[0]; n >= 0 && m != n {
			return nil, diag.New(nx.ErrShape, "Rows", "", "%s has %d rows, the tensors before have %d", path, m, n)
		}
		n = t.Shape()[0]
	}
	if n < 0 {
		return nil, diag.New(nx.ErrContainer, "Rows", "", "the container has no tensors")
	}
	list := leafBytes(p)
	return Func(n, func(_ context.Context, i int, _ *rand.Rand) (P, error) {
		if i < 0 || i >= n {
			var none P
			return none, fmt.Errorf("row %d of %d", i, n)
		}
		k := 0
		return tree.Map(func(t nx.Tensor) nx.Tensor {
			data, shape := list[k], t.Shape()[1:]
			k++
			size := len(data) / n
			return nx.FromBytes(data[i*size:(i+1)*size], shape, t.DType())
		}, p), nil
	}), nil
}

// leafBytes are the elements of the tensors of a container.
func leafBytes(p any) (list [][]byte) {
	for _, t := range tree.Leaves(p) {
		list = append(list, nx.Bytes(t))
	}
	return list
}
