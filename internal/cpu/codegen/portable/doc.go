// Package portable executes kernels in plain Go: each instruction is a loop
// over a tile of about a thousand elements that stays in the first-level
// cache, so that a fused chain is never materialised. It is the fallback of
// every platform and the oracle of the machine-code tiers.
//
// It obeys the plan of a kernel (package plan): which pieces run side by side, what tiles
// run over and in which order sums add up, so that results are the same bits however many
// workers run and whichever tier they run in.
package portable
