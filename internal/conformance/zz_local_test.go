package conformance

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLocalFull(t *testing.T) {
	for _, folder := range strings.Split(os.Getenv("FULL"), ",") {
		if folder == "" {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(folder, "*.mlir"))
		ok := 0
		for _, f := range files {
			t0 := time.Now()
			err := RunFile(context.Background(), f, Interp())
			if d := time.Since(t0); d > time.Second {
				t.Logf("SLOW %s %v", f, d)
			}
			if err != nil {
				t.Logf("FAIL %s\n%s", filepath.Base(f), clip(err.Error(), 900))
			} else {
				ok++
			}
		}
		t.Logf("%s: %d of %d", folder, ok, len(files))
	}
}
