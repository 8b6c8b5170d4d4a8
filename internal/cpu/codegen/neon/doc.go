// Package neon translates machine code for AVX2 to machine code for AArch64 with NEON, so that one compiler, one
// register allocator and one library of steps serve both processors.
//
// The sixteen vector registers of AVX2 have 32 bytes, the thirty-two of NEON have 16: a vector becomes a pair, and each
// instruction two on its halves. The lanes of a reduction stay where they are, and with them the bits of its result.
// AVX2 is the vector instruction set of the compiler; this package is the legalisation for a processor of half its
// width:
//
//   - [Translate] decodes the code and divides it into basic blocks (block.go).
//   - Each block becomes nodes in static single assignment form, whose values are halves of vectors (node.go). A copy
//     of a register, or an exchange of halves, makes no node. General registers keep fixed numbers.
//   - Nodes whose values are never read are removed; the halves that are live between blocks are found by iteration
//     to a fixed point (live.go).
//   - A linear scan assigns registers to the values of a block, and moves those that are live after it to the register
//     of their half (allocate.go).
//
// The code computes the bits of the code it is made of, but NaNs may have another sign and payload, and the order of
// stores of masked elements is that of the lanes. It may change all general registers except SP, X18 and X28 to X30.
package neon
