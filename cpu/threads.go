package cpu

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
)

// maxThreads bounds NX_THREADS: each worker is a goroutine that looks for work.
const maxThreads = 1024

// A ThreadsError says that NX_THREADS is no number of workers.
type ThreadsError struct {
	Threads string // what NX_THREADS says
}

// Error implements error.
func (e *ThreadsError) Error() string {
	return fmt.Sprintf("cpu: NX_THREADS=%s: a number of workers from 1 to %d is wanted", e.Threads, maxThreads)
}

// currentThreads is how many workers a client has that names no number itself.
var currentThreads = func() (int, error) { return threadsNamed(os.Getenv("NX_THREADS")) }

// threadsNamed returns the number that NX_THREADS names, GOMAXPROCS where it names none.
func threadsNamed(text string) (int, error) {
	if text == "" {
		return runtime.GOMAXPROCS(0), nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxThreads {
		return runtime.GOMAXPROCS(0), &ThreadsError{text}
	}
	return n, nil
}

// Workers returns how many goroutines an execution uses at the same time, its own included.
func (c *Client) Workers() int { return c.env.Workers() }
