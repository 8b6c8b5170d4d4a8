//go:build unix

package wheels

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asHolder makes the test binary take a folder and keep it until it is killed.
const asHolder = "NX_TEST_HOLDER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asHolder); dir != "" {
		_, _, err := lock(context.Background(), dir, func() {})
		fmt.Println("held", err)
		select {}
	}
	os.Exit(m.Run())
}

// The second of two installations into one folder waits for the first, and then does nothing.
func TestTwoInstallations(t *testing.T) {
	s, folder := newServer(t, wheel(t, plugin)), filepath.Join(t.TempDir(), "cuda13")
	into := func(ctx context.Context, progress func(string)) error {
		return Install(ctx, List("the-plugin==1.2"), s.URL+"/simple", folder, progress)
	}
	first, second := make(chan error, 1), make(chan error, 1)
	begun, goOn, waits := make(chan struct{}), make(chan struct{}), make(chan string, 1)
	go func() {
		first <- into(context.Background(), func(string) {
			close(begun)
			<-goOn
		})
	}()
	<-begun
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := into(ctx, func(string) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("one that is told to stop: %v", err)
	}
	go func() {
		second <- into(context.Background(), func(what string) { waits <- what })
	}()
	if what := <-waits; !strings.Contains(what, "another process installs into "+folder) {
		t.Errorf("the second says %q", what)
	}
	select {
	case err := <-second:
		t.Fatalf("the second did not wait: %v", err)
	case <-time.After(150 * time.Millisecond):
	}
	close(goOn)
	if err := errors.Join(<-first, <-second); err != nil {
		t.Fatal(err)
	}
	if len(s.requests) != 2 { // the index and the package
		t.Errorf("requested: %q", s.requests)
	}
	left, err := os.ReadDir(filepath.Dir(folder))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the folder is %v, %v", left, err)
	}
}

// Two installations of different packages into one folder run one after the other; the folder holds the
// complete last one.
func TestManyInstallations(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x.downloads")
	inside, most := make(chan struct{}, 8), 0
	done := make(chan error)
	for range 8 {
		go func() {
			free, _, err := lock(context.Background(), dir, func() {})
			if err == nil {
				inside <- struct{}{}
				most = max(most, len(inside)) // only one runs at a time: otherwise the race detector reports it
				time.Sleep(time.Millisecond)
				<-inside
				err = os.RemoveAll(dir)
				free()
			}
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if most != 1 {
		t.Errorf("%d were inside at once", most)
	}
}

// A process that is killed releases the lock.
func TestKilledInstallation(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x.downloads")
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), asHolder+"="+dir)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "held <nil>\n" {
		t.Errorf("the process says %q", line)
	}
	waiting := func() {
		if err := c.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = c.Wait() // it was killed
	}
	free, waited, err := lock(context.Background(), dir, waiting)
	if err != nil || !waited {
		t.Fatalf("waited: %v, %v", waited, err)
	}
	free()
}
