package grpc

import (
	"context"
	"encoding/json"
	"net/url"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/go-nx/nx/serve/grpc/inference"
)

// read fills a message with the answer of HTTP, whose JSON has the fields of the message.
func (g *Server) read(ctx context.Context, method, path string, body []byte, field string, to proto.Message) error {
	text, err := g.serve.Document(ctx, method, path, body)
	if err != nil {
		return err
	}
	if field != "" {
		if text, err = json.Marshal(map[string]json.RawMessage{field: text}); err != nil {
			return err
		}
	}
	return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(text, to)
}

// pathOf returns the path of a model. Names that a path cannot have are escaped.
func pathOf(name, version, end string) (string, error) {
	if name == "" {
		return "", invalid("the name of the model is empty")
	}
	path := "/v2/models/" + escape(name)
	if version != "" {
		path += "/versions/" + escape(version)
	}
	return path + end, nil
}

// escape makes a text a part of a path, "." and ".." too.
func escape(name string) string {
	out := url.PathEscape(name)
	if name == "." || name == ".." {
		out = "%2e" + out[1:]
	}
	return out
}

// ServerLive reports that the server answers.
func (g *Server) ServerLive(context.Context, *inference.ServerLiveRequest) (*inference.ServerLiveResponse, error) {
	return &inference.ServerLiveResponse{Live: true}, nil
}

// ServerReady reports whether all models are ready, and the server does not stop.
func (g *Server) ServerReady(context.Context, *inference.ServerReadyRequest) (*inference.ServerReadyResponse, error) {
	return &inference.ServerReadyResponse{Ready: g.ready()}, nil
}

func (g *Server) ready() bool {
	select {
	case <-g.stopping:
		return false
	default:
		return g.serve.Repository().Ready()
	}
}

// ModelReady reports whether a model is there.
func (g *Server) ModelReady(_ context.Context, r *inference.ModelReadyRequest) (*inference.ModelReadyResponse, error) {
	if r.GetName() == "" {
		return nil, invalid("the name of the model is empty")
	}
	_, err := g.serve.Repository().Get(r.GetName(), r.GetVersion())
	return &inference.ModelReadyResponse{Ready: err == nil}, nil
}

// ServerMetadata describes the server.
func (g *Server) ServerMetadata(ctx context.Context, _ *inference.ServerMetadataRequest) (
	*inference.ServerMetadataResponse, error) {
	out := &inference.ServerMetadataResponse{}
	return out, g.read(ctx, "GET", "/v2", nil, "", out)
}

// ModelMetadata describes a model.
func (g *Server) ModelMetadata(ctx context.Context, r *inference.ModelMetadataRequest) (
	*inference.ModelMetadataResponse, error) {
	out := &inference.ModelMetadataResponse{}
	path, err := pathOf(r.GetName(), r.GetVersion(), "")
	if err != nil {
		return nil, err
	}
	return out, g.read(ctx, "GET", path, nil, "", out)
}

// ModelConfig is the part of Triton's configuration that clients read.
func (g *Server) ModelConfig(ctx context.Context, r *inference.ModelConfigRequest) (
	*inference.ModelConfigResponse, error) {
	out := &inference.ModelConfigResponse{}
	path, err := pathOf(r.GetName(), r.GetVersion(), "/config")
	if err != nil {
		return nil, err
	}
	return out, g.read(ctx, "GET", path, nil, "config", out)
}

// ModelStatistics are numbers of a model, or of all.
func (g *Server) ModelStatistics(ctx context.Context, r *inference.ModelStatisticsRequest) (
	*inference.ModelStatisticsResponse, error) {
	out := &inference.ModelStatisticsResponse{}
	path := "/v2/models/stats"
	if r.GetName() != "" {
		var err error
		if path, err = pathOf(r.GetName(), r.GetVersion(), "/stats"); err != nil {
			return nil, err
		}
	}
	return out, g.read(ctx, "GET", path, nil, "", out)
}

// RepositoryIndex lists the models with their states.
func (g *Server) RepositoryIndex(ctx context.Context, r *inference.RepositoryIndexRequest) (
	*inference.RepositoryIndexResponse, error) {
	if err := oneRepository(r.GetRepositoryName()); err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]bool{"ready": r.GetReady()})
	if err != nil {
		return nil, err
	}
	out := &inference.RepositoryIndexResponse{}
	return out, g.read(ctx, "POST", "/v2/repository/index", body, "models", out)
}

// RepositoryModelLoad loads the newest version of a model, if the server allows that.
func (g *Server) RepositoryModelLoad(ctx context.Context, r *inference.RepositoryModelLoadRequest) (
	*inference.RepositoryModelLoadResponse, error) {
	out := &inference.RepositoryModelLoadResponse{}
	return out, g.control(ctx, r.GetRepositoryName(), r.GetModelName(), "load", r.GetParameters(), out)
}

// RepositoryModelUnload stops serving a model, if the server allows that.
func (g *Server) RepositoryModelUnload(ctx context.Context, r *inference.RepositoryModelUnloadRequest) (
	*inference.RepositoryModelUnloadResponse, error) {
	out := &inference.RepositoryModelUnloadResponse{}
	return out, g.control(ctx, r.GetRepositoryName(), r.GetModelName(), "unload", r.GetParameters(), out)
}

func (g *Server) control(ctx context.Context, repository, name, what string,
	parameters map[string]*inference.ModelRepositoryParameter, out proto.Message) error {
	if err := oneRepository(repository); err != nil {
		return err
	}
	if name == "" {
		return invalid("model_name is empty")
	}
	given := map[string]bool{} // only the names matter
	for p := range parameters {
		given[p] = true
	}
	body, err := json.Marshal(map[string]any{"parameters": given})
	if err != nil {
		return err
	}
	return g.read(ctx, "POST", "/v2/repository/models/"+escape(name)+"/"+what, body, "", out)
}

func oneRepository(name string) error {
	if name == "" {
		return nil
	}
	return status.Errorf(codes.Unimplemented, "repository_name is %.100q, and this server has one without a name", name)
}
