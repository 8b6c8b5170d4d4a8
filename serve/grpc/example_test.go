package grpc_test

import (
	"context"
	"fmt"
	"net"

	rpc "google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/serve"
	"github.com/go-nx/nx/serve/grpc"
	"github.com/go-nx/nx/serve/grpc/inference"
)

func ExampleNew() {
	ctx := context.Background()
	models := serve.NewRepository()
	name, err := models.Declare(serve.Source{Path: classifier})
	if err != nil {
		panic(err)
	}
	if err := models.Load(ctx, name); err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	// server
	s := serve.NewServer(models, serve.Limits{}) // a handler of HTTP
	g := grpc.New(s, grpc.Options{})             // with its limits, batches and statistics
	go g.Serve(listener)
	// client
	conn, err := rpc.NewClient(listener.Addr().String(), rpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	answer, err := inference.NewGRPCInferenceServiceClient(conn).ModelInfer(ctx, &inference.ModelInferRequest{
		ModelName: "classifier",
		Inputs: []*inference.ModelInferRequest_InferInputTensor{{
			Name: "x", Datatype: "FP32", Shape: []int64{1, 4},
			Contents: &inference.InferTensorContents{Fp32Contents: []float32{1, 2, 3, 4}},
		}},
	})
	if err != nil {
		panic(err)
	}
	logits := nx.FromBytes(answer.GetRawOutputContents()[0], nx.Shape{3}, nx.F32)
	fmt.Println(nx.Data[float32](logits))
	// end
	if err := g.Close(ctx); err != nil {
		panic(err)
	}
	// Output: [0.466063 0.24876142 0.14825542]
}
