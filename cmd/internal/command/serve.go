package command

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/serve"
	"github.com/go-nx/nx/serve/openai"
)

// serving is the state of one nx serve.
type serving struct {
	*Streams
	names            []string
	addr, profile    string
	grpc             string // its address, or empty
	reflection       bool
	batch, queue     int
	lanes            int
	delay, grace     time.Duration
	header           time.Duration
	sizes            []string
	bound            map[string]string
	weights          []string
	limits           serve.Limits
	language         openai.Config
	cert, key        string
	cache            string
	jsonLog, quiet   bool
	listening, ready func(addr net.Addr) // for tests

	// Of a bundle: the models, and the code that is compiled for them, or nil.
	sources []serve.Source
	code    *compiledCode
}

func newServe(s *Streams) *cobra.Command { return newServing(&serving{Streams: s}) }

func newServing(v *serving) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve [flags] MODEL…",
		Short: "Serve models over HTTP by the Open Inference Protocol",
		Long: `Serve answers requests of inference by the Open Inference Protocol (KServe v2), with the extensions
that Triton's clients use. A MODEL is a file that nx run takes, or a folder with versions: 1/model.onnx,
2/model.onnx, …, of which the largest is served. Its name is that of the file, or that of --name. A MODEL may
also be the folder of a language model, with config.json, safetensors and tokenizer.json, or a .gguf file of
llama.cpp: it is served at /v1/models, /v1/completions and /v1/chat/completions, or /v1/embeddings for an
encoder, as clients of OpenAI want it.

Requests that wait while the processor is busy are computed together, if the first axes of all inputs and
results are one that callers choose. Other sizes that vary compile the model for each; --size sequence=16,64,128
rounds them up to these.

It listens on this machine only, unless --addr says otherwise, and has no authentication: put a proxy in front.
SIGHUP loads the models again; the old ones serve until the new ones are ready, and if they do not load. On
SIGTERM it is not ready any more, answers what it has, and ends with 0; a second one ends it at once.`,
		Example: examples(
			"nx serve model.onnx",
			"nx serve SmolLM2-135M-Instruct",
			"nx serve --name bert --size sequence=16,64,128 --addr :8080 bert.onnx",
			`curl -d '{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,4]}]}' `+
				"localhost:8080/v2/models/model/infer"),
		Args:              wantArgs(1, 1000, "at least one model"),
		ValidArgsFunction: mlirFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	v.ofModels(f)
	v.ofServer(f)
	return cmd
}

// ofModels adds the flags that say what is served.
func (v *serving) ofModels(f *pflag.FlagSet) {
	f.StringSliceVar(&v.names, "name", nil, "the `names` of the models, in their order")
	f.StringSliceVar(&v.weights, "weights", nil, "`files` of weights of the only model")
}

// ofServer adds the flags that say how.
func (v *serving) ofServer(f *pflag.FlagSet) {
	f.StringVar(&v.addr, "addr", "127.0.0.1:8080", "the `address` to listen on; :8080 is every one of the machine")
	f.StringVar(&v.grpc, "grpc", "", "the `address` to listen on for gRPC, such as 127.0.0.1:8001 (runs nx-grpc)")
	f.BoolVar(&v.reflection, "grpc-reflection", false, "describe the services of gRPC to clients such as grpcurl")
	f.IntVar(&v.batch, "batch", 32, "the largest `number` of rows that are computed together")
	f.DurationVar(&v.delay, "delay", 0, "how long a request waits for others while nothing is computed")
	f.IntVar(&v.queue, "queue", 0, "the `number` of rows that may wait (32 batches)")
	f.IntVar(&v.language.Slots, "slots", 4, "the `number` of requests that a language model computes at a time")
	f.IntVar(&v.language.Bits, "bits", 0, "quantise the weights of language models to 8 or 4 `bits`")
	f.IntVar(&v.language.Context, "context", 0, "the `number` of tokens of such a request (the model's, up to 4096)")
	f.IntVar(&v.lanes, "lanes", 1, "the `number` of batches that are computed at a time")
	f.StringArrayVar(&v.sizes, "size", nil, "round a size up: `name=16,64,128`; it is compiled for these at the start")
	f.StringToStringVar(&v.bound, "bind", nil, "values of inputs, for all of their elements: `name=number`")
	f.Int64Var(&v.limits.Body, "max-body", 64<<20, "the largest request in `bytes`")
	f.IntVar(&v.limits.Rows, "max-rows", 4096, "the largest `number` of rows of a request")
	f.IntVar(&v.limits.Concurrent, "max-concurrent", 1024, "the `number` of requests that are read or computed at a time")
	f.Int64Var(&v.limits.InFlight, "max-in-flight", 1<<30, "the `bytes` of requests that are in memory at a time")
	f.DurationVar(&v.header, "header-timeout", 10*time.Second, "how long a client may take to send a request's header")
	f.DurationVar(&v.limits.Write, "write-timeout", time.Minute, "how long a client may take to read an answer")
	f.BoolVar(&v.limits.RefuseNaN, "refuse-nan", false, "refuse inputs with NaN or infinities")
	f.BoolVar(&v.limits.Control, "repository-control", false, "load and unload models by request")
	f.DurationVar(&v.grace, "grace", 30*time.Second, "how long requests may take after SIGTERM")
	f.StringVar(&v.cert, "tls-cert", "", "the `file` of a certificate, for HTTPS")
	f.StringVar(&v.key, "tls-key", "", "the `file` of its key")
	f.StringVar(&v.cache, "cache", "", "keep compiled code in a `folder`, for the next start")
	f.StringVar(&v.profile, "pprof", "", "the `address` of profiles of the process, such as 127.0.0.1:6060")
	f.BoolVar(&v.jsonLog, "json-log", false, "log lines of JSON")
	f.BoolVar(&v.quiet, "quiet", false, "do not log requests")
}

