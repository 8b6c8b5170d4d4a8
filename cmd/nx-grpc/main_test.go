//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	rpc "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/serve/grpc/inference"
)

const classifier = "../../internal/nxtests/onnx/testdata/classifier.onnx"

// asProcess makes the test binary be nx-grpc.
const asProcess = "NX_TEST_AS_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(asProcess) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestServe: one process serves HTTP and gRPC, with the same statistics. While clients send requests and hold a stream,
// SIGHUP loads the model again, and SIGTERM ends it with 0 when all is answered.
func TestServe(t *testing.T) {
	c := exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--grpc", "127.0.0.1:0", "--grpc-reflection",
		"--quiet", classifier)
	c.Env = append(os.Environ(), asProcess+"=1")
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill() }() // it has ended if all is well
	web, address := "", ""
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(stderr); s.Scan(); {
			lines <- s.Text()
		}
	}()
	until := func(want string) {
		t.Helper()
		for line := range lines {
			if _, at, ok := strings.Cut(line, "address=http://"); ok {
				web = at
			}
			if _, at, ok := strings.Cut(line, "address=grpc://"); ok {
				address = at
			}
			if strings.Contains(line, want) {
				return
			}
		}
		t.Fatalf("the server ended without %q", want)
	}
	until("msg=ready")
	conn, err := rpc.NewClient(address, rpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := inference.NewGRPCInferenceServiceClient(conn)
	if a, err := healthpb.NewHealthClient(conn).Check(t.Context(), &healthpb.HealthCheckRequest{}); err != nil ||
		a.GetStatus() != healthpb.HealthCheckResponse_SERVING {
		t.Fatalf("health: %v %v", a, err)
	}
	x := &inference.ModelInferRequest_InferInputTensor{Name: "x", Datatype: "FP32", Shape: []int64{1, 4}}
	request := &inference.ModelInferRequest{ModelName: "classifier",
		Inputs:           []*inference.ModelInferRequest_InferInputTensor{x},
		RawInputContents: [][]byte{nx.Bytes(nx.New([]float32{1, 2, 3, 4}))}}
	if _, err := client.ModelInfer(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	a, err := http.Get("http://" + web + "/v2/models/classifier/stats")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(a.Body)
	a.Body.Close()
	if err != nil || !strings.Contains(string(text), `"inference_count":1`) {
		t.Errorf("statistics over HTTP: %s %v", text, err)
	}
	stream, err := client.ModelStreamInfer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(request); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 4)
	for range cap(ended) {
		go func() {
			for {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				_, err := client.ModelInfer(ctx, request)
				cancel()
				if err != nil {
					ended <- err
					return
				}
			}
		}()
	}
	for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if signal == syscall.SIGHUP {
			until("msg=loaded")
		}
	}
	until("msg=stopped")
	for range lines {
	}
	if err := c.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	for range cap(ended) { // each request was answered, or not taken
		if err := <-ended; status.Code(err) != codes.Unavailable {
			t.Errorf("at the end: %v", err)
		}
	}
	if _, err := stream.Recv(); status.Code(err) != codes.Unavailable || errors.Is(err, io.EOF) {
		t.Errorf("the stream: %v", err)
	}
}

// TestErrors: flags that are wrong name themselves.
func TestErrors(t *testing.T) {
	for name, args := range map[string][]string{
		"--grpc":     {"--grpc", "nowhere:x"},
		"--tls-cert": {"--grpc", "127.0.0.1:0", "--tls-cert", "none.pem"},
		"none.onnx":  {"--grpc", "127.0.0.1:0", "none.onnx"},
	} {
		args = append(append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), classifier)
		c := exec.Command(os.Args[0], args...)
		c.Env = append(os.Environ(), asProcess+"=1")
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), name) {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
}
