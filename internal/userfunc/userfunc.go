// Package userfunc runs user functions that are called later: hooks, functions called from compiled code,
// steps of streams. However such a function ends, by returning, by a panic or by ending its goroutine, its
// waiter gets an error that names the function.
package userfunc

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/go-nx/nx/diag"
)

// GoexitError is the error of a function that ended its goroutine.
type GoexitError struct {
	Name string // of the function: "the hook loss"
	At   string // file:line of the call that ended the goroutine, or ""
}

// Error names the function and the position.
func (e *GoexitError) Error() string {
	return e.Name + " ended its goroutine by runtime.Goexit, as t.FailNow and t.Skip do" + at(e.At)
}

type goexitKey struct{} // of the context of [Run]: a *atomic.Pointer[GoexitError]

// Call calls a user function. It returns the error of the function, or an error for a panic. A function that
// ends its goroutine ends that of Call; then Call does not return, and the [Run] that ctx comes from, if there
// is one, gets the name of the function.
func Call(ctx context.Context, name string, f func() error) (err error) {
	returned := false
	defer func() {
		r := recover()
		if returned {
			return
		}
		switch r := r.(type) {
		case nil:
			if e, ok := ctx.Value(goexitKey{}).(*atomic.Pointer[GoexitError]); ok {
				e.CompareAndSwap(nil, &GoexitError{name, location()})
			}
		case *diag.Error: // it contains its position
			err = fmt.Errorf("%s panicked: %w", name, r)
		case error:
			err = fmt.Errorf("%s panicked: %w%s", name, r, at(location()))
		default:
			err = fmt.Errorf("%s panicked: %v%s", name, r, at(location()))
		}
	}()
	err = f()
	returned = true
	return err
}

// Run calls f on a goroutine of the module's own, and after it done, however f ended: with the error of f,
// with what f panicked with, or with an [*GoexitError] of the function that ended the goroutine. That is a function
// which [Call] ran with the context that f gets, else f itself, by its name.
func Run(ctx context.Context, name string, f func(ctx context.Context) error, done func(err error, panicked any)) {
	var ended atomic.Pointer[GoexitError]
	var err error
	returned := false
	defer func() {
		panicked := recover()
		if panicked == nil && !returned {
			e := ended.Load()
			if e == nil {
				e = &GoexitError{name, location()}
			}
			err = e
		}
		done(err, panicked)
	}()
	err = f(context.WithValue(ctx, goexitKey{}, &ended))
	returned = true
}

// location returns the line of the program that panicked or ended its goroutine, "" where it is not known.
func location() string {
	file, line := diag.Caller()
	if file == "" {
		return ""
	}
	return diag.Place(file, line)
}

func at(location string) string {
	if location == "" {
		return ""
	}
	return " (at " + location + ")"
}
