package learn

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// Fold divides samples in those to fit and those to test: their rows, s32.
type Fold struct{ Train, Test nx.Tensor }

// Split returns the rows of a tensor that are for training, and those for testing.
func (f Fold) Split(t nx.Tensor) (train, test nx.Tensor) {
	return nx.Take(t, f.Train), nx.Take(t, f.Test)
}

func foldError(i int, err error) error { return fmt.Errorf("fold %d: %w", i, err) }

// rows returns row numbers as a tensor.
func rows(r []int) nx.Tensor { return nx.New(r, nx.As(nx.S32)) }

// order returns 0…n-1, permuted by a key if there is one.
func order(n int, key nx.Tensor) []int {
	all := nx.Iota(nx.Shape{n}, nx.S32)
	if !key.IsZero() {
		all = random.Permutation(key, all, 0, false)
	}
	return nx.Data[int](all)
}

// TrainTest divides n samples by a key; share of them, rounded up, are for testing. An absent key leaves them in order,
// the last ones for testing. It is train_test_split of scikit-learn, whose share is 0.25.
//
// Errors: [nx.ErrArgument] where one of the parts is empty.
func TrainTest(n int, share float64, key nx.Tensor) Fold {
	test := n - int(float64(n)*(1-share)+1e-9)
	if !(share > 0 && share < 1) || test < 1 || test >= n {
		panic(diag.New(nx.ErrArgument, "TrainTest", "", "a share of %v of %d samples leaves one part empty", share, n))
	}
	all := order(n, key)
	return Fold{rows(all[:n-test]), rows(all[n-test:])}
}

// KFold divides n samples in k parts, each of which is for testing in one of the folds. A key permutes the samples
// first; an absent one leaves them in order. It is KFold of scikit-learn.
//
// Errors: [nx.ErrArgument] for fewer than 2 folds, or more than samples.
func KFold(n, k int, key nx.Tensor) []Fold {
	checkFolds("KFold", n, k)
	all := order(n, key)
	part := make([]int, n) // of each row
	for i, r := range all {
		// The first n mod k parts have one sample more.
		size, more := n/k, n%k
		if i < more*(size+1) {
			part[r] = i / (size + 1)
		} else {
			part[r] = more + (i-more*(size+1))/size
		}
	}
	return folds(part, k)
}

// StratifiedKFold is [KFold] with the shares of the classes in each part as near as can be to those in y. It is
// StratifiedKFold of scikit-learn.
//
// Shapes: y [samples], integers or bools. Errors: [nx.ErrArgument] for fewer than 2 folds, or a class of fewer samples.
func StratifiedKFold(y nx.Tensor, k int, key nx.Tensor) []Fold {
	const op = "StratifiedKFold"
	if y.Rank() != 1 {
		panic(diag.New(nx.ErrShape, op, "", "y must be [samples], got %v", y.Spec()))
	}
	n := y.Size()
	checkFolds(op, n, k)
	values, encoded := classes(op, y, y)
	index := nx.Data[int](encoded)
	// Classes are numbered as they come first, and the parts of a sorted y say how many of each class belong to each.
	number := map[int]int{}
	var of []int // the class of each number
	count := make([]int, values.Size())
	for _, c := range index {
		if _, seen := number[c]; !seen {
			number[c] = len(of)
			of = append(of, c)
		}
		count[c]++
	}
	for c, m := range count {
		if m < k {
			panic(diag.New(nx.ErrArgument, op, "take fewer folds", "class %d has %d samples for %d folds",
				nx.Item[int64](values.At(c)), m, k))
		}
	}
	left := make([][]int, values.Size()) // parts for the samples of a class, in order
	at := 0
	for _, c := range of {
		share := make([]int, k)
		for i := range count[c] {
			share[(at+i)%k]++
		}
		at += count[c]
		for p, m := range share {
			for range m {
				left[c] = append(left[c], p)
			}
		}
	}
	if !key.IsZero() {
		for i, c := range of {
			shuffled := order(len(left[c]), random.FoldIn(key, i))
			parts := make([]int, len(shuffled))
			for j, from := range shuffled {
				parts[j] = left[c][from]
			}
			left[c] = parts
		}
	}
	part := make([]int, n)
	for r, c := range index {
		part[r], left[c] = left[c][0], left[c][1:]
	}
	return folds(part, k)
}

func checkFolds(op string, n, k int) {
	if k < 2 || k > n {
		panic(diag.New(nx.ErrArgument, op, "", "%d samples cannot be divided in %d folds of 2 or more", n, k))
	}
}

// folds returns the folds of samples whose parts are given.
func folds(part []int, k int) []Fold {
	out := make([]Fold, k)
	for f := range k {
		var train, test []int
		for r, p := range part {
			if p == f {
				test = append(test, r)
			} else {
				train = append(train, r)
			}
		}
		out[f] = Fold{rows(train), rows(test)}
	}
	return out
}
