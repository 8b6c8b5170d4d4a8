package rt

import "time"

// The thresholds of the package, each with its unit and its reason. "See" names the section of
// docs/rationale/runtime.md that has the reason at length, and figures if there are some.
const (
	// spinTime is how long an idle worker looks for work before it sleeps. Waking a sleeping thread takes about 100
	// µs, so the worker should stay awake during the serial parts between the regions of one execution, and no
	// longer: it occupies a CPU.
	spinTime = 100 * time.Microsecond

	// spinRound is the number of checks before a spinning worker reads the clock: a microsecond or so. It yields to
	// other goroutines after one round per other spinning worker, since all that yield take one lock of the
	// scheduler.
	spinRound = 512

	// wakeTime is the remaining work of a region above which a worker is woken: it arrives late and costs the
	// caller a system call. See "When are sleeping workers woken?"
	wakeTime = 200 * time.Microsecond

	// minParallelOps is the number of arithmetic operations from which waking workers takes less time than they
	// save. No measurement is recorded.
	minParallelOps = 40_000

	// maxRegions is the maximum number of regions in progress; further callers run their chunks themselves. Guard:
	// workers look through all of them.
	maxRegions = 8

	// minGrowth is the minimum growth in bytes of the buffers in use between two garbage collections. See "Why does
	// the pool of buffers start garbage collections?"
	minGrowth = 64 << 20

	// A batch of small buffers is full at batchBuffers buffers or batchBytes bytes. The rest of it is counted while
	// one of its buffers is reachable. See "Why are small buffers counted in batches?"
	batchBuffers = 256
	batchBytes   = 8 << 10

	// queryInterval is the time that a result of the system about its memory is used: reading it takes longer than
	// most allocations. See "Why is the memory limit read repeatedly?"
	queryInterval = 50 * time.Millisecond

	// chunkBytes is the address space of the first chunk of code; each following one has twice that, up to
	// maxDoublings times. Pages without code take no memory.
	chunkBytes   = 64 << 10
	maxDoublings = 5
)
