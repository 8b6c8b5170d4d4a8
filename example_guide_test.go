package nx_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/random"
)

type linear struct{ W, B nx.Tensor }

func (m linear) Predict(x nx.Tensor) nx.Tensor { return nx.Add(nx.Dot(x, m.W), m.B) }

func loss(m linear, x, y nx.Tensor) nx.Tensor {
	return nx.Mean(nx.Square(nx.Sub(m.Predict(x), y)))
}

var train = nx.Jit(func(m linear, x, y nx.Tensor) (linear, nx.Tensor) {
	value, grads := nx.ValueAndGrad(func(m linear) nx.Tensor { return loss(m, x, y) })(m)
	return nx.Map2(func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(g, 0.1)) }, m, grads), value
}, nx.Donate(0))

// Example_guide is the code of docs/guide.md.
func Example_guide() {
	dir, _ := os.MkdirTemp("", "guide")
	defer os.RemoveAll(dir)

	x := nx.New([][]float32{{0, 1}, {2, 3}}, nx.Names("batch", "features"))
	fmt.Printf("%s, mean %.2f\n", x, nx.Mean(x))

	keys := random.Split(random.Key(42), 2)
	m := linear{random.Normal(keys.At(0), 0, 0.1, nx.Shape{2, 1}, nx.F32), nx.Zeros(nx.Shape{1}, nx.F32)}
	inputs := random.Uniform(keys.At(1), -1, 1, nx.Shape{64, 2}, nx.F32)
	targets := nx.Dot(inputs, nx.New([][]float32{{2}, {-3}}))
	for range 200 {
		m, _ = train(m, inputs, targets)
	}
	fmt.Printf("%.1f\n", nx.Flatten(m.W))

	mesh := nx.Mesh{{Name: "data", Size: 4}}
	onMesh := nx.ShardMap(func(m linear, x, y nx.Tensor) nx.Tensor {
		return nx.AllReduceMean(loss(m, x, y), "data") // of the rows that this device has
	}, mesh, []nx.Sharding{{}, {"data"}, {"data"}}, []nx.Sharding{{}})
	grads := nx.Grad(func(m linear) nx.Tensor { return onMesh(m, inputs, targets) })(m)
	alone := nx.Grad(func(m linear) nx.Tensor { return loss(m, inputs, targets) })(m)
	fmt.Println(nx.AllClose(grads.W, alone.W, nx.Tolerance(0, 1e-6)))

	path := filepath.Join(dir, "model.safetensors")
	err := nx.SaveTensors(path, m)
	restored := nx.ZerosLike(m)
	err = errors.Join(err, nx.LoadTensors(path, &restored))
	fmt.Println(err, nx.ArrayEqual(m.W, restored.W))

	predict := nx.Jit(linear.Predict)
	cached, err := cpu.Default().WithCache(filepath.Join(dir, "compiled"))
	warm := nx.Jit(linear.Predict, nx.On(cached))
	same := nx.ArrayEqual(warm(m, inputs), predict(m, inputs))
	kept, _ := filepath.Glob(filepath.Join(dir, "compiled", "*"))
	fmt.Println(err, same, len(kept))

	handler := func(w http.ResponseWriter, r *http.Request) {
		var x nx.Tensor
		if err := json.NewDecoder(r.Body).Decode(&x); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var err error
		func() {
			defer nx.Catch(&err)
			err = json.NewEncoder(w).Encode(predict(restored, x))
		}()
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		}
	}
	for _, body := range []string{`{"dtype":"f32","shape":[1,2],"data":[[0,0]]}`,
		`{"dtype":"f32","shape":[1,3],"data":[[1,1,1]]}`, `?`} {
		w := httptest.NewRecorder()
		handler(w, httptest.NewRequest("POST", "/", strings.NewReader(body)))
		fmt.Println(w.Code)
	}
	// Output:
	// f32[batch: 2][features: 2], mean 1.50
	// [ 2.0, -3.0]
	// bool true
	// <nil> true
	// <nil> true 1
	// 200
	// 422
	// 400
}