func (v *serving) run(ctx context.Context, paths []string) error {
	if err := v.needsGRPC(); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(v.err, nil))
	if v.jsonLog {
		log = slog.New(slog.NewJSONHandler(v.err, nil))
	}
	if !v.quiet {
		v.limits.Log = log
	}
	language, paths, err := v.languageModels(paths)
	if err != nil {
		return err
	}
	models, err := v.declare(paths, log)
	if err != nil {
		return err
	}
	if err := v.client(log); err != nil {
		return err
	}
	config, err := v.tls()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", v.addr)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	scheme := "http"
	if config != nil {
		listener, scheme = tls.NewListener(listener, config), "https"
	}
	v.limits.Drain = v.grace / 2
	handler := serve.NewServer(models, v.limits)
	if len(language.paths) > 0 {
		handler.Handle("/v1/", language)
	}
	release := models.Hold() // until the language models are open, too
	server := &http.Server{Handler: handler, ReadHeaderTimeout: v.header, ReadTimeout: 5 * time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGHUP)
	defer signal.Stop(again)
	endsItself.Store(true)
	served := make(chan error, 2)
	go func() { served <- server.Serve(listener) }() // alive before the models are loaded
	log.Info("listening", "address", scheme+"://"+listener.Addr().String())
	stopGRPC, err := v.startGRPC(handler, config, log, served)
	if err != nil {
		server.Close()
		return err
	}
	ended, end := context.WithCancel(context.Background())
	end()
	defer stopGRPC(ended)
	if v.listening != nil {
		v.listening(listener.Addr())
	}
	closeProfiles, err := v.profiles(log)
	if err != nil {
		server.Close()
		return err
	}
	defer closeProfiles()
	err = language.open(ctx, openai.Limits{Body: v.limits.Body, Write: v.limits.Write}, log)
	if err == nil {
		err = v.load(ctx, models, log)
	}
	if err != nil {
		server.Close()
		return err
	}
	release()
	v.code.report(log)
	log.Info("ready")
	if v.ready != nil {
		v.ready(listener.Addr())
	}
	for {
		select {
		case err := <-served:
			return fmt.Errorf("serve: %w", err)
		case <-ctx.Done():
			return v.stop(server, handler, stopGRPC, log)
		case <-again:
			if err := v.load(ctx, models, log); err != nil {
				log.Error("loading again: the old models serve on", "error", err)
			}
		}
	}
}

