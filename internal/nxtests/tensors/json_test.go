package tensors_test

import (
	"encoding/json"
	"fmt"
	"math/cmplx"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

func TestJSON(t *testing.T) {
	for _, d := range kit.DTypes {
		s := kit.Samples(d)
		x := kit.Encode(d, nx.Shape{1, len(s)}, s)
		text, err := json.Marshal(map[string]nx.Tensor{"x": x})
		if err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		var back map[string]nx.Tensor
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %s: %v", d, text, err)
		}
		if y := back["x"]; y.DType() != d || fmt.Sprint(y) != fmt.Sprint(x) {
			t.Errorf("%s: %v became %v", d, x, y)
		}
	}
	c := nx.New([]complex128{cmplx.Inf(), cmplx.NaN()})
	if text, err := json.Marshal(c); string(
		text) != `{"dtype":"c128","shape":[2],"data":[["Infinity","Infinity"],["NaN","NaN"]]}` {
		t.Error(string(text), err)
	}
	var absent struct{ W nx.Tensor }
	if text, err := json.Marshal(absent); string(text) != `{"W":null}` || json.Unmarshal(text, &absent) != nil ||
		!absent.W.IsZero() {
		t.Error(string(text), err)
	}
	for _, bad := range []string{
		`1`, `{}`, `{"dtype":"f99","shape":[],"data":1}`, `{"dtype":"f32","shape":[2],"data":[1]}`,
		`{"dtype":"f32","shape":[1],"data":[1,2]}`,
		`{"dtype":"f32","shape":[1],"data":["x"]}`, `{"dtype":"u8","shape":[1],"data":[256]}`,
		`{"dtype":"u8","shape":[1],"data":[1.5]}`,
		`{"dtype":"bool","shape":[1],"data":[1]}`, `{"dtype":"s8","shape":[1],"data":[true]}`,
		`{"dtype":"f16","shape":[1],"data":[1e9]}`,
		`{"dtype":"f32","shape":[1152921504606846976],"data":[1]}`, `{"dtype":"f32","shape":[-1],"data":[]}`,
		`{"dtype":"f32","shape":[1],"names":["a","b"],"data":[1]}`} {
		var x nx.Tensor
		if err := json.Unmarshal([]byte(bad), &x); err == nil {
			t.Errorf("%s is taken", bad)
		} else if strings.Contains(err.Error(), "jsonTensor") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	nx.Jit(func(x nx.Tensor) nx.Tensor {
		if _, err := json.Marshal(x); err == nil || !strings.Contains(err.Error(), "not known yet") {
			t.Errorf("a traced tensor: %v", err)
		}
		return x
	})(c)
}
