package bench

import (
	"errors"
	"testing"
	"time"

	"github.com/go-nx/nx"
)

// Errors of compiling or running are errors of the measurement.
func TestMeasureFails(t *testing.T) {
	wrong := Workload{"wrong", unaryWorkload(func(x nx.Tensor) nx.Tensor {
		return nx.Add(x, nx.Zeros(nx.Shape{3}, nx.F32))
	}, inputOf(nx.F32, 2))}
	_, err := wrong.Measure(time.Millisecond)
	var is *nx.Error
	if !errors.As(err, &is) {
		t.Errorf("%v", err)
	}
}
