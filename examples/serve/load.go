package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// warm is how many requests come before memory is measured: every size was compiled,
// connections are open.
const warm = 200

// measure sends requests from concurrent clients and prints their latency and memory. An answer that differs
// from that of its rows in a separate request is an error.
func measure(ctx context.Context, url string, p *predictor, o options, out io.Writer) error {
	transport := &http.Transport{MaxIdleConnsPerHost: o.clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	want, err := post(ctx, client, url, rowsOf(p.columns, 0, 1))
	if err != nil {
		return err
	}
	if err := flood(ctx, client, url, p.columns, want[0], o.clients, min(warm, o.load)); err != nil {
		return err
	}
	before, start := memory(), time.Now()
	if err := flood(ctx, client, url, p.columns, want[0], o.clients, o.load); err != nil {
		return err
	}
	took := time.Since(start)
	fmt.Fprintf(out, "%d requests by %d clients in %v: %.0f a second, memory %+d KiB\n", o.load, o.clients,
		took.Round(time.Millisecond), float64(o.load)/took.Seconds(), (memory()-before)>>10)
	return nil
}

// flood sends n requests of 1 to 48 rows.
func flood(ctx context.Context, client *http.Client, url string, columns int, first []float32, clients, n int) error {
	next := make(chan int)
	errs := make([]error, clients)
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for i := range next {
				if errs[c] != nil {
					continue
				}
				size := 1 + i*7%48
				got, err := post(ctx, client, url, rowsOf(columns, i%5, size))
				switch {
				case err != nil:
					errs[c] = err
				case len(got) != size:
					errs[c] = fmt.Errorf("%d rows got %d answers", size, len(got))
				case i%5 == 0 && !near(got[0], first):
					errs[c] = fmt.Errorf("the same row got %v with %d others, %v without", got[0], size-1, first)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	return errors.Join(errs...)
}

// rowsOf makes rows of numbers that depend on seed.
func rowsOf(columns, seed, n int) [][]float32 {
	rows := make([][]float32, n)
	for i := range rows {
		rows[i] = make([]float32, columns)
		for j := range rows[i] {
			rows[i][j] = float32((seed+3*i+j)%7)/4 - 0.5
		}
	}
	return rows
}

func near(a, b []float32) bool {
	for i := range a {
		if d := a[i] - b[i]; d > 1e-5 || d < -1e-5 {
			return false
		}
	}
	return len(a) == len(b)
}

func post(ctx context.Context, client *http.Client, url string, rows [][]float32) (got [][]float32, err error) {
	body, err := json.Marshal(rows)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1000))
		return nil, fmt.Errorf("%s: %s", response.Status, text)
	}
	return got, json.NewDecoder(response.Body).Decode(&got)
}
