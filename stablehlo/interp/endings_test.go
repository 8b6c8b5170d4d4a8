package interp

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/userfunc"
	"github.com/go-nx/nx/stablehlo"
)

type writerFunc func() error

func (f writerFunc) Write(b []byte) (int, error) { return len(b), f() }

// TestEndings: however a function ends that was given to the interpreter, the caller learns of it: by an error that
// names the function, or by the end of the goroutine where it is the caller's. Later calls run as before.
func TestEndings(t *testing.T) {
	const body = `
		func.func @work() -> tensor<i8> {
			%t = stablehlo.create_token : !stablehlo.token
			%x = stablehlo.constant dense<5> : tensor<i8>
			interpreter.print %x : tensor<i8>
			%y = interpreter.probe %x, probe_id = "p" : tensor<i8>
			%c = stablehlo.custom_call @mine(%y) : (tensor<i8>) -> tensor<i8>
			%in:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<i8>, !stablehlo.token)
			%o = "stablehlo.outfeed"(%in#0, %in#1) : (tensor<i8>, !stablehlo.token) -> !stablehlo.token
			return %c : tensor<i8>
		}
		func.func @two() -> (tensor<i8>, tensor<i8>) {
			%r:2 = "interpreter.run_parallel"() {programs = [[@work, @work]]} : () -> (tensor<i8>, tensor<i8>)
			return %r#0, %r#1 : tensor<i8>, tensor<i8>
		}`
	noData := errors.New("no data")
	now := map[string]func() error{}
	at := func(place string) error {
		if f := now[place]; f != nil {
			return f()
		}
		return nil
	}
	it := prepare(t, &stablehlo.Source{Text: []byte(body)},
		WithOutput(writerFunc(func() error { return at("writer") })),
		WithProbe(func(string, int, *Tensor) error { return at("WithProbe") }),
		WithInfeed(func([]*stablehlo.TensorType) ([]*Tensor, error) {
			return []*Tensor{scalarOf(dtype.S8, -3)}, at("WithInfeed")
		}),
		WithOutfeed(func([]*Tensor) error { return at("WithOutfeed") }),
		WithCustomCall("mine", func(_ context.Context, _ *stablehlo.Op, x []Value) ([]Value, error) {
			return x, at("mine")
		}))
	for _, fn := range []string{"work", "two"} {
		for _, place := range []string{"writer", "WithProbe", "WithInfeed", "WithOutfeed", "mine"} {
			for how, end := range map[string]func() error{
				"an error":                 func() error { return noData },
				"a panic":                  func() error { panic(noData) },
				"the end of the goroutine": func() error { runtime.Goexit(); return nil },
			} {
				name := fmt.Sprint(fn, ", ", place, ", ", how)
				now[place] = end
				err, goexit := error(nil), true
				done := make(chan struct{})
				go func() {
					defer close(done)
					_, err = it.Call(context.Background(), fn)
					goexit = false
				}()
				<-done
				var fault *Fault
				var ended *userfunc.GoexitError
				switch isEnd := how == "the end of the goroutine"; {
				case isEnd && fn == "work":
					if !goexit {
						t.Errorf("%s: it ends with %v", name, err)
					}
				case !errors.As(err, &fault) || fault.Kind != CallFailed:
					t.Errorf("%s: the error is %v", name, err)
				case isEnd && (!errors.As(err, &ended) || !strings.Contains(ended.Name, place)):
					t.Errorf("%s: the error %v does not name the function", name, err)
				case !isEnd && !errors.Is(err, noData):
					t.Errorf("%s: the error is %v", name, err)
				case how == "a panic" && !strings.Contains(err.Error(), place):
					t.Errorf("%s: the error %v does not name the function", name, err)
				}
				delete(now, place)
				if r, err := it.Call(context.Background(), fn); err != nil ||
					r[0].(*Tensor).String() != "tensor<i8> {5}" {
					t.Errorf("after %s: %v, %v", name, r, err)
				}
			}
		}
	}
}
