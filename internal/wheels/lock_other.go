//go:build !unix

package wheels

import (
	"context"
	"os"
)

// lock creates a folder: [Install] only supports Linux.
func lock(_ context.Context, dir string, _ func()) (free func(), waited bool, err error) {
	return func() {}, false, os.MkdirAll(dir, 0o755)
}
