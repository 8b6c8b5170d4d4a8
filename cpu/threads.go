package cpu

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
)

// maxThreads bounds NX_THREADS: each worker is a goroutine that polls for work.
const maxThreads = 1024

// A ThreadsError reports an invalid value of NX_THREADS.
type ThreadsError struct {
	Threads string // the value of NX_THREADS
}

// Error implements error.
func (e *ThreadsError) Error() string {
	return fmt.Sprintf("cpu: NX_THREADS must be a number of workers from 1 to %d, got %s", maxThreads, e.Threads)
}

// currentThreads returns the default number of workers of a client.
var currentThreads = func() (int, error) { return threadsNamed(os.Getenv("NX_THREADS")) }

// threadsNamed parses the value of NX_THREADS; if it is empty, the number is GOMAXPROCS.
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

// Workers returns the maximum number of goroutines of an execution, including the caller's.
func (c *Client) Workers() int { return c.env.Workers() }
