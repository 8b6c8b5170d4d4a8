package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/go-nx/nx"
)

// digitsCSV holds 1,797 handwritten digits, 8×8 grey values 0–16 row by row,
// then the class: the test part of "Optical Recognition of Handwritten Digits"
// (E. Alpaydin, C. Kaynak, UCI Machine Learning Repository, 1998, CC BY 4.0).
//
//go:embed digits.csv.gz
var digitsCSV []byte

const (
	pixels  = 64
	classes = 10
)

// dataset is images with grey values in [0, 1] and their classes.
type dataset struct {
	images []float32 // pixels each
	labels []int32
}

func (d dataset) len() int { return len(d.labels) }

// image returns the grey values of image i.
func (d dataset) image(i int) []float32 { return d.images[i*pixels : (i+1)*pixels] }

// loadDigits returns the digits in an order that depends on the seed, split
// into four fifths to learn from and one fifth to be tested on.
func loadDigits(seed uint64) (train, test dataset, err error) {
	z, err := gzip.NewReader(bytes.NewReader(digitsCSV))
	if err != nil {
		return train, test, err
	}
	rows, err := csv.NewReader(z).ReadAll()
	if err != nil {
		return train, test, err
	}
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(rows))
	for n, i := range order {
		part := &train
		if n >= len(rows)*4/5 {
			part = &test
		}
		for j, cell := range rows[i] {
			v, err := strconv.Atoi(cell)
			if err != nil {
				return train, test, fmt.Errorf("row %d, column %d: %w", i+1, j+1, err)
			}
			if j < pixels {
				part.images = append(part.images, float32(v)/16)
			} else {
				part.labels = append(part.labels, int32(v))
			}
		}
	}
	return train, test, nil
}

// batches calls visit with mini-batches in a new random order; images that do
// not fill a last batch are left out this time.
func (d dataset) batches(size int, r *rand.Rand, visit func(x, y nx.Tensor)) {
	order := r.Perm(d.len())
	for ; len(order) >= size; order = order[size:] {
		x, y := make([]float32, 0, size*pixels), make([]int32, 0, size)
		for _, i := range order[:size] {
			x = append(x, d.image(i)...)
			y = append(y, d.labels[i])
		}
		visit(nx.FromSlice(x, nx.Shape{size, pixels}), nx.FromSlice(y, nx.Shape{size}))
	}
}

// tensors returns the full set.
func (d dataset) tensors() (x, y nx.Tensor) {
	return nx.FromSlice(d.images, nx.Shape{d.len(), pixels}), nx.FromSlice(d.labels, nx.Shape{d.len()})
}
