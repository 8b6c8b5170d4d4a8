// Package digits has the handwritten digits that several lessons learn from.
package digits

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	encodingcsv "encoding/csv"
	"fmt"
	"strconv"

	"github.com/go-nx/nx/data"
)

// csv holds 1,797 handwritten digits, 8×8 grey values 0–16 row by row, then the class: the test part of "Optical
// Recognition of Handwritten Digits" (E. Alpaydin, C. Kaynak, UCI Machine Learning Repository, 1998, CC BY 4.0).
//
//go:embed digits.csv.gz
var csv []byte

// Digit is an image of Side × Side grey values from 0 to 1, and its class.
type Digit struct {
	Pixels []float32
	Class  int32
}

// Side is the number of pixels of a side, and Classes that of classes.
const Side, Classes = 8, 10

// Load returns the digits, divided at random by a seed into four fifths to learn from and a fifth to be tested on.
func Load(seed int64) (training, test data.Source[Digit], err error) {
	z, err := gzip.NewReader(bytes.NewReader(csv))
	if err != nil {
		return nil, nil, err
	}
	rows, err := encodingcsv.NewReader(z).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	list := make([]Digit, len(rows))
	for i, row := range rows {
		values := make([]float32, len(row))
		for j, cell := range row {
			v, err := strconv.ParseFloat(cell, 32)
			if err != nil {
				return nil, nil, fmt.Errorf("row %d, column %d: %w", i+1, j+1, err)
			}
			values[j] = float32(v)
		}
		list[i].Class = int32(values[Side*Side])
		for _, v := range values[:Side*Side] {
			list[i].Pixels = append(list[i].Pixels, v/16)
		}
	}
	training, test = data.Split(data.Slice(list), len(list)/5, seed)
	return training, test, nil
}
