package grpc

import (
	"context"
	"time"

	rpc "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/go-nx/nx/serve/grpc/inference"
)

// health returns the status of a service: the empty name stands for the server.
func (g *Server) health(service string) healthpb.HealthCheckResponse_ServingStatus {
	switch {
	case service != "" && service != inference.GRPCInferenceService_ServiceDesc.ServiceName:
		return healthpb.HealthCheckResponse_SERVICE_UNKNOWN
	case g.ready():
		return healthpb.HealthCheckResponse_SERVING
	}
	return healthpb.HealthCheckResponse_NOT_SERVING
}

// Check reports whether all models are ready, and the server does not stop.
func (g *Server) Check(_ context.Context, r *healthpb.HealthCheckRequest) (*healthpb.HealthCheckResponse, error) {
	now := g.health(r.GetService())
	if now == healthpb.HealthCheckResponse_SERVICE_UNKNOWN {
		return nil, status.Errorf(codes.NotFound, "there is no service %.100q", r.GetService())
	}
	return &healthpb.HealthCheckResponse{Status: now}, nil
}

// List reports what Check does of all services.
func (g *Server) List(context.Context, *healthpb.HealthListRequest) (*healthpb.HealthListResponse, error) {
	out := &healthpb.HealthListResponse{Statuses: map[string]*healthpb.HealthCheckResponse{}}
	for _, name := range []string{"", inference.GRPCInferenceService_ServiceDesc.ServiceName} {
		out.Statuses[name] = &healthpb.HealthCheckResponse{Status: g.health(name)}
	}
	return out, nil
}

// Watch reports what Check does, and again when it has changed.
func (g *Server) Watch(r *healthpb.HealthCheckRequest,
	s rpc.ServerStreamingServer[healthpb.HealthCheckResponse]) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	last := healthpb.HealthCheckResponse_UNKNOWN
	for {
		if now := g.health(r.GetService()); now != last {
			last = now
			if err := s.Send(&healthpb.HealthCheckResponse{Status: now}); err != nil {
				return err
			}
		}
		select {
		case <-tick.C:
			continue
		case <-s.Context().Done():
			return s.Context().Err()
		case <-g.stopping:
		}
		if last == healthpb.HealthCheckResponse_SERVING {
			_ = s.Send(&healthpb.HealthCheckResponse{Status: healthpb.HealthCheckResponse_NOT_SERVING})
		}
		return status.Error(codes.Unavailable, "the server stops")
	}
}
