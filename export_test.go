package nx

// StagedTraces returns how many traces are open to ops of goroutines.
func StagedTraces() int {
	staging.mu.Lock()
	defer staging.mu.Unlock()
	return len(staging.traces)
}
