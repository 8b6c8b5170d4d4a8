package serve_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/serve"
)

func ExampleBatch() {
	w := nx.New([][]float32{{1}, {10}})
	b := serve.Batch(nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Dot(x, w) }), serve.Size(32))
	if err := b.Warm(context.Background(), nx.Zeros(nx.Shape{1, 2}, nx.F32)); err != nil { // compile all sizes
		panic(err)
	}
	var wait sync.WaitGroup
	sums := make([]float32, 4)
	for i := range sums { // callers, such as HTTP requests
		wait.Go(func() {
			y, err := b.Do(context.Background(), nx.New([][]float32{{float32(i), 1}}))
			if err != nil {
				panic(err)
			}
			sums[i] = nx.Data[float32](y)[0]
		})
	}
	wait.Wait()
	fmt.Println(sums)
	// Output: [10 11 12 13]
}

func ExampleRepository_Hold() {
	models := serve.NewRepository()
	release := models.Hold() // a server has more than the repository, which is not loaded yet
	fmt.Println(models.Ready())
	release()
	release() // once is enough
	fmt.Println(models.Ready())
	// Output:
	// false
	// true
}
