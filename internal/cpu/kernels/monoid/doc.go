// Package monoid has associative operations with an identity, and the algorithms that combine elements by one: scans
// and reductions of windows.
//
// Results do not depend on the number of workers: each sum has one fixed order, which the algorithm's comment states.
package monoid
