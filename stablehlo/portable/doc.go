// Package portable reads and writes programs in a stable serialised form: VHLO, the versioned form of
// StableHLO, in MLIR bytecode. It reads and writes artifacts of every version from 0.9.0 on.
//
//	m, err := portable.Read("model.bc", data)      // offset and reason in the error
//	err = m.Verify()
//	err = portable.Write(w, m, portable.WriteOptions{Version: stablehlo.Version{Major: 1, Minor: 9}})
//
// VHLO has every version of every op; [Read] upgrades old ops to the current version, and [Write] downgrades
// new ones if the meaning stays the same. An op that the target version cannot express is an error that names
// it. Ops of CHLO and of the sharding dialect sdy are kept in their dialects, with casts to and from VHLO;
// bytecode of StableHLO itself, which has no compatibility guarantee, is read too.
//
// The output is, byte for byte, that of StableHLO's own tools for the same program: the tables are numbered as
// theirs are, and even the order of uses of a value, which has no meaning, is the one that their passes leave.
//
// Facts: the pages vhlo.md and bytecode.md of openxla/stablehlo, VhloOps.td, and
// "MLIR Bytecode Format" of the MLIR documentation. ops.go holds the table of
// versions; read.go and write.go are where to start reading.
package portable
