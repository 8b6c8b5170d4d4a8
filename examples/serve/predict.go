package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-nx/nx"
)

// batches are the sizes that requests are padded to, so that the model is compiled for
// few shapes whatever clients send.
var batches = []int{1, 4, 16, 64}

// maxBody bounds a request.
const maxBody = 1 << 20

// predictor answers requests: a JSON list of rows, to which it answers with the rows of
// the first result.
type predictor struct {
	model   *nx.Model
	columns int
	latency latency
}

func newPredictor(m *nx.Model) (*predictor, error) {
	in := m.Inputs()
	if len(in) != 1 || len(in[0].Shape) != 2 || in[0].Shape[0] >= 0 || in[0].Shape[1] < 0 || in[0].DType != nx.F32 {
		return nil, fmt.Errorf("the model takes %v, not rows of float32", in)
	}
	return &predictor{model: m, columns: in[0].Shape[1]}, nil
}

// badRequest is an error of the client's making.
type badRequest struct{ error }

func (p *predictor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	rows, err := p.answer(w, r)
	if err != nil {
		code := http.StatusInternalServerError
		if errors.As(err, new(badRequest)) {
			code = http.StatusBadRequest
		}
		http.Error(w, err.Error(), code)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(rows) // fails only if the client went away
	p.latency.add(time.Since(start))
}

func (p *predictor) answer(w http.ResponseWriter, r *http.Request) ([][]float32, error) {
	var rows [][]float32
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&rows); err != nil {
		return nil, badRequest{err}
	}
	if len(rows) == 0 || len(rows) > batches[len(batches)-1] {
		return nil, badRequest{fmt.Errorf("%d rows: want 1 to %d", len(rows), batches[len(batches)-1])}
	}
	flat := make([]float32, 0, len(rows)*p.columns)
	for i, row := range rows {
		if len(row) != p.columns {
			return nil, badRequest{fmt.Errorf("row %d has %d numbers: want %d", i, len(row), p.columns)}
		}
		flat = append(flat, row...)
	}
	x, n := nx.PadBatch(nx.FromSliceShared(flat, nx.Shape{len(rows), p.columns}), batches...)
	out, err := p.model.Call(r.Context(), x)
	if err != nil {
		return nil, err
	}
	defer nx.Release(out)
	data := nx.Data[float32](out[0])
	width := len(data) / x.Shape()[0]
	answer := make([][]float32, n)
	for i := range answer {
		answer[i] = data[i*width : (i+1)*width]
	}
	return answer, nil
}
