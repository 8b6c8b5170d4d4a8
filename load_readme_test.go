package nx_test

import (
	"context"
	"fmt"
	"log"

	"github.com/go-nx/nx"
)

// README.md shows the body of this function; a test of cmd/internal/command compares them.
func Example_load() {
	m, err := nx.Load("examples/stablehlo/softmax.mlir")
	if err != nil {
		log.Fatal(err) // with file, line, column and a caret below the place
	}
	fmt.Println(m)

	results, err := m.Call(context.Background(), nx.New([][]float32{{1, 2, 3}, {0, 0, 10}}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(results[0])
	// Output:
	// examples/stablehlo/softmax.mlir(x f32[2][3]) → out0 f32[2][3]
	// f32[2][3]
	// [
	//   [ 0.090030566,   0.24472846,    0.6652409],
	//   [4.539581e-05, 4.539581e-05,   0.99990916]
	// ]
}
