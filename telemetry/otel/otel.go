// Package otel exports the events of package telemetry as spans and metrics of OpenTelemetry.
//
//	listener, err := otel.Listener(otel.GetTracerProvider(), otel.GetMeterProvider())
//	defer telemetry.Listen(listener)()
//
// Each event is a span, a child of that in the context of the call, with its name, its attributes and its
// measurements. Each measurement is also a histogram, named after both: nx.compilation.total_time. Its
// attributes are those of the event, except for those with too many values, such as the key of a compilation. An event
// without a span in its context, of a request with the header traceparent of W3C's Trace Context, is a child of that.
package otel

import (
	"context"
	"log/slog"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/go-nx/nx/telemetry"
)

// scope names the instrumentation.
const scope = "github.com/go-nx/nx/telemetry/otel"

// Listener returns a listener that passes spans to the tracers and measurements to the meters. Its errors are
// those of meters that reject an instrument.
func Listener(tracers trace.TracerProvider, meters metric.MeterProvider) (telemetry.Listener, error) {
	b := &bridge{tracer: tracers.Tracer(scope), meter: meters.Meter(scope),
		histograms: map[string]metric.Int64Histogram{}}
	for name, all := range known {
		for _, m := range all {
			if _, err := b.histogram(name, m); err != nil {
				return nil, err
			}
		}
	}
	return b.record, nil
}

// known are the measurements of the events of this project, so that a meter that rejects one reports it at the
// start.
var known = map[string][]telemetry.Measurement{
	telemetry.Compilation: {{Name: "eval_time", Unit: "us"}, {Name: "compile_time", Unit: "us"},
		{Name: "total_time", Unit: "us"}},
	telemetry.Execution: {{Name: "duration", Unit: "us"}},
	telemetry.Transfer:  {{Name: "duration", Unit: "us"}, {Name: "size", Unit: "By"}},
	telemetry.Request:   {{Name: "duration", Unit: "us"}},
	telemetry.Queue:     {{Name: "duration", Unit: "us"}},
	telemetry.Batch:     {{Name: "duration", Unit: "us"}},
	telemetry.Compute:   {{Name: "duration", Unit: "us"}},
}

// many are attributes that have too many values for metrics.
var many = map[string]bool{"key": true, "request": true, "requests": true, "rows": true, "padded": true}

type bridge struct {
	tracer trace.Tracer
	meter  metric.Meter

	mu         sync.Mutex
	histograms map[string]metric.Int64Histogram
}

// histogram returns the instrument of a measurement, made at its first use.
func (b *bridge) histogram(event string, m telemetry.Measurement) (metric.Int64Histogram, error) {
	name := event + "." + m.Name
	b.mu.Lock()
	defer b.mu.Unlock()
	if h, ok := b.histograms[name]; ok {
		return h, nil
	}
	h, err := b.meter.Int64Histogram(name, metric.WithUnit(m.Unit))
	if err != nil {
		return nil, err
	}
	b.histograms[name] = h
	return h, nil
}

// record is the listener.
func (b *bridge) record(ctx context.Context, e telemetry.Event) {
	attributes := make([]attribute.KeyValue, 0, len(e.Attributes)+len(e.Measurements))
	var few []attribute.KeyValue // of metrics
	for _, a := range e.Attributes {
		kv := attributeOf(a)
		attributes = append(attributes, kv)
		if !many[a.Key] {
			few = append(few, kv)
		}
	}
	for _, m := range e.Measurements {
		attributes = append(attributes, attribute.Int64(m.Name, m.Value))
	}
	if e.Parent != "" && !trace.SpanContextFromContext(ctx).IsValid() {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": e.Parent})
	}
	ctx, span := b.tracer.Start(ctx, e.Name, trace.WithTimestamp(e.Start), trace.WithAttributes(attributes...))
	if e.Err != nil {
		span.RecordError(e.Err, trace.WithTimestamp(e.Start.Add(e.Duration)))
		span.SetStatus(codes.Error, e.Err.Error())
	}
	for _, child := range e.Children {
		b.record(ctx, child)
	}
	span.End(trace.WithTimestamp(e.Start.Add(e.Duration)))
	for _, m := range e.Measurements {
		if h, err := b.histogram(e.Name, m); err == nil { // an event of others that the meter refuses
			h.Record(ctx, m.Value, metric.WithAttributes(few...))
		}
	}
}

func attributeOf(a slog.Attr) attribute.KeyValue {
	switch v := a.Value.Resolve(); v.Kind() {
	case slog.KindInt64:
		return attribute.Int64(a.Key, v.Int64())
	case slog.KindFloat64:
		return attribute.Float64(a.Key, v.Float64())
	case slog.KindBool:
		return attribute.Bool(a.Key, v.Bool())
	default:
		return attribute.String(a.Key, v.String())
	}
}
