package xla_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/distributed"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/fake"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/xla"
)

// asNode makes the test binary be a process of a program on several hosts: "address n id".
const asNode = "NX_TEST_NODE"

// node is such a process. It prints its view, and continues when it reads a line.
func node(what string) error {
	var address string
	var n, id int
	if _, err := fmt.Sscan(what, &address, &n, &id); err != nil {
		return err
	}
	p := fake.New(fake.Config{StableHLO: stablehlo.Version{Major: 1, Minor: 9}, Devices: id + 1})
	if err := pjrt.Provide("/fake/node.so", p.Table()); err != nil {
		return err
	}
	if err := xla.Configure(map[string]xla.ClientOptions{"node": {Platform: "/fake/node.so"}}); err != nil {
		return err
	}
	group, err := distributed.Initialize(address, n, id, distributed.JoinTimeout(20*time.Second))
	if err != nil {
		return err
	}
	c, err := xla.Open("node")
	if err != nil {
		return err
	}
	_, version := c.Platform()
	info, err := c.Describe(c.Devices()[0])
	if err != nil {
		return err
	}
	x, err := nx.Transfer(nx.New([]float32{1, 2}), c.Devices()[0])
	if err != nil {
		return err
	}
	double := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }, nx.On(c))
	fmt.Printf("%s; process %d, device %d; %v\n", version, c.Process(), info.ID, nx.Data[float32](double(x)))
	in := bufio.NewReader(os.Stdin)
	step, err := in.ReadString('\n')
	if err != nil {
		return err
	}
	switch step {
	case "close\n":
		return group.Close()
	case "mesh\n":
		if err := onMesh(c); err != nil {
			return err
		}
		if _, err = in.ReadString('\n'); err != nil { // no process leaves before all have printed their view
			return err
		}
		return group.Close()
	case "lose\n":
		return losing(c)
	}
	// What another process has a part in never happens.
	p.Time(func() (time.Duration, bool) { return 0, false })
	y := double(x)
	fmt.Println("waiting")
	_, err = nx.Await(context.Background(), y)
	fmt.Println("waited:", oneLine(err))
	fmt.Println("later:", oneLine(caught(func() { double(x) })))
	fmt.Println("compiled:", oneLine(caught(func() {
		nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, x) }, nx.On(c))(x)
	})))
	var lost *distributed.LostError
	if !errors.As(err, &lost) {
		return fmt.Errorf("no *LostError: %w", err)
	}
	return nil
}

func oneLine(err error) string { return strings.ReplaceAll(fmt.Sprint(err), "\n", " ") }

// startNodes starts the processes of a program.
func startNodes(t *testing.T, n int,
	token func(id int) string) (all []*exec.Cmd, in []io.Writer, out []*bufio.Scanner) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	for id := range n {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %d", asNode, address, n, id),
			"NX_DISTRIBUTED_TOKEN="+token(id))
		stdin, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		c.Stderr = c.Stdout
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Process.Kill() })
		all, in, out = append(all, c), append(in, stdin), append(out, bufio.NewScanner(stdout))
	}
	return all, in, out
}

func nextLine(s *bufio.Scanner) string {
	s.Scan()
	return s.Text()
}

// Plugins of three processes exchange their devices through the group's store. They end in order, or all
// report the lost one: in waits, in calls and in compilations.
func TestProcesses(t *testing.T) {
	for name, lose := range map[string]int{"in order": -1, "one is lost": 2, "the coordinator is lost": 0} {
		t.Run(name, func(t *testing.T) {
			all, in, out := startNodes(t, 3, func(int) string { return "a secret" })
			for id, first := range []int{0, 1, 3} {
				want := fmt.Sprintf("fake 1.0, 6 devices of 3 processes; process %d, device %d; [2 4]", id, first)
				if got := nextLine(out[id]); got != want {
					t.Fatalf("process %d says %q, want %q", id, got, want)
				}
			}
			if lose < 0 {
				for id := range all {
					fmt.Fprintln(in[id], "close")
				}
				for id, c := range all {
					if rest := nextLine(out[id]); rest != "" {
						t.Errorf("process %d says %q", id, rest)
					}
					if err := c.Wait(); err != nil {
						t.Errorf("process %d: %v", id, err)
					}
				}
				return
			}
			for id := range all {
				if id != lose {
					fmt.Fprintln(in[id], "wait")
					if got := nextLine(out[id]); got != "waiting" {
						t.Fatalf("process %d says %q", id, got)
					}
				}
			}
			if err := all[lose].Process.Kill(); err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("distributed: process %d (127.0.0.1:", lose)
			for id := range all {
				for range 3 * min(1, max(id-lose, lose-id)) {
					if got := nextLine(out[id]); !strings.Contains(got, want) ||
						!strings.Contains(got, "is lost: it ended without Close") {
						t.Errorf("process %d says %q, want %q", id, got, want)
					}
				}
			}
		})
	}
	t.Run("another token", func(t *testing.T) {
		_, _, out := startNodes(t, 2, func(id int) string { return fmt.Sprint("secret", id) })
		if got := nextLine(out[1]); !strings.Contains(got, "different token") {
			t.Errorf("process 1 says %q", got)
		}
	})
}

// A client that needs other processes, without a group or with an incomplete one, fails with the error of the
// plugin.
func TestNodesWithoutGroup(t *testing.T) {
	p := fake.New(fake.Config{})
	plugin := provide(t, p)
	_, err := plugin.NewClient([]pjrt.Option{{Name: "node_id", Value: int64(0)}, {Name: "num_nodes", Value: int64(2)}},
		nil)
	var e *pjrt.Error
	if !errors.As(err, &e) || e.Code != abi.InvalidArgument || !strings.Contains(e.Message, "no key-value store") {
		t.Error(err)
	}
}

func provide(t *testing.T, p *fake.Plugin) *pjrt.Plugin {
	t.Helper()
	path := t.TempDir() + "/plugin.so"
	if err := pjrt.Provide(path, p.Table()); err != nil {
		t.Fatal(err)
	}
	plugin, err := pjrt.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return plugin
}
