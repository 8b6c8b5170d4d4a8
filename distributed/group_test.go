package distributed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

const secret = "a secret of the test"

// free returns an address without a listener.
func free(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// testSettings are settings of tests.
func testSettings(change ...func(*settings)) settings {
	s := settings{token: []byte(secret), joinTime: 20 * time.Second, lossTimeout: 10 * time.Second}
	for _, f := range change {
		f(&s)
	}
	return s
}

// groups joins n processes, each in a goroutine.
func groups(t testing.TB, n int, change ...func(*settings)) []*Group {
	t.Helper()
	address := free(t)
	all, errs := joinAll(address, n, n, change...)
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, g := range all[1:] {
			g.Close()
		}
		all[0].Close()
	})
	return all
}

// joinAll joins the first few of n processes.
func joinAll(address string, few, n int, change ...func(*settings)) ([]*Group, []error) {
	all, errs := make([]*Group, few), make([]error, few)
	var wg sync.WaitGroup
	for id := range few {
		wg.Go(func() {
			with := testSettings(change...)
			with.listen = address
			all[id], errs[id] = join(address, n, id, with)
		})
	}
	wg.Wait()
	return all, errs
}

// Other processes get a value once it exists; a key keeps its value.
func TestStore(t *testing.T) {
	all := groups(t, 3)
	got := make(chan []byte)
	go func() {
		v, err := all[2].Get("late", 10*time.Second)
		if err != nil {
			t.Error(err)
		}
		got <- v
	}()
	if _, err := all[1].TryGet("late"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key without a value: %v", err)
	}
	large := bytes.Repeat([]byte{7}, 5<<20)
	if err := all[1].Put("late", large); err != nil {
		t.Fatal(err)
	}
	if v := <-got; !bytes.Equal(v, large) {
		t.Errorf("got %d bytes", len(v))
	}
	if err := all[0].Put("late", large); err != nil {
		t.Errorf("the same value again: %v", err)
	}
	if err := all[0].Put("late", nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("another value: %v", err)
	}
	for _, key := range []string{"", "a\x00b", strings.Repeat("k", maxKey)} {
		if err := all[0].Put(key, []byte{}); err != nil {
			t.Errorf("a key of %d bytes: %v", len(key), err)
		} else if v, err := all[1].TryGet(key); err != nil || len(v) != 0 {
			t.Errorf("a key of %d bytes has %v, %v", len(key), v, err)
		}
	}
	if err := all[0].Put(strings.Repeat("k", maxKey+1), nil); err == nil {
		t.Error("a key that is too long is put")
	}
	start := time.Now()
	if _, err := all[0].Get("never", 50*time.Millisecond); !errors.Is(err, context.DeadlineExceeded) ||
		time.Since(start) > 5*time.Second {
		t.Errorf("a key that never comes: %v after %v", err, time.Since(start))
	}
	c := all[0].here
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.waiting); n != 0 {
		t.Errorf("%d keys are waited for", n)
	}
}

// All processes run concurrently, each with keys that all others wait for.
func TestMany(t *testing.T) {
	all := groups(t, 8)
	var wg sync.WaitGroup
	for _, g := range all {
		for k := range 20 {
			wg.Go(func() {
				if err := g.Put(fmt.Sprintf("%d/%d", g.ID(), k), []byte{byte(k)}); err != nil {
					t.Error(err)
				}
			})
			for other := range g.Size() {
				wg.Go(func() {
					if v, err := g.Get(fmt.Sprintf("%d/%d", other, k), -1); err != nil || v[0] != byte(k) {
						t.Errorf("%v, %v", v, err)
					}
				})
			}
		}
	}
	wg.Wait()
}

// A lost process is reported to all others, in pending and in later requests.
func TestLost(t *testing.T) {
	for name, tt := range map[string]struct {
		id     int
		lose   func(g *Group)
		reason string
	}{
		"one":             {2, func(g *Group) { g.s.conn.Close() }, "ended without Close"},
		"the coordinator": {0, func(g *Group) { g.here.stop() }, "ended without Close"},
		"one that is silent": {1, func(g *Group) {
			g.s.mu.Lock() // so that it sends no messages
			t.Cleanup(g.s.mu.Unlock)
		}, "no message from it for 4s"},
	} {
		t.Run(name, func(t *testing.T) {
			all, errs := joinAll(free(t), 3, 3, func(s *settings) { s.lossTimeout = 4 * time.Second })
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			waited := make(chan error, 2)
			for id, g := range all {
				if id != tt.id {
					go func() {
						_, err := g.Get("never", -1)
						waited <- err
					}()
				}
			}
			time.Sleep(20 * time.Millisecond) // for them to wait
			tt.lose(all[tt.id])
			for id, g := range all {
				if id == tt.id {
					continue
				}
				var e *LostError
				if err := <-waited; !errors.As(err, &e) || e.Process != tt.id ||
					!strings.Contains(e.Error(), tt.reason) {
					t.Errorf("waiting process: %v", err)
				}
				<-g.Lost()
				if err := g.Put("k", nil); !errors.As(err, &e) || e.Process != tt.id {
					t.Errorf("later request: %v", err)
				}
			}
			for id, g := range all {
				if id != tt.id && id != 0 {
					g.Close()
				}
			}
			if tt.id != 0 {
				all[0].Close()
			}
		})
	}
}

