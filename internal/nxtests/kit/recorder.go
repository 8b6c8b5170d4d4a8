package kit

import (
	"sync"

	"github.com/go-nx/nx"
)

// Recorder collects what hooks get.
type Recorder struct {
	mu     sync.Mutex
	values []float64
}

func (s *Recorder) Add(t nx.Tensor) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values = append(s.values, nx.Data[float64](t)...)
}

func (s *Recorder) Take() []float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.values
	s.values = nil
	return v
}
