// Command minimal adds two numbers and prints the sum: what the smallest program has of this module, for the tests of
// its size and of its start.
package main

import (
	"fmt"

	"github.com/go-nx/nx"
)

func main() { fmt.Println(nx.Add(nx.New([]float32{1, 2}), 3)) }
