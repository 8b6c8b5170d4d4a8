package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-nx/nx/internal/textmodel"
	"github.com/go-nx/nx/serve/openai"
)

// languageModels are the language models of a server: folders at first, then a handler.
type languageModels struct {
	paths   []string
	configs []openai.Config
	handler atomic.Pointer[http.Handler]
}

// languageModels returns the language models among paths, and the other paths. The names of those remain.
func (v *serving) languageModels(paths []string) (l *languageModels, rest []string, err error) {
	if len(v.names) > len(paths) {
		return nil, nil, fmt.Errorf("serve: there are %d names for %d models", len(v.names), len(paths))
	}
	if v.language.Slots < 1 || v.language.Context < 0 {
		return nil, nil, errors.New("serve: --slots is at least 1; --context is not negative")
	}
	l = &languageModels{}
	var names []string
	for i, path := range paths {
		name := ""
		if i < len(v.names) {
			name = v.names[i]
		}
		if !textmodel.IsModel(path) {
			if rest = append(rest, path); i < len(v.names) {
				names = append(names, name)
			}
			continue
		}
		config := v.language
		config.Name = name
		l.paths, l.configs = append(l.paths, path), append(l.configs, config)
	}
	if len(l.paths) > 0 && len(rest) == 0 && len(v.sizes)+len(v.bound)+len(v.weights) > 0 {
		return nil, nil, errors.New("serve: --size, --bind and --weights are not for language models")
	}
	v.names = names
	return l, rest, nil
}

// open opens the models, and answers requests from then on.
func (l *languageModels) open(ctx context.Context, limits openai.Limits, log *slog.Logger) error {
	var models []*openai.Model
	taken := map[string]bool{}
	for i, path := range l.paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := time.Now()
		m, err := openai.Open(path, l.configs[i])
		if err != nil {
			return fmt.Errorf("serve: %w", err)
		}
		if taken[m.Name()] {
			return fmt.Errorf("serve: two models have the name %q: give --name", m.Name())
		}
		taken[m.Name()] = true
		models = append(models, m)
		log.Info("loaded", "model", m.Name(), "took", time.Since(start))
	}
	h := openai.Handler(limits, models...)
	l.handler.Store(&h)
	return nil
}

// ServeHTTP answers requests; while the models are opened it refuses them in the form of the protocol.
func (l *languageModels) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := l.handler.Load(); h != nil {
		(*h).ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprintln(w, `{"error":{"message":"the models are being loaded: try again later","type":"server_error","param":null,`+
		`"code":"loading"}}`)
}
