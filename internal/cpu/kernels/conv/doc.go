// Package conv computes convolutions of any rank, layout, dilation and grouping by the products of package gemm, and
// depthwise ones directly. Errors and the order of sums are as there.
package conv
