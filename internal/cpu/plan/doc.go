// Package plan decides how the loops of a kernel run, from the kernel alone: which
// dimensions are walked as one, what tiles run over, how a reduction is cut into blocks
// and lanes and in which order it adds them up, and which pieces may run side by side.
//
// A [Plan] is data. Code generators obey it, so that results have the same bits in
// every tier, whatever the width of its vectors, and for any number of workers; it is
// printed by "nx inspect --stage plan", and [Plan.Check] proves, without the code that
// made it, that it computes what the kernel says.
//
// The order of a reduction: the reduced space, in row-major order, is cut into blocks of fixed length,
// a block into tiles. A sum of floats adds the elements of a tile into lanes, 256 bytes of them: each
// quarter of the tile into 64 bytes, element after element in turn. Groups of [GroupTiles] tiles add
// into the same lanes; the lanes of the groups of a block are added two and two, then the upper half
// of the lanes to the lower one until one is left, and the sums of the blocks two and two. Products of
// floats are folded as sums are, from lanes of 1, and complex numbers by any operation, in as many lanes
// as their parts would have: of two lanes the upper one, of two groups the later one comes first. The
// initial value comes first of all, once. While tiles run over the results, a product is of rows in order,
// as is the greatest of complex numbers, and a sum adds up rows in groups of [GroupRows], and the groups
// in order. Picks have the same result however their sequence is grouped. Other folds that are not the
// same in any order combine neighbours of a tile until one is left, and tiles and blocks in order.
package plan
