package serve

import (
	"slices"
	"time"
)

// Stats are numbers of a batcher since its start.
type Stats struct {
	// Requests and Rows were taken to be computed, in Batches.
	Requests, Rows, Batches int64
	// Padded are rows of zeros that batches were filled up with.
	Padded int64
	// Refused requests found a full queue, an early deadline, or a closed batcher.
	Refused int64
	// Dropped requests had waited when their context ended.
	Dropped int64
	// Failed calls of the function returned an error, and Retried batches were computed again request by request.
	Failed, Retried int64
	// Cold batches had shapes that [Batcher.Warm] had not compiled; Warm is the number of those it has.
	Cold int64
	Warm int
	// Waiting is the number of rows in the queues now, and Running that of batches that are computed now.
	Waiting, Running int
	// QueueTime has how long requests waited, Compute how long calls of the function took, in seconds, BatchRows the
	// rows of batches, Padding the share of rows of zeros in them.
	QueueTime, Compute, BatchRows, Padding Histogram
}

// Histogram counts numbers by size: Counts[i] are those up to Bounds[i] and above the bound before, the last count
// those above all bounds.
type Histogram struct {
	Bounds []float64
	Counts []int64
	Sum    float64
}

// Bounds of histograms: of seconds, of rows, and of shares.
var (
	seconds = []float64{1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1, 3, 10}
	rows    = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}
	shares  = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1}
)

func (h *Histogram) add(v float64) {
	i, _ := slices.BinarySearch(h.Bounds, v)
	h.Counts[i]++
	h.Sum += v
}

// count counts a batch that is about to be computed.
func (b *Batcher[X, Y]) count(c *batch[X, Y], now time.Time) {
	s := &b.stats
	c.taken = now
	for _, r := range c.list {
		s.QueueTime.add(now.Sub(r.since).Seconds())
	}
	b.crowded = len(c.list) > 1
	s.Requests += int64(len(c.list))
	s.Batches++
	s.Rows += int64(c.rows)
	s.Padded += int64(c.pad - c.rows)
	s.BatchRows.add(float64(c.rows))
	s.Padding.add(float64(c.pad-c.rows) / float64(c.pad))
	if len(b.warm) == 0 {
		return
	}
	if form := (compiled{c.q.key.shapes, c.pad}); !b.warm[form] {
		s.Cold++
		b.warm[form] = true
		b.o.logger.Warn("serve: a batch has shapes that were not warmed up", "rows", c.pad)
	}
}

// Stats returns the numbers of now.
func (b *Batcher[X, Y]) Stats() Stats {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	s := b.stats
	s.Waiting, s.Running, s.Warm = b.rows, b.busy, b.stats.Warm
	for _, h := range []*Histogram{&s.QueueTime, &s.Compute, &s.BatchRows, &s.Padding} {
		h.Counts = slices.Clone(h.Counts)
	}
	return s
}
