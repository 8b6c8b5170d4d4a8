// Package learning has the test of layers, losses, optimisers, schedules, metrics and models against recorded cases of
// other libraries.
package learning
