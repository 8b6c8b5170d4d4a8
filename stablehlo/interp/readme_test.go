package interp_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// README.md shows the body of this function; a test of cmd/nx compares them.
func Example_readme() {
	m, err := stablehlo.Parse("norm.mlir", []byte(`
		func.func @norm(%x: tensor<?xf32>) -> tensor<f32> {
		  %zero = stablehlo.constant dense<0.0> : tensor<f32>
		  %squares = stablehlo.multiply %x, %x : tensor<?xf32>
		  %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0]
		    : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
		  %norm = stablehlo.sqrt %sum : tensor<f32>
		  return %norm : tensor<f32>
		}`))
	if err != nil {
		log.Fatal(err) // with file, line, column and a caret below the place
	}
	program, err := interp.New(m) // verifies m
	if err != nil {
		log.Fatal(err)
	}

	data := make([]byte, 8)
	binary.LittleEndian.PutUint32(data[0:], math.Float32bits(3))
	binary.LittleEndian.PutUint32(data[4:], math.Float32bits(4))
	x, err := interp.NewTensor(stablehlo.Tensor(dtype.F32, 2), data)
	if err != nil {
		log.Fatal(err)
	}
	results, err := program.Call(context.Background(), "norm", x)
	if err != nil {
		log.Fatal(err)
	}
	norm := results[0].(*interp.Tensor)
	fmt.Println(norm.Type, dtype.F32.LoadFloat(norm.Data, 0))
	// Output: tensor<f32> 5
}
