// Package processes runs the processes of one program, which communicate by collective ops: a grid of replicas
// and partitions. Each process is a goroutine that stands for a device.
package processes

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/go-nx/nx/stablehlo"
)

// ID is the position of a process in its grid.
type ID struct{ Replica, Partition int }

// Process is one of a grid.
type Process struct {
	Grid *Grid
	ID
}

// Grid is a set of concurrent processes, replicas × partitions. A process blocks only inside
// [Process.Rendezvous] and [Grid.Receive], so that the grid detects deadlocks.
type Grid struct {
	Replicas, Partitions int

	cancel context.CancelCauseFunc // ends the processes

	mu         sync.Mutex
	live       int // processes that have not ended
	waiting    int // blocked processes
	stuck      bool
	rendezvous map[string]*rendezvous
	mail       map[string][]any
	readers    map[string][]*reader
}

// rendezvous is a meeting of all processes of a group.
type rendezvous struct {
	values  []any // by index in the group
	missing int
	waiting int
	done    chan struct{} // closed when all have come
}

// reader is a process that waits for a message.
type reader struct {
	got  any
	done chan struct{}
}

// Max limits the processes of a grid.
const Max = 10_000

// New returns a grid whose processes end when cancel is called.
func New(replicas, partitions int, cancel context.CancelCauseFunc) *Grid {
	return &Grid{Replicas: replicas, Partitions: partitions, cancel: cancel, live: replicas * partitions,
		rendezvous: map[string]*rendezvous{}, mail: map[string][]any{}, readers: map[string][]*reader{}}
}

// Process returns process number i, replicas first.
func (g *Grid) Process(i int) *Process {
	return &Process{g, ID{i / g.Partitions, i % g.Partitions}}
}

// ErrDeadlock is the cause that ends processes which would wait forever.
var ErrDeadlock = errors.New("every running process waits for another")

// Error is a collective op that has no meaning for a grid.
type Error struct{ text string }

func (e *Error) Error() string { return e.text }

func errorf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Ended counts a process out. When all others wait, they wait forever.
func (g *Grid) Ended() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.live--
	g.checkStuck()
}

func (g *Grid) checkStuck() {
	if g.live > 0 && g.waiting == g.live && !g.stuck {
		g.stuck = true
		g.cancel(ErrDeadlock)
	}
}

// await blocks, with g.mu held, until done is closed; the closer has decremented the count of waiting
// processes.
func (g *Grid) await(ctx context.Context, done chan struct{}) error {
	g.waiting++
	g.checkStuck()
	g.mu.Unlock()
	defer g.mu.Lock()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Rendezvous exchanges values: it returns those of all members of the group, once all have called it.
func (p *Process) Rendezvous(ctx context.Context, op *stablehlo.Op, group []ID, value any) ([]any, error) {
	if len(group) == 1 {
		return []any{value}, nil
	}
	name := strconv.AppendInt([]byte(op.Name()), ChannelOf(op), 10)
	for _, p := range group {
		name = strconv.AppendInt(append(name, ' '), int64(p.Replica), 10)
		name = strconv.AppendInt(append(name, ','), int64(p.Partition), 10)
	}
	key, g := string(name), p.Grid
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.rendezvous[key]
	if r == nil {
		r = &rendezvous{values: make([]any, len(group)), missing: len(group), done: make(chan struct{})}
		g.rendezvous[key] = r
	}
	r.values[p.IndexIn(group)] = value
	if r.missing--; r.missing > 0 {
		r.waiting++
		return r.values, g.await(ctx, r.done)
	}
	delete(g.rendezvous, key)
	g.waiting -= r.waiting
	close(r.done)
	return r.values, nil
}

// Send stores a message, or passes it to a waiting process.
func (g *Grid) Send(key string, m any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if waiting := g.readers[key]; len(waiting) > 0 {
		g.readers[key] = waiting[1:]
		waiting[0].got = m
		g.waiting--
		close(waiting[0].done)
		return
	}
	g.mail[key] = append(g.mail[key], m)
}

// Receive takes the oldest message, or waits for one.
func (g *Grid) Receive(ctx context.Context, key string) (any, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if box := g.mail[key]; len(box) > 0 {
		g.mail[key] = box[1:]
		return box[0], nil
	}
	r := &reader{done: make(chan struct{})}
	g.readers[key] = append(g.readers[key], r)
	err := g.await(ctx, r.done)
	return r.got, err
}

// Mailbox returns the key of the messages that a send leaves and a recv takes. Between
// devices it names the sending process, which source_target_pairs determine; ok is false
// when the process is not in them.
func (p *Process) Mailbox(op *stablehlo.Op, sending bool) (key string, ok bool, err error) {
	channel := ChannelOf(op)
	pairs, _ := op.Attr("source_target_pairs").(*stablehlo.ElementsAttr)
	if pairs == nil || op.Bool("is_host_transfer", false) {
		return fmt.Sprint("channel ", channel), true, nil
	}
	// Ids number partitions where there are several, else replicas.
	me, other := int64(p.Replica), 0
	if p.Grid.Partitions > 1 {
		me, other = int64(p.Partition), p.Replica
	}
	for _, ids := range RowsOf(pairs) {
		if len(ids) != 2 {
			return "", false, errorf("source_target_pairs must hold pairs, got %v", ids)
		}
		if sending && ids[0] == me || !sending && ids[1] == me {
			return fmt.Sprint("channel ", channel, " ", other, " from ", ids[0], " to ", ids[1]), true, nil
		}
	}
	return "", false, nil
}

// Symbols returns the names in a list of symbols.
func Symbols(a stablehlo.Attr) []string {
	list, _ := a.(stablehlo.ArrayAttr)
	var names []string
	for _, e := range list {
		if s, ok := e.(stablehlo.SymbolAttr); ok {
			names = append(names, s.Name)
		}
	}
	return names
}
