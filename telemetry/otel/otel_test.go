package otel_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/serve"
	"github.com/go-nx/nx/telemetry"
	"github.com/go-nx/nx/telemetry/otel"
)

// A compiled function that is called in a span has spans of its compilation and its
// executions below that, and its times are metrics.
func TestListener(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	tracers := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	reader := sdkmetric.NewManualReader()
	listener, err := otel.Listener(tracers, sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))
	if err != nil {
		t.Fatal(err)
	}
	defer telemetry.Listen(listener)()
	f := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) { return nx.Exp(x), nil })
	x := nx.New([]float32{1, 2})
	ctx, request := tracers.Tracer("app").Start(context.Background(), "request")
	for range 2 {
		if _, err := f(ctx, x); err != nil {
			t.Fatal(err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := f(cancelled, x); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
	counts := map[string]int{}
	for _, s := range spans.Ended() {
		if s.Parent().SpanID() != request.SpanContext().SpanID() {
			continue // the transfer of x, which has no context
		}
		counts[s.Name()]++
		if s.Status().Code == codes.Error {
			counts["failed"]++
		}
		if s.EndTime().Before(s.StartTime()) {
			t.Errorf("%s ends before it starts", s.Name())
		}
		if s.Name() == telemetry.Compilation && !strings.Contains(text(s), "key=TestListener") {
			t.Errorf("the attributes of the compilation are %s", text(s))
		}
	}
	if counts[telemetry.Compilation] != 1 || counts[telemetry.Execution] != 3 || counts["failed"] != 1 {
		t.Errorf("the spans are %v, want 1 compilation, 3 executions, 1 failed", counts)
	}
	points := histograms(t, reader)
	for name, want := range map[string]uint64{"nx.compilation.total_time": 1, "nx.compilation.eval_time": 1,
		"nx.execution.duration": 3, "nx.transfer.size": 1} {
		if points[name] != want {
			t.Errorf("%s has %d values, want %d", name, points[name], want)
		}
	}
}

func text(s sdktrace.ReadOnlySpan) (all string) {
	for _, a := range s.Attributes() {
		all += string(a.Key) + "=" + a.Value.String() + " "
	}
	return all
}

// histograms returns how many values each has.
func histograms(t *testing.T, reader sdkmetric.Reader) map[string]uint64 {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &data); err != nil {
		t.Fatal(err)
	}
	counts := map[string]uint64{}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			for _, p := range m.Data.(metricdata.Histogram[int64]).DataPoints {
				counts[m.Name] += p.Count
				if _, has := p.Attributes.Value("key"); has {
					t.Errorf("%s has a time series for each key", m.Name)
				}
			}
		}
	}
	return counts
}

// refusing is a meter that refuses histograms.
type refusing struct{ noop.MeterProvider }

func (refusing) Meter(string, ...metric.MeterOption) metric.Meter { return refusingMeter{} }

type refusingMeter struct{ noop.Meter }

func (refusingMeter) Int64Histogram(string, ...metric.Int64HistogramOption) (metric.Int64Histogram, error) {
	return nil, errors.New("refused")
}

func TestMeterRefuses(t *testing.T) {
	if _, err := otel.Listener(sdktrace.NewTracerProvider(), refusing{}); err == nil {
		t.Error("a meter that refuses histograms is taken")
	}
}

// A request of package serve is a span of the trace that its header names, with spans of its queue, its batch and its
// computation below it.
func TestServing(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	tracers := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	listener, err := otel.Listener(tracers, noop.NewMeterProvider())
	if err != nil {
		t.Fatal(err)
	}
	models := serve.NewRepository()
	name, err := models.Declare(serve.Source{Path: "../../internal/nxtests/onnx/testdata/classifier.onnx"})
	if err != nil {
		t.Fatal(err)
	}
	if err := models.Load(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	defer models.Close(t.Context())
	defer telemetry.Listen(listener)()
	r := httptest.NewRequest("POST", "/v2/models/classifier/infer", strings.NewReader(
		`{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,4]}]}`))
	r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	w := httptest.NewRecorder()
	serve.Handler(models, serve.Limits{}).ServeHTTP(w, r)
	if w.Code != 200 {
		t.Fatal(w.Body)
	}
	parents := map[string]string{"b7ad6b7169203331": "the client"}
	all := spans.Ended()
	for _, s := range all {
		parents[s.SpanContext().SpanID().String()] = s.Name()
	}
	got := map[string]string{}
	for _, s := range all {
		if strings.HasPrefix(s.Name(), "nx.serve.") {
			got[s.Name()] = parents[s.Parent().SpanID().String()]
			if id := s.SpanContext().TraceID().String(); id != "0af7651916cd43dd8448eb211c80319c" {
				t.Errorf("%s is in the trace %s", s.Name(), id)
			}
		}
	}
	for span, parent := range map[string]string{telemetry.Request: "the client", telemetry.Queue: telemetry.Request,
		telemetry.Batch: telemetry.Request, telemetry.Compute: telemetry.Batch} {
		if got[span] != parent {
			t.Errorf("%s is below %q, want %q", span, got[span], parent)
		}
	}
}
