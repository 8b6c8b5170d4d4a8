package nx

// ForgetSites forgets where functions were compiled and what was warned of, so that a
// test may run twice in a process.
func ForgetSites() {
	sites.mu.Lock()
	defer sites.mu.Unlock()
	sites.m = nil
}
