// Package effects has the tests of package nx that are about what a program does beside
// computing tensors: hooks, calls of Go functions at run time, streams, telemetry, profiles.
package effects
