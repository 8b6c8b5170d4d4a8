package grpc

import (
	"compress/flate"
	"compress/zlib"
	"io"

	"google.golang.org/grpc/encoding"
)

// deflate is a compression that clients of gRPC's C core have besides gzip.
type deflate struct{}

func init() { encoding.RegisterCompressor(deflate{}) }

// Name is that of the protocol.
func (deflate) Name() string { return "deflate" }

// Compress returns a writer that compresses what it gets.
func (deflate) Compress(w io.Writer) (io.WriteCloser, error) {
	return zlib.NewWriterLevel(w, flate.BestSpeed)
}

// Decompress returns a reader of what was compressed. gRPC bounds its bytes.
func (deflate) Decompress(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }
