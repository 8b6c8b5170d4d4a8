// Package portable reads and writes programs as others keep them: VHLO, the
// versioned form of StableHLO, in MLIR bytecode. Artifacts of every version from
// 0.9.0 on are read, and written.
//
//	m, err := portable.Read("model.bc", data)      // offset and reason in the error
//	err = m.Verify()
//	err = portable.Write(w, m, portable.WriteOptions{Version: stablehlo.Version{Major: 1, Minor: 9}})
//
// VHLO has every version of every op; [Read] brings what is old to the current
// version, and [Write] takes what is new back as far as it means the same. What a
// version cannot say is an error that names it. Ops of CHLO and of the sharding
// dialect sdy stand beside those of VHLO, with casts between; bytecode of StableHLO
// itself, which no version protects, is read too.
//
// What is written is, byte for byte, what StableHLO's own tools write for the same
// program: the tables are numbered as theirs are, and even the order of uses of a
// value, which means nothing, is the one that their passes leave.
//
// Facts: docs/vhlo.md and docs/bytecode.md of openxla/stablehlo, VhloOps.td, and
// "MLIR Bytecode Format" of the MLIR documentation. ops.go holds the table of
// versions; read.go and write.go are where to start reading.
package portable
