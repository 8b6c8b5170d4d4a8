package vet_test

import (
	"fmt"

	"github.com/go-nx/nx/vet"
)

// A driver of one's own: multichecker.Main(vet.Analyzers()...).
func ExampleAnalyzers() {
	for _, a := range vet.Analyzers() {
		fmt.Println(a.Name)
	}
	// Output:
	// nxdivision
	// nxloop
	// nxbound
	// nxcaptured
	// nxgradient
	// nxdefinition
}
