package kit

import (
	"context"
	"sync/atomic"

	"github.com/go-nx/nx/telemetry"
)

// Compilations returns how many programs are compiled while f runs.
func Compilations(f func()) int {
	var n atomic.Int64
	stop := telemetry.Listen(func(_ context.Context, e telemetry.Event) {
		if e.Name == telemetry.Compilation && e.Err == nil {
			n.Add(1)
		}
	})
	defer stop()
	f()
	return int(n.Load())
}
