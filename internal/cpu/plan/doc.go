// Package plan decides how the loops of a kernel run, from the kernel only: which dimensions are
// merged, what tiles run over, how a reduction is split into blocks and lanes and in which order it
// is combined, and which pieces may run in parallel.
//
// A [Plan] is data. Code generators follow it, so that results have the same bits in every tier,
// for any vector width and any number of workers. "nx inspect --stage plan" prints it, and
// [Plan.Check] proves, without the planner's code, that it computes the kernel.
//
// The order of a reduction. The reduced space, in row-major order, is split into blocks of
// fixed length, a block into tiles. A sum of floats adds the elements of a tile into 256 bytes of lanes:
// each quarter of the tile into 64 bytes, elements round-robin. Groups of [GroupTiles] tiles add
// into the same lanes. The lanes of the groups of a block are added pairwise, then the upper half
// of the lanes to the lower one until one is left, and the sums of the blocks pairwise. Products of
// floats are reduced like sums, from lanes of 1, and complex numbers by any operation, in as many
// lanes as their parts would have: of two lanes the upper one, of two groups the later one is the
// first operand. The initial value is the first operand, once. Rows of at most [ShortRow] elements are
// added in order instead, from the first lane on.
//
// While tiles run over the results, a product multiplies rows in order, as does the maximum of
// complex numbers, and a sum adds rows in groups of [GroupRows], and the groups in order: both in
// blocks of a fixed number of rows, whatever the number of results. An argmax has the same result for
// any grouping. Other reductions whose order matters combine neighbours of a tile until one is left,
// and tiles and blocks in order.
//
// What tiles run over depends on the number of results only where it changes no bits, and in long
// reductions by several operations. So the result of a row does not depend on the number of rows.
package plan
