package grpc

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	rpc "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/go-nx/nx/serve"
)

// statusOf returns an error with the code that Triton has for it. Errors of gRPC stay.
func statusOf(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := status.FromError(err); ok {
		return err
	}
	code := codes.Internal
	switch serve.Status(err) {
	case http.StatusBadRequest:
		code = codes.InvalidArgument
	case http.StatusNotFound:
		code = codes.NotFound
	case http.StatusForbidden:
		code = codes.PermissionDenied
	case http.StatusRequestEntityTooLarge:
		code = codes.ResourceExhausted
	case http.StatusNotImplemented:
		code = codes.Unimplemented
	case http.StatusServiceUnavailable:
		code = codes.Unavailable
	case http.StatusGatewayTimeout:
		code = codes.DeadlineExceeded
	case 499:
		code = codes.Canceled
	}
	const most = 2000 // bytes of a trailer, which clients bound
	text := err.Error()
	text = strings.ToValidUTF8(text[:min(len(text), most)], "")
	return status.Error(code, text)
}

// unknown answers calls of Triton that this server does not have.
func unknown(_ any, s rpc.ServerStream) error {
	method, _ := rpc.MethodFromServerStream(s)
	return status.Errorf(codes.Unimplemented, "this server has no %s: shared memory, traces and settings of the log are "+
		"not supported", method)
}

// unary is around each request: its panics are errors, and it has a line in the log.
func (g *Server) unary(ctx context.Context, r any, info *rpc.UnaryServerInfo, next rpc.UnaryHandler) (
	answer any, err error) {
	arrived(ctx)
	l := g.begin(ctx, info.FullMethod)
	if l.id != "" {
		_ = rpc.SetHeader(ctx, metadata.Pairs(requestID, l.id)) // fails when the client has left
	}
	defer func() {
		err = l.end(recover(), err)
	}()
	return next(ctx, r)
}

// stream is around each stream, as unary is around other requests.
func (g *Server) stream(srv any, s rpc.ServerStream, info *rpc.StreamServerInfo, next rpc.StreamHandler) (err error) {
	l := g.begin(s.Context(), info.FullMethod)
	if l.id != "" {
		_ = s.SetHeader(metadata.Pairs(requestID, l.id))
	}
	defer func() {
		err = l.end(recover(), err)
	}()
	return next(srv, s)
}

const requestID = "x-request-id"

// line is a line of the log.
type line struct {
	log        *slog.Logger
	ctx        context.Context
	id, method string
	start      time.Time
}

func (g *Server) begin(ctx context.Context, method string) line {
	l := line{log: g.serve.Limits().Log, ctx: ctx, method: method, start: time.Now()}
	given := metadata.ValueFromIncomingContext(ctx, requestID)
	if len(given) > 0 && len(given[0]) <= 128 {
		l.id = given[0] // printable, as all metadata of text
	} else if l.log != nil {
		l.id = rand.Text()
	}
	return l
}

// end returns the error of the request with its code.
func (l line) end(panicked any, err error) error {
	if panicked != nil {
		slog.Error("serve: a request panicked", "request", l.id, "error", panicked, "stack", string(debug.Stack()))
		err = status.Error(codes.Internal, "internal error, request "+l.id)
	}
	err = statusOf(err)
	if l.log != nil {
		from := ""
		if p, ok := peer.FromContext(l.ctx); ok {
			from = p.Addr.String()
		}
		l.log.LogAttrs(l.ctx, slog.LevelInfo, "request", slog.String("id", l.id), slog.String("method", "gRPC"),
			slog.String("path", l.method), slog.String("status", status.Code(err).String()),
			slog.Duration("took", time.Since(l.start)), slog.String("from", from))
	}
	return err
}
