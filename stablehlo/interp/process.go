package interp

// process is one of the programs of interpreter.run_parallel.
type process struct {
	replica, partition uint32
}
