package stablehlo_test

import (
	"fmt"
	"log"
	"os"

	"github.com/go-nx/nx/stablehlo"
)

const addText = `
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %sum = stablehlo.add %x, %x : tensor<2xf32> loc("twice.py":3:8)
  return %sum : tensor<2xf32>
}
`

func ExampleParse() {
	m, err := stablehlo.Parse("twice.mlir", []byte(addText))
	if err != nil {
		log.Fatal(err)
	}
	for op := range m.Walk() {
		fmt.Println(op.Name())
	}
	// Output:
	// builtin.module
	// func.func
	// stablehlo.add
	// func.return
}

// A mistake is reported with its position.
func ExampleParse_error() {
	_, err := stablehlo.Parse("twice.mlir", []byte("func.func @main() {\n  return %x : tensor<2xf32>\n}"))
	fmt.Println(err)
	// Output:
	// twice.mlir:2:10: %x is not defined before this use
	//       return %x : tensor<2xf32>
	//              ^
}

func ExamplePrint() {
	m, err := stablehlo.Parse("twice.mlir", []byte(addText))
	if err != nil {
		log.Fatal(err)
	}
	for _, opts := range []stablehlo.PrintOptions{{Locations: true}, {Generic: true}} {
		if err := stablehlo.Print(os.Stdout, m, opts); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// module {
	//   func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
	//     %sum = stablehlo.add %x, %x : tensor<2xf32> loc(#loc1)
	//     return %sum : tensor<2xf32>
	//   }
	// }
	// #loc1 = loc("twice.py":3:8)
	// "builtin.module"() ({
	//   "func.func"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "main"}> ({
	//   ^bb0(%x: tensor<2xf32>):
	//     %sum = "stablehlo.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
	//     "func.return"(%sum) : (tensor<2xf32>) -> ()
	//   }) : () -> ()
	// }) : () -> ()
}

func ExampleParseType() {
	t, err := stablehlo.ParseType("tensor<2x?xbf16>")
	if err != nil {
		log.Fatal(err)
	}
	tensor := t.(*stablehlo.TensorType)
	fmt.Println(tensor.Rank(), tensor.DType(), tensor.IsStatic())
	// Output: 2 bf16 false
}
