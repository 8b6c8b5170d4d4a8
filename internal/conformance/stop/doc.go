// Package stop has the tests of programs and compilations that are cancelled at any moment.
package stop
