// Package shard runs functions on the devices of a mesh: tensors are cut along named axes of the mesh, and collective
// ops exchange what the devices have.
//
// [Map] runs a function once per device on parts, with the collectives that it calls; [Jit] compiles a function on
// whole
// tensors, which the compiler of package xla partitions by the shardings of arguments and results. Shapes of parts are
// those of the tensors divided by the sizes of the mesh's axes.
//
// Read next: docs/xla.md for devices of several processes.
package shard
