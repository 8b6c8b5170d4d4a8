package grpc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	rpc "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/serve"
	"github.com/go-nx/nx/serve/grpc"
	"github.com/go-nx/nx/serve/grpc/inference"
)

const classifier = "../../internal/nxtests/onnx/testdata/classifier.onnx"

var quiet = serve.Logger(slog.New(slog.DiscardHandler))

// server is one under test, with a client.
type server struct {
	*grpc.Server
	models *serve.Repository
	conn   *rpc.ClientConn
	client inference.GRPCInferenceServiceClient
	health healthpb.HealthClient
}

// start serves a classifier x f32[batch][4] → logits f32[batch][3] at a port of this machine. At the end no goroutine
// is left.
func start(t testing.TB, l serve.Limits, o grpc.Options, batch ...serve.Option) *server {
	t.Helper()
	r := serve.NewRepository()
	batch = append([]serve.Option{serve.Size(8), quiet}, batch...)
	name, err := r.Declare(serve.Source{Path: classifier, Batch: batch})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Load(context.Background(), name); err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine() // with the workers of all models
	s := &server{Server: grpc.New(serve.NewServer(r, l), o), models: r}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	s.conn, err = rpc.NewClient(listener.Addr().String(), rpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	s.client, s.health = inference.NewGRPCInferenceServiceClient(s.conn), healthpb.NewHealthClient(s.conn)
	t.Cleanup(func() {
		if err := s.conn.Close(); err != nil {
			t.Error(err)
		}
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
		for i := 0; runtime.NumGoroutine() > before; i++ {
			if i == 1000 {
				text := make([]byte, 1<<20)
				t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before,
					text[:runtime.Stack(text, true)])
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
	return s
}

// floats are the bytes of numbers, and back.
func floats(list ...float32) []byte { return nx.Bytes(nx.New(list)) }

func parsed(data []byte) []float32 {
	return nx.Data[float32](nx.FromBytes(data, nx.Shape{len(data) / 4}, nx.F32))
}

// request is a good one of rows of 4 numbers.
func request(list ...float32) *inference.ModelInferRequest {
	return &inference.ModelInferRequest{ModelName: "classifier", Id: "seven",
		Inputs: []*inference.ModelInferRequest_InferInputTensor{{Name: "x", Datatype: "FP32",
			Shape: []int64{int64(len(list) / 4), 4}}},
		RawInputContents: [][]byte{floats(list...)}}
}

// want computes what the server is to answer.
func (s *server) want(t testing.TB, list ...float32) []float32 {
	t.Helper()
	m, err := s.models.Get("classifier", "")
	if err != nil {
		t.Fatal(err)
	}
	x := nx.FromBytes(floats(list...), nx.Shape{len(list) / 4, 4}, nx.F32)
	out, err := m.Do(context.Background(), []nx.Tensor{x})
	if err != nil {
		t.Fatal(err)
	}
	return nx.Data[float32](out[0])
}

func near(t testing.TB, name string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", name, got, want)
	}
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 1e-5 {
			t.Fatalf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestInfer(t *testing.T) {
	s := start(t, serve.Limits{}, grpc.Options{})
	x := []float32{1, 2, 3, 4, 0.5, 0, -1, 2}
	want := s.want(t, x...)
	typed := request(x...)
	typed.RawInputContents, typed.Inputs[0].Contents = nil, &inference.InferTensorContents{Fp32Contents: x}
	named := request(x...)
	named.ModelVersion = "1"
	named.Outputs = []*inference.ModelInferRequest_InferRequestedOutputTensor{{Name: "logits"}}
	named.Parameters = map[string]*inference.InferParameter{"priority": {
		ParameterChoice: &inference.InferParameter_Uint64Param{Uint64Param: 1}}}
	extended := request(x...) // by a field that a later protocol may have
	extended.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 999, protowire.VarintType), 1))
	for name, r := range map[string]*inference.ModelInferRequest{"raw": request(x...), "typed": typed, "named": named,
		"an unknown field": extended} {
		for _, how := range [][]rpc.CallOption{nil, {rpc.UseCompressor(gzip.Name)}, {rpc.UseCompressor("deflate")}} {
			var header metadata.MD
			ctx := metadata.AppendToOutgoingContext(t.Context(), "x-request-id", "mine")
			a, err := s.client.ModelInfer(ctx, r, append(how, rpc.Header(&header))...)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			o := a.GetOutputs()[0]
			if a.GetId() != "seven" || a.GetModelName() != "classifier" || a.GetModelVersion() != "1" ||
				o.GetName() != "logits" || o.GetDatatype() != "FP32" || fmt.Sprint(o.GetShape()) != "[2 3]" ||
				len(a.GetRawOutputContents()) != 1 || header.Get("x-request-id")[0] != "mine" {
				t.Errorf("%s: %v %v", name, a, header)
			}
			near(t, name, parsed(a.GetRawOutputContents()[0]), want)
		}
	}
}

// TestInformation: what clients ask for besides inference.
func TestInformation(t *testing.T) {
	s := start(t, serve.Limits{}, grpc.Options{Reflection: true})
	ctx, c := t.Context(), s.client
	if _, err := c.ModelInfer(ctx, request(1, 2, 3, 4)); err != nil {
		t.Fatal(err)
	}
	for _, call := range []struct {
		name, want string
		f          func() (any, error)
	}{
		{"live", "live:true", func() (any, error) { return c.ServerLive(ctx, &inference.ServerLiveRequest{}) }},
		{"ready", "ready:true", func() (any, error) { return c.ServerReady(ctx, &inference.ServerReadyRequest{}) }},
		{"model ready", "ready:true", func() (any, error) {
			return c.ModelReady(ctx, &inference.ModelReadyRequest{Name: "classifier", Version: "1"})
		}},
		{"no model", "", func() (any, error) {
			return c.ModelReady(ctx, &inference.ModelReadyRequest{Name: "none"})
		}},
		{"metadata", `name:"nx"`, func() (any, error) {
			return c.ServerMetadata(ctx, &inference.ServerMetadataRequest{})
		}},
		{"model metadata", `inputs:{name:"x" datatype:"FP32" shape:-1 shape:4}`, func() (any, error) {
			return c.ModelMetadata(ctx, &inference.ModelMetadataRequest{Name: "classifier"})
		}},
		{"config", `max_batch_size:8 input:{name:"x" data_type:TYPE_FP32 dims:4}`, func() (any, error) {
			return c.ModelConfig(ctx, &inference.ModelConfigRequest{Name: "classifier", Version: "1"})
		}},
		{"config of batches", `dynamic_batching:{preferred_batch_size:1 preferred_batch_size:2`, func() (any, error) {
			return c.ModelConfig(ctx, &inference.ModelConfigRequest{Name: "classifier"})
		}},
		{"statistics", `inference_count:1 execution_count:1 inference_stats:{success:{count:1`, func() (any, error) {
			return c.ModelStatistics(ctx, &inference.ModelStatisticsRequest{Name: "classifier"})
		}},
		{"all statistics", `inference_count:1`, func() (any, error) {
			return c.ModelStatistics(ctx, &inference.ModelStatisticsRequest{})
		}},
		{"index", `models:{name:"classifier" version:"1" state:"READY"}`, func() (any, error) {
			return c.RepositoryIndex(ctx, &inference.RepositoryIndexRequest{Ready: true})
		}},
		{"health", `status:SERVING`, func() (any, error) {
			return s.health.Check(ctx, &healthpb.HealthCheckRequest{})
		}},
		{"health of the service", `status:SERVING`, func() (any, error) {
			return s.health.Check(ctx, &healthpb.HealthCheckRequest{Service: "inference.GRPCInferenceService"})
		}},
		{"health of all", `inference.GRPCInferenceService`, func() (any, error) {
			return s.health.List(ctx, &healthpb.HealthListRequest{})
		}},
	} {
		got, err := call.f()
		text := strings.Join(strings.Fields(fmt.Sprint(got)), " ")
		if err != nil || !strings.Contains(text, call.want) || call.want == "" && text != "" {
			t.Errorf("%s: %s %v, want %s", call.name, text, err, call.want)
		}
	}
	stream, err := reflectionpb.NewServerReflectionClient(s.conn).ServerReflectionInfo(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(&reflectionpb.ServerReflectionRequest{
		MessageRequest: &reflectionpb.ServerReflectionRequest_ListServices{}}); err != nil {
		t.Fatal(err)
	}
	if got, err := stream.Recv(); err != nil || !strings.Contains(fmt.Sprint(got), "inference.GRPCInferenceService") {
		t.Errorf("reflection: %v %v", got, err)
	}
	if err := stream.CloseSend(); err != nil {
		t.Error(err)
	}
	if _, err := stream.Recv(); !errors.Is(err, io.EOF) {
		t.Errorf("the end of reflection: %v", err)
	}
}

// TestBadRequests: each is an error with the code of Triton that names the field, and the server goes on.
func TestBadRequests(t *testing.T) {
	s := start(t, serve.Limits{Body: 1 << 16, Rows: 100, RefuseNaN: true}, grpc.Options{})
	input := func(f func(in *inference.ModelInferRequest_InferInputTensor)) *inference.ModelInferRequest {
		r := request(1, 2, 3, 4)
		f(r.Inputs[0])
		return r
	}
	typed := func(datatype string, c *inference.InferTensorContents) *inference.ModelInferRequest {
		r := request(1, 2, 3, 4)
		r.RawInputContents, r.Inputs[0].Contents, r.Inputs[0].Datatype = nil, c, datatype
		return r
	}
	change := func(f func(r *inference.ModelInferRequest)) *inference.ModelInferRequest {
		r := request(1, 2, 3, 4)
		f(r)
		return r
	}
	choice := map[string]*inference.InferParameter{"shared_memory_region": {}, "classification": {}}
	type tensor = inference.ModelInferRequest_InferInputTensor
	type output = inference.ModelInferRequest_InferRequestedOutputTensor
	raw := func(list ...[]byte) *inference.ModelInferRequest {
		return change(func(r *inference.ModelInferRequest) { r.RawInputContents = list })
	}
	shape := func(sizes ...int64) *inference.ModelInferRequest {
		return input(func(in *tensor) { in.Shape = sizes })
	}
	const bad = codes.InvalidArgument
	good := floats(1, 2, 3, 4)
	for name, c := range map[string]struct {
		r    *inference.ModelInferRequest
		code codes.Code
		want string
	}{
		"nothing":    {&inference.ModelInferRequest{}, bad, "model_name"},
		"no model":   {&inference.ModelInferRequest{ModelName: "none"}, codes.NotFound, "none"},
		"a path":     {&inference.ModelInferRequest{ModelName: "../x"}, codes.NotFound, "../x"},
		"no version": {&inference.ModelInferRequest{ModelName: "classifier", ModelVersion: "2"}, codes.NotFound, `"2"`},
		"no inputs":  {&inference.ModelInferRequest{ModelName: "classifier"}, bad, "missing"},
		"another":    {input(func(in *tensor) { in.Name = "y" }), bad, `"y"`},
		"a type":     {input(func(in *tensor) { in.Datatype = "FP64" }), bad, `"x"`},
		"no type":    {input(func(in *tensor) { in.Datatype = "FP31" }), bad, "FP31"},
		"strings":    {input(func(in *tensor) { in.Datatype = "BYTES" }), bad, "strings"},
		"a rank":     {shape(4), bad, "shape"},
		"no shape":   {shape(), bad, "shape"},
		"a size":     {shape(1, 5), bad, "shape"},
		"negative":   {shape(-1, 4), bad, "shape"},
		"no rows":    {shape(0, 4), bad, `"x"`},
		"many rows":  {shape(101, 4), bad, "rows"},
		"2^62 rows":  {shape(1<<62, 4), bad, "large"},
		"2^63 rows":  {shape(math.MaxInt64, 4), bad, "large"},
		"few bytes":  {raw([]byte("abc")), bad, "3 bytes"},
		"more":       {raw(good, good), bad, "raw_input_contents"},
		"both": {input(func(in *tensor) {
			in.Contents = &inference.InferTensorContents{Fp32Contents: []float32{1}}
		}), bad, "raw_input_contents"},
		"no contents": {typed("FP32", nil), bad, "fp32_contents"},
		"few elements": {typed("FP32", &inference.InferTensorContents{Fp32Contents: []float32{1}}), bad,
			"1 elements, want 4"},
		"another field": {typed("FP32", &inference.InferTensorContents{IntContents: []int32{1, 2, 3, 4}}), bad,
			"int_contents"},
		"text": {typed("BYTES", &inference.InferTensorContents{BytesContents: [][]byte{nil}}), bad, "strings"},
		"twice": {change(func(r *inference.ModelInferRequest) {
			r.Inputs, r.RawInputContents = append(r.Inputs, r.Inputs[0]), append(r.RawInputContents, good)
		}), bad, "twice"},
		"an output": {change(func(r *inference.ModelInferRequest) {
			r.Outputs = []*output{{Name: "z"}}
		}), bad, `"z"`},
		"classification": {change(func(r *inference.ModelInferRequest) {
			r.Outputs = []*output{{Name: "logits", Parameters: choice}}
		}), codes.Unimplemented, "classification"},
		"shared memory": {input(func(in *tensor) { in.Parameters = choice }), codes.Unimplemented, "shared memory"},
		"NaN":           {request(1, 2, 3, float32(math.NaN())), bad, "element 3"},
		"too large":     {request(make([]float32, 1<<16)...), codes.ResourceExhausted, "larger than max"},
		"a long name":   {input(func(in *tensor) { in.Name = strings.Repeat("é", 1<<14) }), bad, "…"},
	} {
		_, err := s.client.ModelInfer(t.Context(), c.r)
		if status.Code(err) != c.code || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 2000 {
			t.Errorf("%s: %v, want %v and %q", name, err, c.code, c.want)
		}
	}
	ctx := t.Context()
	compressed := request(make([]float32, 1<<16)...) // of few bytes on the wire
	if _, err := s.client.ModelInfer(ctx, compressed, rpc.UseCompressor(gzip.Name)); status.Code(err) !=
		codes.ResourceExhausted {
		t.Errorf("too large when decompressed: %v", err)
	}
	for name, c := range map[string]struct {
		code codes.Code
		f    func() error
	}{
		"no metadata": {codes.NotFound, func() error {
			_, err := s.client.ModelMetadata(ctx, &inference.ModelMetadataRequest{Name: ".."})
			return err
		}},
		"an empty name": {codes.InvalidArgument, func() error {
			_, err := s.client.ModelConfig(ctx, &inference.ModelConfigRequest{})
			return err
		}},
		"a name with a path": {codes.NotFound, func() error {
			_, err := s.client.ModelStatistics(ctx, &inference.ModelStatisticsRequest{Name: "a/../../b?c#d%"})
			return err
		}},
		"ready without a name": {codes.InvalidArgument, func() error {
			_, err := s.client.ModelReady(ctx, &inference.ModelReadyRequest{})
			return err
		}},
		"another repository": {codes.Unimplemented, func() error {
			_, err := s.client.RepositoryIndex(ctx, &inference.RepositoryIndexRequest{RepositoryName: "r"})
			return err
		}},
		"control": {codes.PermissionDenied, func() error {
			_, err := s.client.RepositoryModelLoad(ctx, &inference.RepositoryModelLoadRequest{ModelName: "classifier"})
			return err
		}},
		"health of another": {codes.NotFound, func() error {
			_, err := s.health.Check(ctx, &healthpb.HealthCheckRequest{Service: "other"})
			return err
		}},
		"shared memory": {codes.Unimplemented, func() error {
			return s.conn.Invoke(ctx, "/inference.GRPCInferenceService/SystemSharedMemoryStatus",
				&inference.ServerLiveRequest{}, &inference.ServerLiveResponse{})
		}},
	} {
		if err := c.f(); status.Code(err) != c.code {
			t.Errorf("%s: %v, want %v", name, err, c.code)
		}
	}
	if _, err := s.client.ModelInfer(ctx, request(1, 2, 3, 4)); err != nil {
		t.Errorf("after all: %v", err)
	}
}

// TestElements: typed contents of all datatypes are those that the model gets, and what a datatype does not have is an
// error.
func TestElements(t *testing.T) {
	type contents = inference.InferTensorContents
	for name, c := range map[string]struct {
		d    nx.DType
		c    *contents
		want nx.Tensor // the zero tensor: an error
	}{
		"BOOL":   {nx.Bool, &contents{BoolContents: []bool{true, false}}, nx.New([]bool{true, false})},
		"INT8":   {nx.S8, &contents{IntContents: []int32{-128, 127}}, nx.New([]int8{-128, 127})},
		"INT16":  {nx.S16, &contents{IntContents: []int32{-32768, 3}}, nx.New([]int16{-32768, 3})},
		"INT32":  {nx.S32, &contents{IntContents: []int32{math.MinInt32, 1}}, nx.New([]int32{math.MinInt32, 1})},
		"INT64":  {nx.S64, &contents{Int64Contents: []int64{math.MinInt64, 5}}, nx.New([]int64{math.MinInt64, 5})},
		"UINT8":  {nx.U8, &contents{UintContents: []uint32{0, 255}}, nx.New([]uint8{0, 255})},
		"UINT16": {nx.U16, &contents{UintContents: []uint32{0, 65535}}, nx.New([]uint16{0, 65535})},
		"UINT32": {nx.U32, &contents{UintContents: []uint32{0, 1<<32 - 1}}, nx.New([]uint32{0, 1<<32 - 1})},
		"UINT64": {nx.U64, &contents{Uint64Contents: []uint64{0, 1<<64 - 1}}, nx.New([]uint64{0, 1<<64 - 1})},
		"FP32":   {nx.F32, &contents{Fp32Contents: []float32{1.5, -2}}, nx.New([]float32{1.5, -2})},
		"FP64":   {nx.F64, &contents{Fp64Contents: []float64{0.1, -2}}, nx.New([]float64{0.1, -2})},
		"128":    {nx.S8, &contents{IntContents: []int32{128, 0}}, nx.Tensor{}},
		"-32769": {nx.S16, &contents{IntContents: []int32{0, -32769}}, nx.Tensor{}},
		"256":    {nx.U8, &contents{UintContents: []uint32{256, 0}}, nx.Tensor{}},
		"FP16":   {nx.F16, &contents{Fp32Contents: []float32{1, 2}}, nx.Tensor{}},
		"BF16":   {nx.BF16, &contents{Fp32Contents: []float32{1, 2}}, nx.Tensor{}},
		"three":  {nx.F32, &contents{Fp32Contents: []float32{1, 2, 3}}, nx.Tensor{}},
	} {
		got, err := grpc.Elements(c.c, c.d, nx.Shape{2})
		if c.want.IsZero() != (err != nil) || err == nil && !bytes.Equal(got, nx.Bytes(c.want)) {
			t.Errorf("%s: %v %v, want %v", name, got, err, c.want)
		}
	}
}

// TestControl: models are loaded and unloaded by request where that is allowed, and only declared ones.
func TestControl(t *testing.T) {
	s := start(t, serve.Limits{Control: true}, grpc.Options{})
	ctx := t.Context()
	load := func(name string) error {
		_, err := s.client.RepositoryModelLoad(ctx, &inference.RepositoryModelLoadRequest{ModelName: name})
		return err
	}
	if err := load("classifier"); err != nil {
		t.Error(err)
	}
	for name, code := range map[string]codes.Code{"": codes.InvalidArgument, "none": codes.NotFound,
		"..": codes.NotFound, "../../etc/passwd": codes.NotFound, "a b\x00": codes.NotFound} {
		if err := load(name); status.Code(err) != code {
			t.Errorf("load %q: %v", name, err)
		}
	}
	_, err := s.client.RepositoryModelLoad(ctx, &inference.RepositoryModelLoadRequest{ModelName: "classifier",
		Parameters: map[string]*inference.ModelRepositoryParameter{"config": {}}})
	if status.Code(err) != codes.Unimplemented {
		t.Errorf("another configuration: %v", err)
	}
	if _, err := s.client.RepositoryModelUnload(ctx, &inference.RepositoryModelUnloadRequest{ModelName: "classifier",
		Parameters: map[string]*inference.ModelRepositoryParameter{"unload_dependents": {}}}); err != nil {
		t.Error(err)
	}
	if _, err := s.client.ModelInfer(ctx, request(1, 2, 3, 4)); status.Code(err) != codes.NotFound {
		t.Errorf("an unloaded model: %v", err)
	}
	if err := load("classifier"); err != nil {
		t.Error(err)
	}
	if _, err := s.client.ModelInfer(ctx, request(1, 2, 3, 4)); err != nil {
		t.Error(err)
	}
}

// TestStream: a stream has one response for each request, in their order, and errors do not end it.
func TestStream(t *testing.T) {
	s := start(t, serve.Limits{}, grpc.Options{Pipelined: 4})
	stream, err := s.client.ModelStreamInfer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const n = 200
	go func() {
		for i := range n {
			r := request(float32(i), 2, 3, 4)
			if r.Id = fmt.Sprint(i); i%10 == 3 {
				r.Inputs[0].Name = "y"
			}
			if i == 7 {
				r.Parameters = map[string]*inference.InferParameter{"triton_enable_empty_final_response": {
					ParameterChoice: &inference.InferParameter_BoolParam{BoolParam: true}}}
			}
			if err := stream.Send(r); err != nil {
				t.Error(err)
			}
		}
		if err := stream.CloseSend(); err != nil {
			t.Error(err)
		}
	}()
	for i := range n {
		a, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if a.GetInferResponse().GetId() != fmt.Sprint(i) || (a.GetErrorMessage() != "") != (i%10 == 3) ||
			a.GetInferResponse().GetParameters()["triton_final_response"].GetBoolParam() != (i == 7) {
			t.Fatalf("response %d: %v", i, a)
		}
		if i%10 != 3 {
			got := parsed(a.GetInferResponse().GetRawOutputContents()[0])
			near(t, fmt.Sprint(i), got, s.want(t, float32(i), 2, 3, 4))
		}
	}
	if _, err := stream.Recv(); !errors.Is(err, io.EOF) {
		t.Errorf("the end: %v", err)
	}
	// One whose client leaves in the middle.
	ctx, cancel := context.WithCancel(t.Context())
	left, err := s.client.ModelStreamInfer(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if err := left.Send(request(1, 2, 3, 4)); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	for err == nil {
		_, err = left.Recv()
	}
	if status.Code(err) != codes.Canceled {
		t.Errorf("after leaving: %v", err)
	}
}

// TestWaiting: a request whose client leaves is dropped before its batch, and one that waits when the server stops is
// answered.
func TestWaiting(t *testing.T) {
	s := start(t, serve.Limits{}, grpc.Options{}, serve.Delay(500*time.Millisecond))
	m, err := s.models.Get("classifier", "")
	if err != nil {
		t.Fatal(err)
	}
	waiting := func(n int) {
		t.Helper()
		for i := 0; m.Stats().Waiting != n; i++ {
			if i == 1000 {
				t.Fatalf("%d rows wait, want %d", m.Stats().Waiting, n)
			}
			time.Sleep(time.Millisecond)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := s.client.ModelInfer(ctx, request(1, 2, 3, 4))
		left <- err
	}()
	waiting(1)
	cancel()
	if err := <-left; status.Code(err) != codes.Canceled {
		t.Errorf("a client that left: %v", err)
	}
	waiting(0)
	if got := m.Stats(); got.Dropped != 1 || got.Batches != 0 {
		t.Errorf("%d dropped, %d batches", got.Dropped, got.Batches)
	}
	answered := make(chan error, 1)
	go func() {
		_, err := s.client.ModelInfer(t.Context(), request(1, 2, 3, 4))
		answered <- err
	}()
	waiting(1)
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-answered; err != nil {
		t.Errorf("a request that was taken: %v", err)
	}
	if _, err := s.client.ModelInfer(t.Context(), request(1, 2, 3, 4)); status.Code(err) != codes.Unavailable {
		t.Errorf("after the end: %v", err)
	}
}

// TestGrace: requests that take longer than the time to stop are cancelled.
func TestGrace(t *testing.T) {
	s := start(t, serve.Limits{}, grpc.Options{}, serve.Delay(time.Minute))
	answered := make(chan error, 1)
	go func() {
		_, err := s.client.ModelInfer(t.Context(), request(1, 2, 3, 4))
		answered <- err
	}()
	m, err := s.models.Get("classifier", "")
	if err != nil {
		t.Fatal(err)
	}
	for m.Stats().Waiting == 0 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("closing: %v", err)
	}
	if err := <-answered; err == nil {
		t.Error("the request is answered")
	}
}

// TestParallel: 16 clients that cancel and miss deadlines get no wrong answer, and no goroutine is left.
func TestParallel(t *testing.T) {
	s := start(t, serve.Limits{}, grpc.Options{})
	want := map[int][]float32{}
	for i := range 20 {
		want[i] = s.want(t, float32(i), 2, 3, 4)
	}
	var wait sync.WaitGroup
	for c := range 16 {
		wait.Go(func() {
			for k := range 200 {
				i := (c + k) % 20
				ctx, cancel := context.WithCancel(t.Context())
				switch k % 5 {
				case 1:
					go cancel()
				case 2:
					ctx, cancel = context.WithTimeout(ctx, time.Duration(k)*time.Microsecond)
				}
				a, err := s.client.ModelInfer(ctx, request(float32(i), 2, 3, 4))
				cancel()
				switch code := status.Code(err); {
				case err == nil:
					near(t, fmt.Sprint(i), parsed(a.GetRawOutputContents()[0]), want[i])
				case k%5 == 1 && code == codes.Canceled, k%5 == 2 && code == codes.DeadlineExceeded,
					k%5 == 2 && code == codes.Unavailable: // it would not have been answered before its deadline
				default:
					t.Errorf("%v", err)
				}
			}
		})
	}
	wait.Wait()
}

// TestLimits: requests beyond those that may run are refused before their message comes, and messages that do not come
// lose their place.
func TestLimits(t *testing.T) {
	s := start(t, serve.Limits{Concurrent: 2}, grpc.Options{ReadTimeout: time.Second})
	desc := rpc.StreamDesc{ClientStreams: true}
	open := func() rpc.ClientStream {
		stream, err := s.conn.NewStream(t.Context(), &desc, "/inference.GRPCInferenceService/ModelInfer")
		if err != nil {
			t.Fatal(err)
		}
		return stream
	}
	begin := time.Now()
	silent := []rpc.ClientStream{open(), open()} // which send nothing
	conn, err := rpc.NewClient(s.conn.Target(), rpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	other := inference.NewGRPCInferenceServiceClient(conn)
	refused := false
	for !refused && time.Since(begin) < 900*time.Millisecond {
		_, err := other.ModelInfer(t.Context(), request(1, 2, 3, 4))
		refused = status.Code(err) == codes.Unavailable
	}
	if !refused {
		t.Error("a third request is not refused")
	}
	if _, err := other.ServerLive(t.Context(), &inference.ServerLiveRequest{}); err != nil {
		t.Errorf("other calls: %v", err)
	}
	for _, stream := range silent {
		if err := stream.RecvMsg(&inference.ModelInferResponse{}); err == nil {
			t.Error("a request without a message is answered")
		}
	}
	if _, err := other.ModelInfer(t.Context(), request(1, 2, 3, 4)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestReload: a server answers while new versions are loaded.
func TestReload(t *testing.T) {
	s := start(t, serve.Limits{Control: true}, grpc.Options{})
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := s.client.ModelInfer(t.Context(), request(1, 2, 3, 4)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 5 {
		if _, err := s.client.RepositoryModelLoad(t.Context(),
			&inference.RepositoryModelLoadRequest{ModelName: "classifier"}); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wait.Wait()
}

// TestClose: a server that stops is not ready, and answers what it has; watchers and streams hear of it.
func TestClose(t *testing.T) {
	s := start(t, serve.Limits{}, grpc.Options{})
	watch, err := s.health.Watch(t.Context(), &healthpb.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	unknown, err := s.health.Watch(t.Context(), &healthpb.HealthCheckRequest{Service: "none"})
	if err != nil {
		t.Fatal(err)
	}
	heard := func(w rpc.ServerStreamingClient[healthpb.HealthCheckResponse],
		want healthpb.HealthCheckResponse_ServingStatus) {
		t.Helper()
		if got, err := w.Recv(); err != nil || got.GetStatus() != want {
			t.Errorf("%v %v, want %v", got, err, want)
		}
	}
	heard(watch, healthpb.HealthCheckResponse_SERVING)
	heard(unknown, healthpb.HealthCheckResponse_SERVICE_UNKNOWN)
	stream, err := s.client.ModelStreamInfer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(request(1, 2, 3, 4)); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	s.models.Drain()
	heard(watch, healthpb.HealthCheckResponse_NOT_SERVING)
	if a, err := s.health.Check(t.Context(), &healthpb.HealthCheckRequest{}); err != nil ||
		a.GetStatus() != healthpb.HealthCheckResponse_NOT_SERVING {
		t.Errorf("health: %v %v", a, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
	if _, err := watch.Recv(); status.Code(err) != codes.Unavailable {
		t.Errorf("watching: %v", err)
	}
	if _, err := stream.Recv(); status.Code(err) != codes.Unavailable {
		t.Errorf("the stream: %v", err)
	}
}

// TestLog: each request has a line.
func TestLog(t *testing.T) {
	var mutex sync.Mutex
	var text bytes.Buffer
	log := slog.New(slog.NewTextHandler(writerFunc(func(b []byte) (int, error) {
		mutex.Lock()
		defer mutex.Unlock()
		return text.Write(b)
	}), nil))
	s := start(t, serve.Limits{Log: log}, grpc.Options{})
	bad := request(1, 2, 3, 4)
	bad.ModelName = "none"
	if _, err := s.client.ModelInfer(t.Context(), bad); err == nil {
		t.Error("no error")
	}
	mutex.Lock()
	defer mutex.Unlock()
	for _, want := range []string{"path=/inference.GRPCInferenceService/ModelInfer", "status=NotFound", "id=",
		"from=127"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s, want %s", &text, want)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
