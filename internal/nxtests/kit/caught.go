package kit

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// CaughtResults returns what f returns, or the error that it panics with.
func CaughtResults(f func() []nx.Tensor) (out []nx.Tensor, err error) {
	defer nx.Catch(&err)
	return f(), nil
}

// Caught returns the error that f panics with.
func Caught(f func()) (err error) {
	defer nx.Catch(&err)
	f()
	return nil
}

// Raise panics with an error, as functions that return none do.
func Raise(err error) {
	if err != nil {
		panic(diag.As(err))
	}
}
