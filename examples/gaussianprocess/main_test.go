package main

import (
	"bytes"
	"encoding/xml"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The fit is a minimum, and the true parameters are within the uncertainty of the Hessian.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for seed := range uint64(3) {
		var out bytes.Buffer
		f, err := run(dir, seed+1, &out)
		if err != nil {
			t.Fatal(err)
		}
		if f.slope > 1e-6 {
			t.Errorf("seed %d: the gradient is %g at the fit", seed+1, f.slope)
		}
		for i, name := range names {
			if !(f.errors[i] > 0 && math.Abs(f.p[i]-trueParams[i]) < 3.5*f.errors[i]) {
				t.Errorf("seed %d: %s is %.3f ± %.3f, in truth %.3f\n%s", seed+1, name, f.p[i],
					f.errors[i], trueParams[i],
					out.String())
			}
		}
		if f.inside < 0.8 {
			t.Errorf("seed %d: %.0f%% of the function is where it is expected", seed+1, 100*f.inside)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "gaussianprocess.svg"))
	if err != nil || xml.Unmarshal(text, new(struct{})) != nil {
		t.Errorf("the picture: %v", err)
	}
}
