package distributed

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

// Limits on stored data and pending requests.
const (
	maxStored     = 1 << 30 // bytes of keys and values
	maxUnverified = 256     // connections that have not proved themselves
	maxRequests   = 4096    // of a process that wait for a key
)

// coordinator keeps the store, in process 0.
type coordinator struct {
	settings
	n          int
	listen     net.Listener
	unverified chan struct{} // a slot for each unauthenticated connection

	mu        sync.Mutex
	members   []*member
	joined    int
	left      int
	stored    int
	values    map[string][]byte
	waiting   map[string][]chan struct{} // closed when the key has a value
	lost      *LostError
	abandoned string         // why joining was abandoned
	complete  chan struct{}  // closed when all have joined
	failed    chan struct{}  // closed when one is lost
	empty     chan struct{}  // closed when all have left
	stopped   chan struct{}  // closed when givenUp is set
	answering sync.WaitGroup // those that answer a hello
}

// member is a process as the coordinator sees it.
type member struct {
	id       int
	s        *session
	left     bool
	requests chan struct{} // a slot for each pending request
}

func newCoordinator(address string, n int, with settings) (*coordinator, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("distributed: process 0 cannot be the coordinator at %s: %w", address, err)
	}
	c := &coordinator{settings: with, n: n, listen: l, unverified: make(chan struct{}, maxUnverified),
		members: make([]*member, n), values: map[string][]byte{}, waiting: map[string][]chan struct{}{},
		complete: make(chan struct{}), failed: make(chan struct{}), empty: make(chan struct{}),
		stopped: make(chan struct{})}
	go c.accept()
	return c, nil
}

func (c *coordinator) accept() {
	for {
		conn, err := c.listen.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // out of file descriptors, for instance, which may be temporary
			time.Sleep(10 * time.Millisecond)
			continue
		}
		select {
		case c.unverified <- struct{}{}:
			go c.serve(conn)
		default:
			conn.Close()
		}
	}
}

// serve serves a connection until it ends.
func (c *coordinator) serve(conn net.Conn) {
	defer conn.Close()
	s, err := accepted(conn, c.token, c.lossTimeout)
	<-c.unverified
	if err != nil {
		return
	}
	first, err := s.receive()
	if err != nil || first.kind != hello {
		return
	}
	m, err := c.join(s, first)
	if err != nil {
		_ = s.write(&message{kind: refused, id: first.id, value: []byte(err.Error())})
		return
	}
	over := make(chan struct{})
	defer close(over)
	go s.beat(over)
	go c.answerHello(m, first.id)
	for {
		request, err := s.receive()
		if err == nil {
			err = c.take(m, request, over)
		}
		if err != nil {
			c.leave(m, err)
			return
		}
	}
}

// join makes a process a member.
func (c *coordinator) join(s *session, first message) (*member, error) {
	id := -1
	if _, err := fmt.Sscan(string(first.value), &id); err != nil || id < 0 || id >= c.n {
		return nil, fmt.Errorf("the process must be from 0 to %[2]d, got %[1]q", first.value, c.n-1)
	}
	if int(first.number) != c.n {
		return nil, fmt.Errorf("process %d expects %d processes, the coordinator %d", id,
			first.number, c.n)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if other := c.members[id]; other != nil {
		return nil, fmt.Errorf("process %d joined twice: also from %s", id, other.s.conn.RemoteAddr())
	}
	if c.lost != nil {
		return nil, c.lost
	}
	if c.abandoned != "" {
		return nil, errors.New(c.abandoned)
	}
	m := &member{id: id, s: s, requests: make(chan struct{}, maxRequests)}
	c.members[id] = m
	c.answering.Add(1)
	if c.joined++; c.joined == c.n {
		close(c.complete)
	}
	return m, nil
}

// answerHello answers the hello of a process when all have joined, or reports which have not.
func (c *coordinator) answerHello(m *member, id uint64) {
	defer c.answering.Done()
	answer := &message{kind: done, id: id}
	t := time.NewTimer(c.joinTime)
	defer t.Stop()
	select {
	case <-c.complete:
	case <-c.failed:
		answer = c.loss(id)
	case <-c.stopped:
		answer = c.refusal(id)
	case <-t.C:
		c.abandon(fmt.Sprintf("after %v these processes of %d have not joined: %s", c.joinTime, c.n, c.absent()))
		answer = c.refusal(id)
	}
	_ = m.s.write(answer) // the reader of the session reports an ended connection
}

// abandon reports to all that wait for others to join that they need not.
func (c *coordinator) abandon(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.abandoned == "" {
		c.abandoned = why
		close(c.stopped)
	}
}

func (c *coordinator) refusal(id uint64) *message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &message{kind: refused, id: id, value: []byte(c.abandoned)}
}

// absent lists the processes that have not joined.
func (c *coordinator) absent() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var ids []string
	for id, m := range c.members {
		if m == nil {
			ids = append(ids, fmt.Sprint(id))
		}
	}
	return strings.Join(ids, ", ")
}

