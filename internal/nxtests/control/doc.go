// Package control has the tests of package nx that are about control flow: conditionals, loops, scans.
package control
