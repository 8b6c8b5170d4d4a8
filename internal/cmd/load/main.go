// Command load sends requests of inference to servers of the Open Inference Protocol, and prints how many were answered
// a second and how long they took, a line per server: load [flags] URL…
//
// The servers take turns, so that what else the machine does meets all of them.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	clients := flag.Int("clients", 64, "the number of clients, each of which sends a request after another")
	span := flag.Duration("for", 5*time.Second, "how long a server is measured in each round")
	rounds := flag.Int("rounds", 3, "how often each server is measured")
	body := flag.String("body", `{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,4]}]}`, "the request")
	flag.Parse()
	took := make([][]time.Duration, flag.NArg())
	failed := make([]int, flag.NArg())
	for range *rounds {
		for i, url := range flag.Args() {
			times, bad := measure(url, []byte(*body), *clients, *span)
			took[i], failed[i] = append(took[i], times...), failed[i]+bad
		}
	}
	for i, url := range flag.Args() {
		slices.Sort(took[i])
		n := len(took[i])
		if n == 0 {
			log.Fatalf("%s: no answer, %d failed", url, failed[i])
		}
		at := func(p float64) time.Duration {
			return took[i][min(n-1, int(p*float64(n)))].Round(10 * time.Microsecond)
		}
		fmt.Printf("%s: %.0f a second, p50 %v, p99 %v, %d failed\n", url,
			float64(n)/(float64(*rounds)*span.Seconds()), at(0.5), at(0.99), failed[i])
	}
}

// measure sends requests for a while, and returns the times of those that were answered.
func measure(url string, body []byte, clients int, span time.Duration) (took []time.Duration, failed int) {
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	end := time.Now().Add(span)
	var mutex sync.Mutex
	var wait sync.WaitGroup
	for range clients {
		wait.Go(func() {
			var mine []time.Duration
			bad := 0
			for time.Now().Before(end) {
				start := time.Now()
				a, err := client.Post(url, "application/json", bytes.NewReader(body))
				if err == nil {
					_, err = io.Copy(io.Discard, a.Body)
					a.Body.Close()
				}
				if err != nil || a.StatusCode != http.StatusOK {
					bad++
					continue
				}
				mine = append(mine, time.Since(start))
			}
			mutex.Lock()
			defer mutex.Unlock()
			took, failed = append(took, mine...), failed+bad
		})
	}
	wait.Wait()
	return took, failed
}
