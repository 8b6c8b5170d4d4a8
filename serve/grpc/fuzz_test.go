package grpc_test

import (
	"context"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/go-nx/nx/serve"
	"github.com/go-nx/nx/serve/grpc"
	"github.com/go-nx/nx/serve/grpc/inference"
)

// FuzzInfer: no message of a request ends the process, and none is an error of the server.
func FuzzInfer(f *testing.F) {
	r := serve.NewRepository()
	if _, err := r.Declare(serve.Source{Path: classifier, Batch: []serve.Option{quiet}}); err != nil {
		f.Fatal(err)
	}
	if err := r.Load(context.Background(), "classifier"); err != nil {
		f.Fatal(err)
	}
	g := grpc.New(serve.NewServer(r, serve.Limits{Body: 1 << 16, Rows: 64}), grpc.Options{})
	typed := request(1, 2, 3, 4)
	typed.RawInputContents = nil
	typed.Inputs[0].Contents = &inference.InferTensorContents{Fp32Contents: []float32{1, 2, 3, 4}}
	named := request(1, 2, 3, 4, 5, 6, 7, 8)
	named.Outputs = []*inference.ModelInferRequest_InferRequestedOutputTensor{{Name: "logits",
		Parameters: map[string]*inference.InferParameter{"binary_data": {}}}}
	for _, r := range []*inference.ModelInferRequest{request(1, 2, 3, 4), typed, named} {
		text, err := proto.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := &inference.ModelInferRequest{}
		if proto.Unmarshal(text, r) != nil {
			return
		}
		answer, err := g.ModelInfer(t.Context(), r)
		switch code := status.Code(grpc.StatusOf(err)); code {
		case codes.OK:
			if len(answer.GetOutputs()) != len(answer.GetRawOutputContents()) || len(answer.GetOutputs()) == 0 {
				t.Errorf("%v", answer)
			}
		case codes.InvalidArgument, codes.NotFound, codes.Unimplemented:
		default:
			t.Errorf("%v", err)
		}
	})
}
