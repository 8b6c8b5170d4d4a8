package simplify

// CheckCancel is called by a pass for every op. To cancel the pass it panics, and the caller of the
// pass recovers: the module being rewritten is then invalid. Passes take at most one.
type CheckCancel = func()

// checkCancelOf returns the CheckCancel of a pass, or a no-op.
func checkCancelOf(given []CheckCancel) CheckCancel {
	if len(given) == 0 {
		return func() {}
	}
	return given[0]
}
