package main

import (
	"context"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/examples/internal/digits"
)

// classes is the number of classes of a task; a task's classes are first, first + 1, ….
const classes = 5

// images returns at most n digits of each class of a task.
func images(s data.Source[digits.Digit], first int32, n int) data.Source[digits.Digit] {
	var list []digits.Digit
	count := map[int32]int{}
	for i := range s.Len() {
		d, _ := s.At(context.Background(), i, nil) // of memory, so without errors
		if d.Class -= first; d.Class >= 0 && d.Class < classes && count[d.Class] < n {
			list = append(list, d)
			count[d.Class]++
		}
	}
	return data.Slice(list)
}

func collate(list []digits.Digit) (batch, error) {
	x := data.Column(list, func(d digits.Digit) []float32 { return d.Pixels })
	return batch{nx.Reshape(x, len(list), 1, digits.Side, digits.Side),
		data.Column(list, func(d digits.Digit) int32 { return d.Class })}, nil
}
