// Package portable executes kernels in plain Go: each instruction is a loop over a tile of about a thousand elements
// that stays in the first-level cache, so that a fused chain is never materialised. It is the fallback on every
// platform and the oracle of the machine-code tiers.
//
// It obeys the plan of a kernel (package plan): the pieces that run in parallel, the dimensions of tiles and the order
// of sums. So the result has the same bits for any number of workers and any tier.
package portable
