package interp_test

import (
	"context"
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

func ExampleInterpreter_Call() {
	m, err := stablehlo.Parse("double.mlir", []byte(`
		func.func @double(%x: tensor<?xi32>) -> tensor<?xi32> {
			%0 = stablehlo.add %x, %x : tensor<?xi32>
			return %0 : tensor<?xi32>
		}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	it, err := interp.New(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := interp.NewTensor(stablehlo.Tensor(dtype.S32, 3), []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := it.Call(context.Background(), "double", x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(results[0])
	// Output:
	// tensor<3xi32> {
	//   [2, 4, 6]
	// }
}
