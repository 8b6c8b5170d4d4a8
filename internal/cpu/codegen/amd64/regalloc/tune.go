package regalloc

// The thresholds of the package, each with its unit and its reason.
const (
	// At most maxIdle buffers of instructions are kept, none with a capacity of more than maxIdleInsts. Guard
	// against memory.
	maxIdle      = 8
	maxIdleInsts = 4096
)
