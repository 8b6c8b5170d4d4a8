package kit

import (
	"os"
	"os/exec"
	"testing"
)

// Alone reports whether the test runs in a process of its own. Where it does not, Alone runs it in one, and the test
// fails where that fails: what a process does once, such as opening the default client, is then still to be done.
func Alone(t *testing.T) bool {
	t.Helper()
	const variable = "NX_TEST_ALONE"
	if os.Getenv(variable) == t.Name() {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), variable+"="+t.Name())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("in a process of its own: %v\n%s", err, out)
	}
	return false
}
