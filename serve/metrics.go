package serve

import (
	"bufio"
	"fmt"
	"maps"
	"net/http"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"time"
)

// modelStats are the statistics of Triton's extension.
func (m *Model) statistics() map[string]any {
	s := m.Stats()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	last := int64(0)
	if !m.last.IsZero() {
		last = m.last.UnixMilli()
	}
	compute := durations{sum(s.Compute.Counts), int64(s.Compute.Sum * 1e9)}
	queue := durations{sum(s.QueueTime.Counts), int64(s.QueueTime.Sum * 1e9)}
	return map[string]any{"name": m.Name, "version": m.Version, "last_inference": last, "inference_count": s.Rows,
		"execution_count": s.Batches, "memory_usage": []any{}, "batch_stats": []any{},
		"inference_stats": map[string]durations{"success": m.total, "fail": m.failed, "queue": queue,
			"compute_input": m.input, "compute_infer": compute, "compute_output": m.output, "cache_hit": {},
			"cache_miss": {}}}
}

func sum(list []int64) (n int64) {
	for _, v := range list {
		n += v
	}
	return n
}

func (s *Server) modelStats(r *http.Request) (any, error) {
	m, err := s.model(r)
	if err != nil {
		return nil, err
	}
	return map[string]any{"model_stats": []any{m.statistics()}}, nil
}

func (s *Server) allStats(*http.Request) (any, error) {
	list := []any{}
	for _, m := range s.models.Models() {
		list = append(list, m.statistics())
	}
	return map[string]any{"model_stats": list}, nil
}

// metrics writes all numbers in the text format of Prometheus, version 0.0.4.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	out := bufio.NewWriter(w)
	defer out.Flush()
	head := func(name, kind, help string) {
		fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	value := func(name, kind, help string, v float64) {
		head(name, kind, help)
		fmt.Fprintf(out, "%s %s\n", name, number(v))
	}
	value("nx_serve_uptime_seconds", "gauge", "time since the start", time.Since(s.start).Seconds())
	value("nx_serve_http_requests_total", "counter", "requests of all kinds", float64(s.requests.Load()))
	value("nx_serve_http_refused_total", "counter", "requests beyond the number that may run",
		float64(s.refused.Load()))
	value("nx_serve_answered_total", "counter", "requests of inference that were answered with results",
		float64(s.answered.Load()))
	value("nx_serve_http_running", "gauge", "requests of inference that are read or computed",
		float64(s.running.Load()))
	value("nx_serve_http_running_bytes", "gauge", "bytes of requests of inference in memory", float64(s.bytes.Load()))
	samples := []metrics.Sample{{Name: "/sched/goroutines:goroutines"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(samples)
	value("go_goroutines", "gauge", "goroutines", float64(samples[0].Value.Uint64()))
	value("go_memstats_heap_alloc_bytes", "gauge", "bytes of objects", float64(samples[1].Value.Uint64()))

	models := s.models.Models()
	stats := make([]Stats, len(models))
	labels := make([]string, len(models))
	for i, m := range models {
		stats[i] = m.Stats()
		labels[i] = fmt.Sprintf("model=%s,version=%s", quote(m.Name), quote(m.Version))
	}
	head("nx_serve_requests_total", "counter", "requests of inference by HTTP status")
	for i, m := range models {
		m.mutex.Lock()
		codes := maps.Clone(m.codes)
		m.mutex.Unlock()
		for _, code := range slices.Sorted(maps.Keys(codes)) {
			fmt.Fprintf(out, "nx_serve_requests_total{%s,code=\"%d\"} %d\n", labels[i], code, codes[code])
		}
	}
	each := func(name, kind, help string, f func(s *Stats) float64) {
		head(name, kind, help)
		for i := range stats {
			fmt.Fprintf(out, "%s{%s} %s\n", name, labels[i], number(f(&stats[i])))
		}
	}
	each("nx_serve_rows_total", "counter", "rows computed", func(s *Stats) float64 { return float64(s.Rows) })
	each("nx_serve_padded_rows_total", "counter", "rows of zeros in batches",
		func(s *Stats) float64 { return float64(s.Padded) })
	each("nx_serve_refused_total", "counter", "requests refused by a full queue or an early deadline",
		func(s *Stats) float64 { return float64(s.Refused) })
	each("nx_serve_dropped_total", "counter", "requests whose clients left while they waited",
		func(s *Stats) float64 { return float64(s.Dropped) })
	each("nx_serve_failed_batches_total", "counter", "calls of the model that failed",
		func(s *Stats) float64 { return float64(s.Failed) })
	each("nx_serve_cold_batches_total", "counter", "batches that were compiled while a request waited",
		func(s *Stats) float64 { return float64(s.Cold) })
	each("nx_serve_waiting_rows", "gauge", "rows in the queue", func(s *Stats) float64 { return float64(s.Waiting) })
	each("nx_serve_running_batches", "gauge", "batches that are computed",
		func(s *Stats) float64 { return float64(s.Running) })
	histogram := func(name, help string, f func(s *Stats) *Histogram) {
		head(name, "histogram", help)
		for i := range stats {
			h := f(&stats[i])
			n := int64(0)
			for k, bound := range h.Bounds {
				n += h.Counts[k]
				fmt.Fprintf(out, "%s_bucket{%s,le=\"%s\"} %d\n", name, labels[i], number(bound), n)
			}
			n = sum(h.Counts)
			fmt.Fprintf(out, "%s_bucket{%s,le=\"+Inf\"} %d\n%s_sum{%s} %s\n%s_count{%s} %d\n", name, labels[i], n, name,
				labels[i], number(h.Sum), name, labels[i], n)
		}
	}
	histogram("nx_serve_queue_seconds", "time in the queue", func(s *Stats) *Histogram { return &s.QueueTime })
	histogram("nx_serve_compute_seconds", "time of calls of the model", func(s *Stats) *Histogram { return &s.Compute })
	histogram("nx_serve_batch_rows", "rows of batches", func(s *Stats) *Histogram { return &s.BatchRows })
	histogram("nx_serve_batch_padding_ratio", "share of rows of zeros in batches",
		func(s *Stats) *Histogram { return &s.Padding })
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// quote is the value of a label.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(s) + `"`
}