// A process that leaves in order is not missed.
func TestLeave(t *testing.T) {
	all := groups(t, 3)
	if err := all[1].Close(); err != nil {
		t.Fatal(err)
	}
	if err := all[0].Put("k", []byte("v")); err != nil {
		t.Fatal(err)
	}
	if v, err := all[2].Get("k", 10*time.Second); err != nil || string(v) != "v" {
		t.Errorf("after one has left: %q, %v", v, err)
	}
	if err := all[1].Put("x", nil); !errors.Is(err, errClosed) {
		t.Errorf("process that left: %v", err)
	}
	closed := make(chan error)
	go func() { closed <- all[0].Close() }()
	select {
	case <-closed:
		t.Error("the coordinator has left before process 2")
	case <-time.After(100 * time.Millisecond):
	}
	if err := errors.Join(all[2].Close(), <-closed); err != nil {
		t.Error(err)
	}
}

// Groups that cannot be joined report the reason in every process.
func TestJoinErrors(t *testing.T) {
	short := func(s *settings) { s.joinTime = 2 * time.Second } // two have joined by then on any machine
	t.Run("some are missing", func(t *testing.T) {
		_, errs := joinAll(free(t), 2, 4, short)
		for id, err := range errs {
			if err == nil || !strings.Contains(err.Error(), "have not joined: 2, 3") {
				t.Errorf("process %d: %v", id, err)
			}
		}
	})
	t.Run("no coordinator", func(t *testing.T) {
		with := testSettings(short)
		if _, err := join(free(t), 2, 1, with); err == nil || !strings.Contains(err.Error(), "no answer within") {
			t.Error(err)
		}
	})
	t.Run("something else", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				fmt.Fprintf(conn, "HTTP/1.1 400 Bad Request\r\n\r\n%100d", 0)
				conn.Close()
			}
		}()
		if _, err := join(l.Addr().String(), 2, 1, testSettings()); err == nil ||
			!strings.Contains(err.Error(), "not from a coordinator") {
			t.Error(err)
		}
	})
	t.Run("the address is taken", func(t *testing.T) {
		all := groups(t, 1)
		with := testSettings()
		with.listen = all[0].address
		if _, err := join(all[0].address, 1, 0, with); err == nil ||
			!strings.Contains(err.Error(), "cannot be the coordinator") {
			t.Error(err)
		}
	})
	t.Run("of two", func(t *testing.T) {
		all := groups(t, 2)
		for _, tt := range []struct {
			n, id int
			token string
			want  string
		}{{2, 1, secret, "process 1 joined twice"}, {3, 2, secret, "the process must be from 0"},
			{3, 1, secret, "expects 3 processes"}, {2, 1, "another", "different token"}} {
			with := testSettings(func(s *settings) { s.token = []byte(tt.token) })
			if _, err := join(all[0].address, tt.n, tt.id, with); err == nil ||
				!strings.Contains(err.Error(), tt.want) {
				t.Errorf("process %d of %d: %v, want %q", tt.id, tt.n, err, tt.want)
			}
		}
		if err := all[1].Put("k", nil); err != nil {
			t.Errorf("the group goes on: %v", err)
		}
	})
}

func TestInitialize(t *testing.T) {
	t.Setenv("NX_DISTRIBUTED_TOKEN", "")
	for _, tt := range []struct {
		address string
		n, id   int
		options []Option
		want    string
	}{
		{"localhost", 1, 0, nil, "host:port"},
		{"localhost:1", 0, 0, nil, "got 0"},
		{"localhost:1", 2, 2, nil, "below 2, got 2"},
		{"localhost:1", 2, -1, nil, "below 2, got -1"},
		{"localhost:1", 2, 0, nil, "set NX_DISTRIBUTED_TOKEN"},
		{"localhost:1", 2, 0, []Option{Token("x"), LostAfter(0)}, "must be positive"},
		{"localhost:1", 2, 1, []Option{Token("x"), JoinTimeout(time.Millisecond)}, "no answer within"},
	} {
		if _, err := Initialize(tt.address, tt.n, tt.id, tt.options...); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, %d, %d: %v, want %q", tt.address, tt.n, tt.id, err, tt.want)
		}
	}
	if Current() != nil {
		t.Error("there is a group")
	}
	address := free(t)
	g, err := Initialize("localhost:1", 1, 0, Token("x"), Listen(address))
	if err != nil {
		t.Fatal(err)
	}
	if Current() != g || g.Size() != 1 || g.ID() != 0 {
		t.Errorf("the group is %v of %d", g.ID(), g.Size())
	}
	if _, err := Initialize(address, 1, 0, Token("x")); err == nil ||
		!strings.Contains(err.Error(), "already in a group") {
		t.Errorf("a second group: %v", err)
	}
	if err := errors.Join(g.Close(), g.Close()); err != nil || Current() != nil {
		t.Errorf("closed: %v, %v", err, Current())
	}
}