// declare says where the models come from.
func (v *serving) declare(paths []string, log *slog.Logger) (*serve.Repository, error) {
	if len(v.names) > len(paths) {
		return nil, fmt.Errorf("serve: there are %d names for %d models", len(v.names), len(paths))
	}
	if len(v.weights) > 0 && len(paths) > 1 {
		return nil, errors.New("serve: --weights is for one model")
	}
	if v.batch < 1 || v.lanes < 1 || v.delay < 0 || v.queue < 0 {
		return nil, errors.New("serve: --batch and --lanes are at least 1; --delay and --queue are not negative")
	}
	opts := []serve.Option{serve.Size(v.batch), serve.Delay(v.delay), serve.Lanes(v.lanes), serve.Logger(log)}
	if v.queue > 0 {
		opts = append(opts, serve.Queue(max(v.queue, v.batch), 1<<30))
	}
	var load []core.LoadOption
	warm := map[string][]int{}
	for _, text := range v.sizes {
		name, list, ok := strings.Cut(text, "=")
		var sizes []int
		for part := range strings.SplitSeq(list, ",") {
			n, err := strconv.Atoi(part)
			if err != nil || n < 1 {
				ok = false
				break
			}
			sizes = append(sizes, n)
		}
		if !ok {
			return nil, fmt.Errorf("serve: --size %s: want name=16,64,128", text)
		}
		load = append(load, core.Buckets(name, sizes...))
		warm[name] = sizes
	}
	for name, text := range v.bound {
		t, err := number(text)
		if err != nil {
			return nil, fmt.Errorf("serve: --bind %s=%s: %w", name, text, err)
		}
		load = append(load, core.Bind(name, t))
	}
	if len(v.weights) > 0 {
		load = append(load, core.Weights(v.weights...))
	}
	models := serve.NewRepository()
	sources := slices.Clone(v.sources)
	for i, path := range paths {
		s := serve.Source{Path: path}
		if i < len(v.names) {
			s.Name = v.names[i]
		}
		sources = append(sources, s)
	}
	for _, s := range sources {
		s.Load, s.Batch, s.Sizes = slices.Concat(s.Load, load), opts, warm
		if _, err := models.Declare(s); err != nil {
			return nil, err
		}
	}
	return models, nil
}

// client makes the default client one that reads and keeps compiled code.
func (v *serving) client(log *slog.Logger) (err error) {
	if name := os.Getenv("NX_CLIENT"); name != "" && name != "cpu" || v.cache == "" && v.code == nil {
		return nil
	}
	c := cpu.Default()
	if v.cache != "" {
		if c, err = c.WithCache(v.cache); err != nil {
			return fmt.Errorf("serve: --cache: %w", err)
		}
	}
	if v.code != nil {
		with, err := c.WithCacheFS(v.code)
		if err != nil { // this process cannot tell of which compiler the code is
			log.Warn("the compiled code inside is not used", "error", err)
			v.code = nil
			return nil
		}
		c = with
	}
	return core.SetDefault(c)
}

// number is a number that takes the type of the input.
func number(text string) (core.Tensor, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return core.New(int(n)), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	return core.New(f), err
}

// load loads all models; the error names those that do not load.
func (v *serving) load(ctx context.Context, models *serve.Repository, log *slog.Logger) error {
	var errs []error
	for _, name := range models.Names() {
		start := time.Now()
		if err := models.Load(ctx, name); err != nil {
			errs = append(errs, err)
			continue
		}
		m, err := models.Get(name, "")
		if err != nil {
			errs = append(errs, err)
			continue
		}
		log.Info("loaded", "model", m.Name, "version", m.Version, "batch", m.MaxBatch, "compiled", m.Stats().Warm,
			"took",
			time.Since(start))
	}
	return errors.Join(errs...)
}

// tls returns the configuration of HTTPS, or nil.
func (v *serving) tls() (*tls.Config, error) {
	if v.cert == "" && v.key == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(v.cert, v.key)
	if err != nil {
		return nil, fmt.Errorf("serve: --tls-cert and --tls-key: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// profiles serves profiles of the process.
func (v *serving) profiles(log *slog.Logger) (done func(), err error) {
	if v.profile == "" {
		return func() {}, nil
	}
	host, _, err := net.SplitHostPort(v.profile)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("serve: --pprof %s: profiles are for this machine, such as 127.0.0.1:6060", v.profile)
	}
	listener, err := net.Listen("tcp", v.profile)
	if err != nil {
		return nil, fmt.Errorf("serve: --pprof: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	log.Info("profiles", "address", "http://"+listener.Addr().String()+"/debug/pprof/")
	return func() { server.Close() }, nil
}

// stop answers what was taken, and ends.
func (v *serving) stop(server *http.Server, handler *serve.Server, stopGRPC func(ctx context.Context) error,
	log *slog.Logger) error {
	models := handler.Repository()
	models.Drain()
	log.Info("stopping", "grace", v.grace)
	ctx, cancel := context.WithTimeout(context.Background(), v.grace)
	defer cancel()
	stopped := make(chan error, 1)
	go func() { stopped <- stopGRPC(ctx) }()
	err := server.Shutdown(ctx)
	err = errors.Join(err, <-stopped)
	if err != nil && handler.Running() == 0 {
		err = nil // connections without a request
	}
	if err = errors.Join(err, models.Close(ctx)); err != nil {
		server.Close()
		return fmt.Errorf("serve: some requests were not answered: %w", err)
	}
	log.Info("stopped", "answered", handler.Answered())
	return nil
}
