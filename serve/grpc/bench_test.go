package grpc_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-nx/nx/serve"
	"github.com/go-nx/nx/serve/grpc"
)

// BenchmarkProtocols compares gRPC with binary HTTP on this machine, in turns: the median time of a request of one row
// by one client, and requests a second of 64 clients; and the ratios of the two, all medians of seven rounds. gRPC has
// a connection for all clients, HTTP one for each.
//
//	go test -run '^$' -bench Protocols -benchtime 1x
func BenchmarkProtocols(b *testing.B) {
	s := start(b, serve.Limits{}, grpc.Options{}, serve.Size(32))
	web := httptest.NewServer(serve.Handler(s.models, serve.Limits{}))
	defer web.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	head := `{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","parameters":{"binary_data_size":16}}],` +
		`"parameters":{"binary_data_output":true}}`
	body := append([]byte(head), floats(1, 2, 3, 4)...)
	overHTTP := func() error {
		r, err := http.NewRequest("POST", web.URL+"/v2/models/classifier/infer", bytes.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Inference-Header-Content-Length", fmt.Sprint(len(head)))
		a, err := client.Do(r)
		if err != nil {
			return err
		}
		defer a.Body.Close()
		if _, err := io.ReadAll(a.Body); err != nil || a.StatusCode != 200 {
			return fmt.Errorf("status %d, %v", a.StatusCode, err)
		}
		return nil
	}
	message := request(1, 2, 3, 4)
	overGRPC := func() error {
		_, err := s.client.ModelInfer(context.Background(), message)
		return err
	}
	latency := func(f func() error) float64 {
		list := make([]float64, 2000)
		for i := range list {
			begin := time.Now()
			if err := f(); err != nil {
				b.Fatal(err)
			}
			list[i] = float64(time.Since(begin).Nanoseconds()) / 1e3
		}
		slices.Sort(list)
		return list[len(list)/2]
	}
	throughput := func(f func() error) float64 {
		var wait sync.WaitGroup
		var done atomic.Int64
		begin := time.Now()
		for range 64 {
			wait.Go(func() {
				for time.Since(begin) < 500*time.Millisecond {
					if err := f(); err != nil {
						b.Error(err)
						return
					}
					done.Add(1)
				}
			})
		}
		wait.Wait()
		return float64(done.Load()) / time.Since(begin).Seconds()
	}
	for range b.N {
		numbers := map[string][]float64{}
		for range 7 {
			h, g := latency(overHTTP), latency(overGRPC)
			hs, gs := throughput(overHTTP), throughput(overGRPC)
			for name, v := range map[string]float64{"HTTP-p50-µs": h, "gRPC-p50-µs": g, "p50-ratio": g / h,
				"HTTP/s": hs, "gRPC/s": gs, "rate-ratio": gs / hs} {
				numbers[name] = append(numbers[name], v)
			}
		}
		for name, list := range numbers {
			slices.Sort(list)
			b.ReportMetric(list[3], name)
		}
		b.ReportMetric(0, "ns/op")
	}
}
