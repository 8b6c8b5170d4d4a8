package grpc

import (
	"errors"
	"io"

	rpc "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/go-nx/nx/serve/grpc/inference"
)

// ModelStreamInfer answers the requests of a stream in their order, each by one response, several of them computed at
// a time. A request that fails has its error in error_message, and the stream goes on.
func (g *Server) ModelStreamInfer(s rpc.BidiStreamingServer[inference.ModelInferRequest,
	inference.ModelStreamInferResponse]) error {
	answers := make(chan chan *inference.ModelStreamInferResponse, g.o.Pipelined)
	var ended error // why there are no more requests, when answers is closed
	received := make(chan struct{})
	go func() {
		defer close(received)
		defer close(answers)
		for {
			r, err := s.Recv()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					ended = err
				}
				return
			}
			one := make(chan *inference.ModelStreamInferResponse, 1)
			select {
			case answers <- one: // the next request is received when one of those before it is answered
			case <-s.Context().Done():
				return
			}
			go func() { one <- g.respond(s, r) }()
		}
	}()
	for {
		var one chan *inference.ModelStreamInferResponse
		ok := false
		select {
		case one, ok = <-answers:
		case <-g.stopping:
			select {
			case one, ok = <-answers:
			default:
				return status.Error(codes.Unavailable, "the server stops") // which ends Recv
			}
		}
		if !ok {
			<-received
			return ended
		}
		if err := s.Send(<-one); err != nil {
			return err
		}
	}
}

// respond computes one answer of a stream.
func (g *Server) respond(s rpc.ServerStream, r *inference.ModelInferRequest) (
	answer *inference.ModelStreamInferResponse) {
	l := line{ctx: s.Context()}
	var err error
	defer func() {
		if err = l.end(recover(), err); err != nil {
			answer = &inference.ModelStreamInferResponse{ErrorMessage: status.Convert(err).Message(),
				InferResponse: &inference.ModelInferResponse{ModelName: r.GetModelName(),
					ModelVersion: r.GetModelVersion(), Id: r.GetId()}}
		} else if r.GetParameters()["triton_enable_empty_final_response"].GetBoolParam() {
			answer.InferResponse.Parameters = map[string]*inference.InferParameter{"triton_final_response": {
				ParameterChoice: &inference.InferParameter_BoolParam{BoolParam: true}}}
		}
	}()
	out, err := g.ModelInfer(s.Context(), r)
	return &inference.ModelStreamInferResponse{InferResponse: out}
}
