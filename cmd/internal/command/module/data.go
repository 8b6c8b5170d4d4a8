package main

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/random"
)

const classes = 3

// records are points on three arms of a spiral, with the number of the arm. Put your own here: package data reads CSV,
// JSON lines, folders of images, tars and tensors.
func records(n int) (training, test data.Source[batch], err error) {
	y := random.RandInt(random.Key(1), 0, classes, nx.Shape{n}, nx.S32)
	r := random.Uniform(random.Key(2), 0.1, 1, nx.Shape{n}, nx.F32)
	angle := nx.Add(nx.Mul(r, 4), nx.Mul(y, float32(2*math.Pi/classes)))
	x := nx.Stack([]nx.Tensor{nx.Mul(r, nx.Cos(angle)), nx.Mul(r, nx.Sin(angle))}, nx.Axis(1))
	all, err := data.Rows(batch{x, y})
	if err != nil {
		return nil, nil, err
	}
	training, test = data.Split(all, n/5, 1)
	return training, test, nil
}
