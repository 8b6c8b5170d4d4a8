// Package api has the tests of package nx that are about its whole face: that every
// exported function is in the tables of tests and docs, has a comment and an example, and survives any arguments.
package api
