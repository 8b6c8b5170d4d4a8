// Package order sorts lines of arrays stably, by keys or by a function.
package order
