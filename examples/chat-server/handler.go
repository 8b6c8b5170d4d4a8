package main

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"sync/atomic"

	"github.com/go-nx/nx/serve/openai"
)

//go:embed page.html
var page []byte

// handler has the page, the endpoints of the language model, and an endpoint of our own.
func handler(m *openai.Model) http.Handler {
	var asked atomic.Int64
	language := openai.Handler(openai.Limits{Body: 1 << 20}, m)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // the client has left
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		status := map[string]any{"model": m.Name(), "requests": asked.Load()}
		_ = json.NewEncoder(w).Encode(status) // the client has left
	})
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) { // what goes around the model's endpoints
		asked.Add(1)
		language.ServeHTTP(w, r)
	})
	return mux
}
