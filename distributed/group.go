package distributed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// settings are the values of options.
type settings struct {
	token       []byte
	joinTime    time.Duration
	lossTimeout time.Duration
	listen      string
}

// Option is an option of [Initialize].
type Option func(*settings)

// Token sets the secret that all processes share, instead of the environment variable
// NX_DISTRIBUTED_TOKEN.
func Token(secret string) Option { return func(s *settings) { s.token = []byte(secret) } }

// JoinTimeout sets how long [Initialize] waits for all processes: 5 minutes without it.
func JoinTimeout(d time.Duration) Option { return func(s *settings) { s.joinTime = d } }

// LostAfter sets after how long a silence a process counts as lost: 30 seconds without it. One that
// ends is noticed at once.
func LostAfter(d time.Duration) Option { return func(s *settings) { s.lossTimeout = d } }

// Listen sets the address at which process 0 listens, if it differs from the one by which others reach it:
// ":7654" behind the name of a service, for instance.
func Listen(address string) Option { return func(s *settings) { s.listen = address } }

// Group is the processes of a program, as one of them sees them. It is safe for concurrent use.
type Group struct {
	settings
	n, id   int
	address string
	s       *session
	here    *coordinator // in process 0
	over    chan struct{}
	once    sync.Once
	leaving atomic.Bool

	mu      sync.Mutex
	last    uint64
	answers map[uint64]chan message
	err     error         // why failed is closed
	failed  chan struct{} // closed when a process is lost, or the group
}

// current is the group of this process.
var current struct {
	sync.Mutex
	group   *Group
	joining bool
}

// Current returns the group that this process has joined, or nil.
func Current() *Group {
	current.Lock()
	defer current.Unlock()
	return current.group
}

// Initialize joins n processes, of which this one has the number id, from 0: they all call it, in any order,
// before they open a client of package xla, and it returns when all have joined. Process 0 is the coordinator
// and listens at the address, a host and a port at which the others reach it.
//
// A GPU client that is opened afterwards gets the numbers as node_id and num_nodes, and the group's store as
// the plugin's key-value callbacks.
//
// Errors: a wrong token or number, an address without an answer within the time of [JoinTimeout], processes
// that have not joined by then, by their numbers.
func Initialize(coordinator string, n, id int, options ...Option) (*Group, error) {
	with := settings{token: []byte(os.Getenv("NX_DISTRIBUTED_TOKEN")), joinTime: 5 * time.Minute,
		lossTimeout: 30 * time.Second, listen: coordinator}
	for _, o := range options {
		o(&with)
	}
	if err := with.check(coordinator, n, id); err != nil {
		return nil, err
	}
	current.Lock()
	if current.group != nil || current.joining {
		current.Unlock()
		return nil, errors.New("distributed: this process is already in a group: close it first")
	}
	current.joining = true
	current.Unlock()
	g, err := join(coordinator, n, id, with)
	current.Lock()
	defer current.Unlock()
	current.joining = false
	if err != nil {
		return nil, err
	}
	current.group = g
	return g, nil
}

func (s *settings) check(coordinator string, n, id int) error {
	switch _, _, err := net.SplitHostPort(coordinator); {
	case err != nil:
		return fmt.Errorf("distributed: the coordinator's address must be host:port: %w", err)
	case n < 1 || n > 1<<16:
		return fmt.Errorf("distributed: the number of processes must be from 1 to %[2]d, got %[1]d", n, 1<<16)
	case id < 0 || id >= n:
		return fmt.Errorf("distributed: the process must be from 0 to below %[2]d, got %[1]d", id, n)
	case len(s.token) == 0:
		return errors.New("distributed: the token must not be empty: set NX_DISTRIBUTED_TOKEN to the same secret in all processes")
	case s.joinTime <= 0 || s.lossTimeout <= 0:
		return fmt.Errorf("distributed: the timeouts must be positive, got %v and %v", s.joinTime, s.lossTimeout)
	}
	return nil
}

// join makes the group.
func join(address string, n, id int, with settings) (*Group, error) {
	g := &Group{settings: with, n: n, id: id, address: address, over: make(chan struct{}),
		answers: map[uint64]chan message{}, failed: make(chan struct{})}
	if id == 0 {
		var err error
		if g.here, err = newCoordinator(with.listen, n, with); err != nil {
			return nil, err
		}
		g.address = g.here.listen.Addr().String()
	}
	err := g.connect()
	if err != nil {
		if g.here != nil {
			g.here.stop()
		}
		return nil, fmt.Errorf("distributed: process %d of %d cannot join at %s: %w", id, n, address, err)
	}
	return g, nil
}

// connect reaches the coordinator, which may not be there yet, and waits for the others.
func (g *Group) connect() error {
	deadline := time.Now().Add(g.joinTime)
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		conn, err := net.DialTimeout("tcp", g.address, time.Until(deadline))
		if err == nil {
			if g.s, err = dialled(conn, g.token, g.lossTimeout); err != nil {
				conn.Close()
				return err
			}
			break
		}
		if time.Until(deadline) < pause {
			return fmt.Errorf("no answer within %v: %w", g.joinTime, err)
		}
		time.Sleep(pause)
	}
	go g.listenTo()
	go g.s.beat(g.over)
	wait := time.Until(deadline) + g.lossTimeout // the coordinator reports which processes are missing
	_, err := g.request(&message{kind: hello, number: int64(g.n), value: fmt.Append(nil, g.id)}, wait)
	if err != nil {
		g.end()
	}
	return err
}

