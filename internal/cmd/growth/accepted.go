package main

import "strings"

// accepted lists the places whose statements may run more often than in proportion to the program: parts of their
// folders, or functions, and of the names of families. Of 2,400 ops none takes more than some 10 ms.
var accepted = []struct{ place, family, reason string }{
	{"", "nested", "ops are walked once for each region around them, of which the parser accepts 200"},
	{"", "halving uses", readers}, {"", "distant uses", readers},
	{"", "wide", "scalar code looks up each of its operands"},
	{", in packBySize", "", packing}, {", in *temp.end", "", packing},
	{", in lives.Less", "", packing}, {", in lives.Swap", "", packing},
	{", in *planner.mergeInto", "", "kernels are compared with the neighbours that they may merge with"},
	{", in *Kernel.Replaces", "", "each result of a kernel is compared with its parameters"},
	{", in *cluster.find", "chain of stablehlo.clamp", "the ops of a cluster are searched for one more"},
	{", in Index", "operands of", "an operand is searched among the others"},
	{", in Index", "state of a loop", "an operand is searched among the others"},
	{"/amd64/", "chain of", "long kernels begin to spill at some size"},
	{"", "chain of stablehlo.convolution", "not explained yet: 6 million runs for 2,400 convolutions in a batch"},
}

const (
	packing = "temporaries are compared with each other, up to 4,096 of them"
	readers = "a kernel's readers are looked up again for each candidate to merge"
)

// isAccepted reports whether a place, "folder/file:line, in function", of a family is in the list.
func isAccepted(place, family string) bool {
	for _, a := range accepted {
		if strings.Contains(place, a.place) && strings.Contains(family, a.family) {
			return true
		}
	}
	return false
}
