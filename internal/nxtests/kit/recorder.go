package kit

import (
	"sync"

	"github.com/go-nx/nx"
)

// Recorder collects the elements of tensors that hooks get.
type Recorder struct {
	mu     sync.Mutex
	values []float64
}

// Add notes the elements of a tensor.
func (s *Recorder) Add(t nx.Tensor) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values = append(s.values, nx.Data[float64](t)...)
}

// Take returns the elements noted since the last call.
func (s *Recorder) Take() []float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.values
	s.values = nil
	return v
}
