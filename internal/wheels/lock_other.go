//go:build !unix

package wheels

import (
	"context"
	"os"
)

// lock makes a folder: [Install] serves Linux alone.
func lock(_ context.Context, dir string, _ func()) (free func(), waited bool, err error) {
	return func() {}, false, os.MkdirAll(dir, 0o755)
}
