// Command chat-server is a chat in the browser: a program that has a language model at OpenAI's endpoints beside its
// own page and its own endpoint.
//
//	go run ./examples/chat-server -model SmolLM2-135M-Instruct
//
// The page is at http://localhost:8080. Any client of OpenAI's API may use http://localhost:8080/v1 too.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-nx/nx/serve/openai"
)

func main() {
	model := flag.String("model", "SmolLM2-135M-Instruct", "folder of the language model")
	addr := flag.String("addr", "localhost:8080", "where to listen")
	slots := flag.Int("slots", 4, "conversations that are computed at a time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := start(ctx, *model, *addr, *slots); err != nil {
		fmt.Fprintln(os.Stderr, "chat-server:", err)
		os.Exit(1)
	}
}

func start(ctx context.Context, model, addr string, slots int) error {
	m, err := openai.Open(model, openai.Config{Slots: slots})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	return serve(ctx, listener, handler(m), 30*time.Second)
}

// serve answers until ctx ends. Answers that have begun then have the time of grace.
func serve(ctx context.Context, listener net.Listener, h http.Handler, grace time.Duration) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(ending); err != nil { // their requests end, and with them their slots
		return errors.Join(err, server.Close())
	}
	return nil
}
