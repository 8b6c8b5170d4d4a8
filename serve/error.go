package serve

import "errors"

// Errors of [Batcher.Do], to be found by errors.Is. Others are those of the function and of the context.
var (
	// ErrOverloaded is the error of a request for which there is no place in the queue, or which would not be answered
	// before its deadline. It has not been computed: it can be sent again later.
	ErrOverloaded = errors.New("serve: overloaded")
	// ErrClosed is the error of a request after [Batcher.Close].
	ErrClosed = errors.New("serve: closed")
)
