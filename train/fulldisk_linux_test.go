package train_test

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/go-nx/nx/train"
)

const limitVariable = "NX_TEST_TRAIN_LIMIT"

func init() { children["limited"] = trainLimited }

// trainLimited trains in a process that lets no file grow beyond a limit, as a full disk does. It returns what is
// wrong.
func trainLimited(dir string) error {
	n, err := strconv.ParseUint(os.Getenv(limitVariable), 10, 64)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	limit.Cur = n
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	_, err = lineRun(dir, -1, train.Every(1))
	if !errors.Is(err, syscall.EFBIG) || !strings.Contains(err.Error(), "could not be written") {
		return fmt.Errorf("got %w", err)
	}
	return nil
}

func TestFullDisk(t *testing.T) {
	want, dir := t.TempDir(), t.TempDir()
	if _, err := lineRun(want, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := lineRun(dir, 4); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(stepFile(dir, 4))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 100, len(old) - 1} {
		cmd := child("limited", dir)
		cmd.Env = append(cmd.Env, fmt.Sprint(limitVariable, "=", n))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("limit %d: %v: %s", n, err, out)
		}
		got, err := os.ReadFile(stepFile(dir, 4))
		if err != nil || names(t, dir) != "2 4" || string(got) != string(old) {
			t.Fatalf("limit %d: files %s, %v", n, names(t, dir), err)
		}
	}
	if _, err := lineRun(dir, -1); err != nil || !same(t, stepFile(want, 8), stepFile(dir, 8)) {
		t.Error("the run does not go on when there is space:", err)
	}
}
