// Package portable executes kernels in plain Go: each instruction is a loop
// over a tile of about a thousand elements that stays in the first-level
// cache, so that a fused chain is never materialised. It is the fallback of
// every platform and the oracle of the machine-code tiers.
//
// Work is split into chunks that depend on the kernel alone, never on the
// number of workers, and reductions fold in an order that depends on the
// kernel alone, so that results are the same bits however many workers run.
//
// The order of a reduction: the reduced space, in row-major order, is cut into
// blocks of fixed length; a block is folded tile by tile; the partial results
// of the blocks are folded from first to last; the initial value comes first.
// Within a tile a sum runs over eight interleaved lanes that are then added
// pairwise, and the tiles of a block are added pairwise; other folds pair
// neighbours.
package portable
