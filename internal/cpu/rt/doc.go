// Package rt is the runtime of CPU kernels: a pool of workers, reusable buffers and a cancel flag, gathered in an [Env]
// for each execution.
//
// These rules keep results independent of the machine:
//
//   - the caller cuts the work into chunks by shape only, never by the number of workers; a chunk writes only its own
//     results,
//   - a chunk may use the scratch memory of its worker, whose old contents must not influence its result.
//
// Under these rules one worker and sixty-four give the same bits.
//
// It also holds the machine code of executables ([CodeArena]) and calls it ([Function.Call]).
package rt
