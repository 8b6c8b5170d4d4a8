// Package debug shows what programs of package nx do: hooks called with values of compiled functions, graphs as text,
// the time of each line, the memory in use and the lines that made it, whether a function is compiled already.
//
// [Hook] and [PrintValue] run inside of compiled functions, gradients and batches too; docs/effects.md lists how often.
package debug
