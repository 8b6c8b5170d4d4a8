// Package nx has the test that makes the recorded calls of Nx, and the rules by which our results may differ.
package nx