// listenTo delivers answers to the requests.
func (g *Group) listenTo() {
	for {
		m, err := g.s.receive()
		if err != nil {
			if g.leaving.Load() {
				g.fail(errClosed)
			}
			g.fail(&LostError{0, g.address, reasonOf(err, g.lossTimeout)}) // the first counts
			g.s.conn.Close()
			return
		}
		switch {
		case m.kind == lost:
			g.fail(&LostError{int(m.number), m.key, string(m.value)})
		case m.id != 0:
			g.mu.Lock()
			answer := g.answers[m.id]
			delete(g.answers, m.id)
			g.mu.Unlock()
			if answer != nil {
				answer <- m
			}
		}
	}
}

// fail is the end of the group.
func (g *Group) fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = err
		close(g.failed)
	}
}

// request sends a request and returns its answer.
func (g *Group) request(m *message, wait time.Duration) (message, error) {
	answer := make(chan message, 1)
	g.mu.Lock()
	if g.err != nil {
		g.mu.Unlock()
		return message{}, g.err
	}
	g.last++
	m.id = g.last
	g.answers[m.id] = answer
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		delete(g.answers, m.id)
		g.mu.Unlock()
	}()
	if err := g.s.write(m); err != nil {
		select {
		case <-g.failed: // with a more specific error
			return message{}, g.Err()
		case <-time.After(g.lossTimeout / 4):
			return message{}, fmt.Errorf("distributed: %w", err)
		}
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case a := <-answer:
		return a, refusal(a)
	case <-g.failed:
		select {
		case a := <-answer: // it came before the end of the connection, and explains it
			return a, refusal(a)
		default:
			return message{}, g.Err()
		}
	case <-t.C:
		return message{}, fmt.Errorf("distributed: the coordinator has not answered within %v: %w", wait,
			context.DeadlineExceeded)
	}
}

// refusal returns the error that an answer is, or nil.
func refusal(a message) error {
	if a.kind == refused {
		return errors.New(string(a.value))
	}
	return nil
}

// Size returns how many processes there are.
func (g *Group) Size() int { return g.n }

// ID returns which of them this is, from 0.
func (g *Group) ID() int { return g.id }

// Lost is closed when a process is lost, or the group is closed; then [Group.Err] returns the reason.
func (g *Group) Lost() <-chan struct{} { return g.failed }

// Err returns nil, a [*LostError] when a process is lost, or the error of a closed group.
func (g *Group) Err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// Put returns a key a value, which other processes get. A key keeps its value: another one is an
// error, [fs.ErrExist].
func (g *Group) Put(key string, value []byte) error {
	if len(key) > maxKey || len(key)+len(value)+headSize > maxMessage {
		return fmt.Errorf("distributed: a key of %d bytes and a value of %d exceed the limits of %d and %d", len(key), len(value),
			maxKey, maxMessage-maxKey)
	}
	a, err := g.request(&message{kind: put, key: key, value: value}, g.lossTimeout)
	if err == nil && a.kind == exists {
		return &keyError{key, "already has another value", fs.ErrExist}
	}
	return err
}

// Get returns the value of a key, and waits for it: with a negative timeout as long as all processes are
// alive. The error is [context.DeadlineExceeded] after the timeout.
func (g *Group) Get(key string, timeout time.Duration) ([]byte, error) {
	if timeout < 0 {
		timeout = math.MaxInt64 - g.lossTimeout
	}
	wait := timeout + min(g.lossTimeout, math.MaxInt64-timeout)
	a, err := g.request(&message{kind: get, key: key, number: int64(timeout)}, wait)
	if err == nil && a.kind == late {
		return nil, &keyError{key, fmt.Sprintf("has no value after %v", timeout), context.DeadlineExceeded}
	}
	return a.value, err
}

// TryGet returns the value of a key; the error is [fs.ErrNotExist] if it has none.
func (g *Group) TryGet(key string) ([]byte, error) {
	a, err := g.request(&message{kind: tryGet, key: key}, g.lossTimeout)
	if err == nil && a.kind == missing {
		return nil, &keyError{key, "has no value", fs.ErrNotExist}
	}
	return a.value, err
}

// errClosed is the error of a group after Close.
var errClosed = errors.New("distributed: the group is closed")

// Close leaves the group; the others continue. In process 0 it waits for them to leave, since they need its
// store, but at most for the time of [LostAfter]. Close the group after the last use of clients of package
// xla. Further calls have no effect.
func (g *Group) Close() error {
	var err error
	g.once.Do(func() {
		g.leaving.Store(true)
		if g.Err() == nil {
			if _, err = g.request(&message{kind: bye}, g.lossTimeout); errors.Is(err, errClosed) {
				err = nil // the connection has ended before the answer was read
			}
		}
		g.fail(errClosed)
		g.end()
		if g.here != nil {
			g.here.close()
		}
		current.Lock()
		defer current.Unlock()
		if current.group == g {
			current.group = nil
		}
	})
	return err
}

// end closes the connection.
func (g *Group) end() {
	close(g.over)
	g.s.conn.Close()
}
