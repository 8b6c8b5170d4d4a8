package random_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

func ExampleStream() {
	keys := random.Stream(random.Key(42))
	for range 2 {
		fmt.Println(nx.Data[float32](random.Uniform(keys.Next(), 0, 1, nx.Shape{2}, nx.F32)))
	}
	again := random.Stream(random.Key(42))
	fmt.Println(nx.Data[float32](random.Uniform(again.Next(), 0, 1, nx.Shape{2}, nx.F32)))
	// Output:
	// [0.39719188 0.2093333]
	// [0.54715574 0.2720312]
	// [0.39719188 0.2093333]
}

// TestStream: key i is that of FoldIn, for keys of each scheme and vectorised ones, outside and inside of traced
// functions.
func TestStream(t *testing.T) {
	vectors := nx.Vectorize(random.Split(random.Key(3), 4), "v")
	draw := func(key nx.Tensor) (all []nx.Tensor) {
		keys := random.Stream(key)
		for range 3 {
			all = append(all, keys.Next())
		}
		return all
	}
	compiled := nx.Jit(draw)
	for _, key := range []nx.Tensor{random.Key(1), random.Partitionable(random.Key(1)), vectors} {
		for how, got := range map[string][]nx.Tensor{"at once": draw(key), "compiled": compiled(key)} {
			for i, k := range got {
				if want := random.FoldIn(key, i); !nx.ArrayEqual(k, want) || !k.Spec().Equal(want.Spec()) {
					t.Errorf("%s: key %d of %v is %v, want %v", how, i, key, k, want)
				}
			}
		}
	}
}

// TestStreamTogether: each key goes to one goroutine.
func TestStreamTogether(t *testing.T) {
	keys := random.Stream(random.Key(1))
	var mu sync.Mutex
	seen := map[string]bool{}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 50 {
				k := fmt.Sprint(nx.Data[uint32](keys.Next()))
				mu.Lock()
				seen[k] = true
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	if len(seen) != 200 {
		t.Errorf("%d different keys, want 200", len(seen))
	}
}

// TestStreamOfOutside: what is traced once takes no keys of a Stream from outside; what runs as often as it is traced
// may.
func TestStreamOfOutside(t *testing.T) {
	x := nx.New([]float32{1, 2})
	key := random.Key(1)
	draw := func(keys *random.Keys) nx.Tensor { return random.Uniform(keys.Next(), 0, 1, nx.Shape{2}, nx.F32) }
	noise := func(keys *random.Keys) func(nx.Tensor) nx.Tensor {
		return func(x nx.Tensor) nx.Tensor { return nx.Mul(x, draw(keys)) }
	}
	step := func(keys *random.Keys) func(i, x nx.Tensor) nx.Tensor {
		return func(_, x nx.Tensor) nx.Tensor { return noise(keys)(x) }
	}
	for name, f := range map[string]func(keys *random.Keys){
		"Jit at": func(keys *random.Keys) { nx.Jit(noise(keys))(x) },
		"Jit  at": func(keys *random.Keys) { // in a gradient in a compiled function
			nx.Jit(nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(noise(keys)(x)) }))(x)
		},
		"Fori at": func(keys *random.Keys) { nx.Fori(3, x, step(keys)) },
		"Scan at": func(keys *random.Keys) {
			nx.Scan(x, nx.New([]float32{1, 2, 3}), func(c, _ nx.Tensor) (nx.Tensor, nx.Tensor) {
				return noise(keys)(c), c
			})
		},
		"While at": func(keys *random.Keys) {
			nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(nx.Sum(x), 0) }, noise(keys))
		},
		"Lower at": func(keys *random.Keys) {
			if _, err := nx.Lower(noise(keys), nx.Args(x)); err != nil {
				panic(err)
			}
		},
		"Fori   at": func(*random.Keys) { // of a compiled function
			nx.Jit(func(key, x nx.Tensor) nx.Tensor { return nx.Fori(3, x, step(random.Stream(key))) })(key, x)
		},
	} {
		var err error
		func() { defer nx.Catch(&err); f(random.Stream(key)) }()
		what, _, _ := strings.Cut(name, " ")
		if !errors.Is(err, nx.ErrState) || !strings.Contains(err.Error(), "Keys.Next") ||
			!strings.Contains(err.Error(), "the function of "+what+" at stream_test.go:") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	want := func(i int) nx.Tensor {
		return nx.Mul(x, random.Uniform(random.FoldIn(key, i), 0, 1, nx.Shape{2}, nx.F32))
	}
	for name, got := range map[string]nx.Tensor{
		"Vmap": nx.Vmap(func(nx.Tensor) nx.Tensor { return noise(random.Stream(key))(x) })(nx.New([]float32{1})).At(0),
		"Grad": nx.Mul(x, nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(noise(random.Stream(key))(x)) })(x)),
		"a branch": nx.Jit(func(key, x nx.Tensor) nx.Tensor {
			keys := random.Stream(key)
			return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { return noise(keys)(x) },
				func() nx.Tensor { return x })
		})(key, x),
		"a loop": nx.Fori(1, x, func(i, x nx.Tensor) nx.Tensor { return noise(random.Stream(key))(x) }),
	} {
		if !nx.ArrayEqual(got, want(0)) {
			t.Errorf("%s: got %v, want %v", name, got, want(0))
		}
	}
	keys := random.Stream(key)
	grad := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(noise(keys)(x)) })
	if a, b := grad(x), grad(x); nx.ArrayEqual(a, b) {
		t.Errorf("two gradients draw the same: %v", a)
	}
}

func TestStreamErrors(t *testing.T) {
	for _, f := range []func(){
		func() { random.Stream(nx.New(1)) },
		func() { random.Stream(nx.Tensor{}) },
		func() { new(random.Keys).Next() },
		func() { (*random.Keys)(nil).Next() },
	} {
		var err error
		func() { defer nx.Catch(&err); f() }()
		if !errors.Is(err, nx.ErrArgument) {
			t.Errorf("got %v", err)
		}
	}
}
