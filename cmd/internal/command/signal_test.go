//go:build unix

package command

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asProcess makes the test binary be nx: a signal is sent to a process.
const asProcess = "NX_TEST_AS_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(asProcess) != "" {
		Nx.Main()
	}
	os.Exit(m.Run())
}

// manyOps is a program that takes long to compile.
func manyOps(n int) string {
	var b strings.Builder
	b.WriteString(
		"func.func @main() -> tensor<8xf32> {\n  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%%d = stablehlo.%s %%%d, %%%d : tensor<8xf32>\n", i+1,
			[]string{"add", "multiply", "subtract"}[i%3], i, i*7/11)
	}
	fmt.Fprintf(&b, "  return %%%d : tensor<8xf32>\n}\n", n)
	return b.String()
}

// bothSignals makes [TestSignals] send both signals to each command, instead of alternating.
var bothSignals = flag.Bool("both-signals", false, "send each command SIGINT and SIGTERM, one run each")

// TestSignals: one SIGINT or SIGTERM ends nx within a second, whatever it does, with a status other than 0;
// its output file is unchanged. The times of the signal and of the reaction are measured in its own processor
// time.
func TestSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes that compute for seconds")
	}
	const sorted = `func.func @main() -> tensor<4000000xf32> {
  %x = stablehlo.iota dim = 0 : tensor<4000000xf32>
  %y = stablehlo.sine %x : tensor<4000000xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = "stablehlo.sort"(%y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = stablehlo.subtract %a, %b : tensor<f32>
    %p = stablehlo.compare LT, %d, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4000000xf32>) -> tensor<4000000xf32>
  return %s : tensor<4000000xf32>
}`
	const window = `func.func @main() -> tensor<701x701xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.iota dim = 0 : tensor<1000x1000xf32>
  %s = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }) {window_dimensions = array<i64: 300, 300>} : (tensor<1000x1000xf32>, tensor<f32>) -> tensor<701x701xf32>
  return %s : tensor<701x701xf32>
}`
	const prime = `func.func @main() -> tensor<16777199xcomplex<f32>> {
  %x = stablehlo.iota dim = 0 : tensor<16777199xf32>
  %y = stablehlo.complex %x, %x : tensor<16777199xcomplex<f32>>
  %s = stablehlo.fft %y, type = FFT, length = [16777199] : (tensor<16777199xcomplex<f32>>) -> tensor<16777199xcomplex<f32>>
  return %s : tensor<16777199xcomplex<f32>>
}`
	const printed = `func.func @main() {
  %x = stablehlo.iota dim = 0 : tensor<50000000xf32>
  interpreter.print %x : tensor<50000000xf32>
  return
}`
	const large = `func.func @main() -> tensor<200000000xf32> {
  %x = stablehlo.iota dim = 0 : tensor<200000000xf32>
  return %x : tensor<200000000xf32>
}`
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	of := strings.NewReplacer("@main()", "@main(%x: tensor<8xf32>)", // of an argument, to differentiate by
		"stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>", "stablehlo.sine %x")
	x := file("x.npy", "\x93NUMPY\x01\x00\x76\x00"+
		fmt.Sprintf("%-117s\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (8,), }")+strings.Repeat("\x00", 32))
	old := file("old.npz", "the old file")
	for i, c := range []struct {
		name  string
		args  []string
		after time.Duration
		// stuck is for output that is never read.
		stuck bool
	}{
		{"parsing", []string{"run", file("parse.mlir", manyOps(2_000_000))}, 500 * time.Millisecond, false},
		{"compiling", []string{"run", file("compile.mlir", manyOps(200_000))}, 1500 * time.Millisecond, false},
		{"differentiating", []string{"run", "--grad", "--in", x, file("grad.mlir", of.Replace(manyOps(200_000)))},
			2500 * time.Millisecond, false},
		{"sorting", []string{"run", file("sort.mlir", sorted)}, 700 * time.Millisecond, false},
		{"sorting, interpreted", []string{"run", "--backend", "interp", file("sort.mlir", sorted)},
			700 * time.Millisecond, false},
		{"folding windows", []string{"run", file("window.mlir", window)}, 700 * time.Millisecond, false},
		{"transforming", []string{"run", file("fft.mlir", prime)}, 900 * time.Millisecond, false},
		{"printing", []string{"run", file("print.mlir", printed)}, 900 * time.Millisecond, false},
		{"printing to a full pipe", []string{"fmt", file("compile.mlir", manyOps(200_000))},
			1500 * time.Millisecond, true},
		{"writing", []string{"run", "--out", old, file("large.mlir", large)}, 900 * time.Millisecond, false},
		{"writing to a full pipe", []string{"run", "--out", "/dev/stdout", file("large.mlir", large)},
			1500 * time.Millisecond, true},
		{"timing", []string{"bench", "--budget", "1m", file("sort.mlir", sorted)}, 900 * time.Millisecond, false},
	} {
		for j, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			if i%2 != j && !*bothSignals {
				continue
			}
			t.Run(c.name+"/"+signal.String(), func(t *testing.T) {
				cmd := exec.Command(os.Args[0], c.args...)
				cmd.Env = append(os.Environ(), asProcess+"=1")
				var stderr bytes.Buffer
				cmd.Stderr = &limited{&stderr, 1 << 16}
				var out io.ReadCloser
				if c.stuck {
					var err error
					if out, err = cmd.StdoutPipe(); err != nil {
						t.Fatal(err)
					}
					defer out.Close()
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				started := time.Now()
				if c.stuck { // it writes, and soon waits for somebody to read
					if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
						t.Error(err)
					}
				}
				for !c.stuck && processorTime(cmd.Process.Pid, started) < c.after {
					if time.Since(started) > hung {
						cmd.Process.Kill()
						t.Fatal("it ended, or waits, before it was to be told to stop")
					}
					time.Sleep(10 * time.Millisecond)
				}
				before := processorTime(cmd.Process.Pid, started)
				if err := cmd.Process.Signal(signal); err != nil {
					t.Fatalf("it ended before it was told to stop: %v", err)
				}
				ended := make(chan struct{})
				go func() {
					_ = cmd.Wait() // the state has the status
					close(ended)
				}()
				select {
				case <-ended:
				case <-time.After(hung):
					cmd.Process.Kill()
					<-ended
					t.Fatalf("it still waited for something after %v", hung)
				}
				if late := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() - before; late > maxWork {
					t.Errorf("it went on for %v of processor time", late)
				}
				if cmd.ProcessState.Success() {
					t.Error("its status is 0")
				}
				if s := stderr.String(); !strings.Contains(s, "interrupted") {
					t.Errorf("it said %q", s)
				}
				if text, err := os.ReadFile(old); err != nil || string(text) != "the old file" {
					t.Errorf("the old file is %q: %v", text[:min(len(text), 20)], err)
				}
				if left, err := filepath.Glob(filepath.Join(dir, "*.tmp")); err != nil || len(left) > 0 {
					t.Errorf("it left %q", left)
				}
			})
		}
	}
}

const (
	// maxWork bounds the processor time of a command after a signal: a second on two cores. Other load of the
	// machine does not count.
	maxWork = 2 * time.Second
	// hung is longer than any operation except a deadlock.
	hung = time.Minute
)

// processorTime returns the processor time of a process with a start time; the elapsed time where the system
// does not report it.
func processorTime(pid int, started time.Time) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return time.Since(started)
	}
	_, rest, _ := bytes.Cut(stat, []byte(") ")) // the name may have spaces
	fields := strings.Fields(string(rest))
	if len(fields) < 13 {
		return time.Since(started)
	}
	const tick = 10 * time.Millisecond // of proc(5), USER_HZ
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick
}

// limited keeps the last bytes written.
type limited struct {
	*bytes.Buffer
	most int
}

func (l *limited) Write(b []byte) (int, error) {
	if l.Len() > l.most {
		l.Reset()
	}
	return l.Buffer.Write(b)
}
