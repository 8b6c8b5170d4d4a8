package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ErrNoModel is the error for a name or a version that a repository does not have, by errors.Is.
var ErrNoModel = errors.New("serve: no such model")

// Repository has models by name. It is safe for concurrent use.
type Repository struct {
	mutex   sync.RWMutex
	sources map[string]Source
	models  map[string]*Model
	reasons map[string]string // why a model is not there
	loading map[string]*sync.Mutex
	drained sync.WaitGroup
	held    int // by Hold

	stopping context.Context // ends by Drain
	stop     context.CancelFunc
}

// NewRepository returns an empty repository.
func NewRepository() *Repository {
	r := &Repository{sources: map[string]Source{}, models: map[string]*Model{}, reasons: map[string]string{},
		loading: map[string]*sync.Mutex{}}
	r.stopping, r.stop = context.WithCancel(context.Background())
	return r
}

// Add serves a model under its name. One that was there before answers the requests that it has, and is closed.
func (r *Repository) Add(m *Model) {
	r.mutex.Lock()
	old := r.models[m.Name]
	r.models[m.Name] = m
	delete(r.reasons, m.Name)
	r.mutex.Unlock()
	r.drain(old)
}

// drain closes a model in the background.
func (r *Repository) drain(m *Model) {
	if m == nil {
		return
	}
	r.drained.Go(func() {
		if err := m.Close(context.Background()); err != nil {
			slog.Warn("serve: closing a model", "model", m.Name, "version", m.Version, "error", err)
		}
	})
}

// Declare says where a model comes from, and returns its name; [Repository.Load] loads it.
func (r *Repository) Declare(s Source) (name string, err error) {
	if s.Name == "" {
		base := filepath.Base(filepath.Clean(s.Path))
		s.Name = strings.TrimSuffix(base, filepath.Ext(base))
	}
	if s.Name == "" || s.Name == "." || strings.ContainsAny(s.Name, "/\\?#%\x00") {
		return "", fmt.Errorf("serve: %q is not a name of a model: it is a part of URLs", s.Name)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if old, ok := r.sources[s.Name]; ok && old.Path != s.Path {
		return "", fmt.Errorf("serve: %s and %s have the name %q: give one of them another", old.Path, s.Path, s.Name)
	}
	r.sources[s.Name], r.loading[s.Name] = s, &sync.Mutex{}
	r.reasons[s.Name] = "not loaded"
	return s.Name, nil
}

// Load loads the newest version of a model, compiles it, and serves it instead of the one that is there. If that fails,
// the old one goes on.
func (r *Repository) Load(ctx context.Context, name string) error {
	r.mutex.RLock()
	s, ok := r.sources[name]
	one := r.loading[name]
	r.mutex.RUnlock()
	if !ok {
		return fmt.Errorf("%w: %q", ErrNoModel, name)
	}
	one.Lock()
	defer one.Unlock()
	m, err := s.open(ctx)
	if err != nil {
		r.mutex.Lock()
		r.reasons[name] = err.Error()
		r.mutex.Unlock()
		return fmt.Errorf("serve: model %q: %w", name, err)
	}
	r.Add(m)
	return nil
}

// Unload stops serving a model: it answers the requests that it has, and is closed.
func (r *Repository) Unload(name string) error {
	r.mutex.Lock()
	m := r.models[name]
	delete(r.models, name)
	if m != nil {
		r.reasons[name] = "unloaded"
	}
	r.mutex.Unlock()
	if m == nil {
		return fmt.Errorf("%w: %q", ErrNoModel, name)
	}
	r.drain(m)
	return nil
}

// Get returns a model; an empty version stands for that which is served.
func (r *Repository) Get(name, version string) (*Model, error) {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	m := r.models[name]
	switch {
	case m == nil:
		return nil, fmt.Errorf("%w: %q", ErrNoModel, name)
	case version != "" && version != m.Version:
		return nil, fmt.Errorf("%w: %q has the version %s, not %q", ErrNoModel, name, m.Version, version)
	}
	return m, nil
}

// Models returns the models that are served, by name.
func (r *Repository) Models() []*Model {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	var list []*Model
	for _, name := range slices.Sorted(maps.Keys(r.models)) {
		list = append(list, r.models[name])
	}
	return list
}

// Names returns the names of the declared models, in order.
func (r *Repository) Names() []string {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	return slices.Sorted(maps.Keys(r.sources))
}

// entry is a line of the index.
type entry struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	State   string `json:"state"`
	Reason  string `json:"reason"`
}

// index returns all models and sources with their states.
func (r *Repository) index() []entry {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	list := []entry{}
	for name, m := range r.models {
		list = append(list, entry{name, m.Version, "READY", r.reasons[name]})
	}
	for name := range r.sources {
		if r.models[name] == nil {
			list = append(list, entry{Name: name, State: "UNAVAILABLE", Reason: r.reasons[name]})
		}
	}
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Hold makes the repository not ready until release is called, for what a server has beside the repository and is not
// ready yet.
func (r *Repository) Hold() (release func()) {
	add := func(n int) {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		r.held += n
	}
	add(1)
	return sync.OnceFunc(func() { add(-1) })
}

// Ready reports whether every source has a model, and the repository is neither held nor closed.
func (r *Repository) Ready() bool {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	if r.held > 0 {
		return false
	}
	for name := range r.sources {
		if r.models[name] == nil && r.reasons[name] != "unloaded" {
			return false
		}
	}
	return r.stopping.Err() == nil
}

// Drain makes the repository not ready, so that balancers send no more requests here.
func (r *Repository) Drain() { r.stop() }

// Close refuses requests, and waits until those that were taken are answered and all models are closed, or until ctx
// ends.
func (r *Repository) Close(ctx context.Context) error {
	r.Drain()
	r.mutex.Lock()
	models := r.models
	r.models = map[string]*Model{}
	r.mutex.Unlock()
	for _, m := range models {
		r.drain(m)
	}
	done := make(chan struct{})
	go func() {
		r.drained.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
