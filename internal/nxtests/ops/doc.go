// Package ops has the tests of package nx that are about what functions compute, by element
// type: elementwise functions, reductions, products, orders, losses.
package ops