// loss is the message of the process that is lost.
func (c *coordinator) loss(id uint64) *message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &message{kind: lost, id: id, number: int64(c.lost.Process), key: c.lost.Address,
		value: []byte(c.lost.Reason)}
}

// errLeft ends the connection of a process that has said so.
var errLeft = errors.New("it has left")

// take handles a request of a process.
func (c *coordinator) take(m *member, r message, over <-chan struct{}) error {
	switch r.kind {
	case ping:
		return nil
	case bye:
		c.mu.Lock()
		m.left = true
		c.mu.Unlock()
		_ = m.s.write(&message{kind: done, id: r.id})
		return errLeft
	case put:
		return m.s.write(c.put(r))
	case tryGet:
		return m.s.write(c.find(r))
	case get:
		select {
		case m.requests <- struct{}{}:
		default:
			return m.s.write(&message{kind: refused, id: r.id,
				value: fmt.Appendf(nil, "%d requests are already waiting for keys", maxRequests)})
		}
		go func() {
			defer func() { <-m.requests }()
			_ = m.s.write(c.await(r, over))
		}()
		return nil
	}
	return fmt.Errorf("it sent a message of kind %d", r.kind)
}

// put stores a value. The same value may be put again, so that a process that missed the answer can repeat the
// request.
func (c *coordinator) put(r message) *message {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.values[r.key]; ok {
		if bytes.Equal(old, r.value) {
			return &message{kind: done, id: r.id}
		}
		return &message{kind: exists, id: r.id}
	}
	size := len(r.key) + len(r.value)
	if c.stored+size > maxStored {
		return &message{kind: refused, id: r.id,
			value: fmt.Appendf(nil, "the store must hold at most %[2]d bytes, got %[1]d",
				c.stored, maxStored)}
	}
	c.stored += size
	c.values[r.key] = r.value
	for _, there := range c.waiting[r.key] {
		close(there)
	}
	delete(c.waiting, r.key)
	return &message{kind: done, id: r.id}
}

// find returns the value of a key, if it has one.
func (c *coordinator) find(r message) *message {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.values[r.key]; ok {
		return &message{kind: done, id: r.id, value: v}
	}
	return &message{kind: missing, id: r.id}
}

// await returns the value of a key when it has one.
func (c *coordinator) await(r message, over <-chan struct{}) *message {
	there := make(chan struct{})
	c.mu.Lock()
	v, ok := c.values[r.key]
	if !ok {
		c.waiting[r.key] = append(c.waiting[r.key], there)
	}
	c.mu.Unlock()
	if ok {
		return &message{kind: done, id: r.id, value: v}
	}
	t := time.NewTimer(time.Duration(r.number))
	defer t.Stop()
	select {
	case <-there:
		return c.find(r)
	case <-c.failed:
		return c.loss(r.id)
	case <-t.C:
	case <-over:
	}
	c.forget(r.key, there)
	return &message{kind: late, id: r.id}
}

// forget drops one that waits for a key.
func (c *coordinator) forget(key string, there chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.waiting[key]
	for i, w := range list {
		if w == there {
			list = append(list[:i], list[i+1:]...)
			break
		}
	}
	if c.waiting[key] = list; len(list) == 0 {
		delete(c.waiting, key)
	}
}

// leave handles the end of a member's connection: all others are notified unless the member announced it.
func (c *coordinator) leave(m *member, why error) {
	c.mu.Lock()
	if m.left {
		if c.left++; c.left == c.n {
			close(c.empty)
		}
		c.mu.Unlock()
		return
	}
	first := c.lost == nil && c.abandoned == "" // after that, they all go
	if first {
		c.lost = &LostError{m.id, m.s.conn.RemoteAddr().String(), reasonOf(why, c.lossTimeout)}
	}
	others := append([]*member(nil), c.members...)
	c.mu.Unlock()
	if !first {
		return
	}
	// The own process may end on this notification: the others are notified first, so that none of them takes
	// the coordinator for the lost process.
	tell := c.loss(0)
	var telling sync.WaitGroup
	for _, o := range others {
		if o != nil && o != m && o.id != 0 {
			telling.Go(func() { _ = o.s.write(tell) })
		}
	}
	told := make(chan struct{})
	go func() { telling.Wait(); close(told) }()
	select {
	case <-told:
	case <-time.After(c.lossTimeout / 4): // one that does not read
	}
	close(c.failed)
	if own := others[0]; own != nil && own != m {
		_ = own.s.write(tell)
	}
}

// close ends the coordinator when all processes have left, one is lost, or the patience is over.
func (c *coordinator) close() {
	t := time.NewTimer(c.lossTimeout)
	defer t.Stop()
	select {
	case <-c.empty:
	case <-c.failed:
	case <-t.C:
	}
	c.stop()
}

// stop ends the coordinator after all waiting processes have been answered.
func (c *coordinator) stop() {
	c.listen.Close()
	c.abandon("the coordinator has ended")
	c.answering.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.members {
		if m != nil {
			m.s.conn.Close()
		}
	}
}
