package simplify

// A Pause is called by a pass for every op that it comes to. It ends the pass, if that
// is to stop, by a panic that whoever gave it recovers: what the pass was rewriting is of
// no use then. Passes take none or one.
type CheckCancel = func()

// checkCancelOf returns the pause that a pass was given, or one that does nothing.
func checkCancelOf(given []CheckCancel) CheckCancel {
	if len(given) == 0 {
		return func() {}
	}
	return given[0]
}
