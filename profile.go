package nx

import "github.com/go-nx/nx/internal/core"

// LineTime is the time that was spent on lines of a program: several where the compiler made
// one loop of what they compute.
type LineTime = core.LineTime

// Profile is where the time of a program went, see [ProfileLines].
type Profile = core.Profile

// ProfileLines runs f and tells on which lines of the program the time of tensors was spent:
// those that call functions of this package, in compiled functions, too.
//
//	fmt.Print(nx.ProfileLines(func() { params = step(params, batch) }))
//
// Where the compiler fused what several lines compute, they share a row. What other
// goroutines compute meanwhile counts as well, also where those make a profile, too.
// Only the compiler of this module tells the lines of compiled functions: the time of other
// backends is that of the call. Run the function once before, so that it is compiled.
func ProfileLines(f func()) Profile {
	return core.ProfileLines(f)
}
