// Package definitions has what defn makes of the definitions in package defs: the tests compare its functions with
// calls of package nx written by hand, and with the definitions themselves on single numbers.
package definitions
