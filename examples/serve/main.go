// Command serve puts a model that another framework exported behind HTTP.
//
//	go run ./examples/serve
//	curl -d '[[0.1, 0.2, 0.3, 0.4]]' localhost:8080/predict
//
// With -load it sends itself requests of many sizes at once, and prints how long they
// took and what memory they left. The model that comes along is a small network of
// JAX; -model and -weights name another one with one input of rows.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
)

// options are the flags.
type options struct {
	model, weights, addr string
	load, clients        int
}

func main() {
	log.SetFlags(0)
	o := options{}
	flag.StringVar(&o.model, "model", "examples/serve/mlp.jaxexport", "the program")
	flag.StringVar(&o.weights, "weights", "examples/serve/mlp.safetensors", "its weights")
	flag.StringVar(&o.addr, "addr", "localhost:8080", "where to listen")
	flag.IntVar(&o.load, "load", 0, "send this many requests instead of waiting for some")
	flag.IntVar(&o.clients, "clients", 32, "clients that send them")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run serves until ctx ends or the load is finished, then waits for the running requests.
func run(ctx context.Context, o options, out io.Writer) error {
	m, err := nx.Load(context.Background(), o.model, nx.Weights(o.weights))
	if err != nil {
		return err
	}
	p, err := newPredictor(m)
	if err != nil {
		return err
	}
	if o.load > 0 {
		o.addr = "localhost:0"
	}
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("POST /predict", p)
	server := &http.Server{Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second}
	fmt.Fprintf(out, "%s\nhttp://%s/predict\n", m, listener.Addr())

	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	var loadErr error
	if o.load > 0 {
		loadErr = measure(ctx, "http://"+listener.Addr().String()+"/predict", p, o, out)
	} else {
		select {
		case err := <-served: // it could not serve
			return err
		case <-ctx.Done():
		}
	}
	last, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d requests, latency %s\n", p.latency.count(), &p.latency)
	return loadErr
}

// memory returns the bytes that live objects and tensors take.
func memory() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // memory freed by the cleanups of the first
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc) + debug.LiveBytes()
}
