package main

import "strings"

// accepted lists the positions whose statements may run more than proportionally to the size of the
// program: parts of their directories or functions, and of the names of families. Of 2,400 ops none
// takes more than about 10 ms.
var accepted = []struct{ place, family, reason string }{
	{"", "nested", "ops are walked once per enclosing region; the parser accepts 200"},
	{"", "halving uses", readers}, {"", "distant uses", readers},
	{"", "wide", "scalar code searches each of its operands"},
	{", in packBySize", "", packing}, {", in *temp.end", "", packing},
	{", in lives.Less", "", packing}, {", in lives.Swap", "", packing},
	{", in *planner.mergeInto", "", "kernels are compared with the neighbours they could merge with"},
	{", in *Kernel.Replaces", "", "each result of a kernel is compared with its parameters"},
	{", in *cluster.find", "chain of stablehlo.clamp", "the ops of a cluster are searched for another one"},
	{", in Index", "operands of", "an operand is searched among the others"},
	{", in Index", "state of a loop", "an operand is searched among the others"},
	{"/amd64/", "chain of", "long kernels begin to spill at some size"},
	{"", "chain of stablehlo.convolution", "unexplained: 6 million runs for 2,400 convolutions in a batch"},
}

const (
	packing = "temporaries are compared with each other, up to 4,096 of them"
	readers = "a kernel's readers are looked up again for each candidate to merge"
)

// isAccepted reports whether a position, "folder/file:line, in function", of a family is in the
// list.
func isAccepted(place, family string) bool {
	for _, a := range accepted {
		if strings.Contains(place, a.place) && strings.Contains(family, a.family) {
			return true
		}
	}
	return false
}
