// Package rt is what CPU kernels run on: a pool of workers, reusable buffers
// and a cancel flag, gathered in an [Env] that lives as long as one execution.
//
// The rules that keep results independent of the machine:
//
//   - the caller cuts the work into chunks, by shape alone and never by the
//     number of workers; a chunk writes only what is its own,
//   - a chunk may use scratch memory numbered by its worker, but what it leaves
//     there must not influence another chunk's result.
//
// Under these rules one worker and sixty-four give the same bits.
//
// It also holds the machine code of executables ([CodeArena]) and calls it ([Function.Call]).
package rt
