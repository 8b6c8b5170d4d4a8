package autodiff_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

var checked = map[stablehlo.OpCode]bool{}

// covered records that derivatives of the ops of m are checked.
func covered(m *stablehlo.Module) {
	for op := range m.Walk() {
		checked[op.Code] = true
	}
}

// TestMain requires, after all tests, that each op with a nonzero derivative is in a program whose
// derivatives are checked, and each variety of it in one whose second derivatives are.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.fuzz").Value.String() == "" &&
		flag.Lookup("test.list").Value.String() == "" {
		for op, info := range stablehlo.Ops() {
			if autodiff.HasTangents(op) && !checked[op] {
				fmt.Printf("no test checks the derivative of %s\n", info.Name)
				code = 1
			}
		}
		for _, v := range unchecked() {
			fmt.Println(v)
			code = 1
		}
	}
	os.Exit(code)
}
