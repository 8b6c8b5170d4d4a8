package rt

import (
	"runtime"
	"testing"
	"time"
)

// owned is a buffer that is returned when it is unreachable.
type owned struct{ data []byte }

func own(t *testing.T, b *Buffers, size int) *owned {
	t.Helper()
	data, err := b.Get(size)
	if err != nil {
		t.Fatal(err)
	}
	o := &owned{data}
	runtime.AddCleanup(o, b.Put, data)
	return o
}

// TestUnreachableBuffersAreReused: a program that drops its buffers needs about the growth between two collections, for
// any run time.
func TestUnreachableBuffersAreReused(t *testing.T) {
	b := NewBuffers(-1)
	kept := own(t, b, 16<<20)
	for range 400 {
		own(t, b, 4<<20)
	}
	if peak := b.Peak(); peak > 4*minGrowth {
		t.Errorf("%d MB were out at the same time", peak>>20)
	}
	runtime.KeepAlive(kept)
}

// TestIdleBuffersAreReleased: buffers that are not needed between two collections are dropped.
func TestIdleBuffersAreReleased(t *testing.T) {
	b := NewBuffers(-1)
	var bufs [4][]byte
	for i := range bufs {
		bufs[i], _ = b.Get(1 << 20)
	}
	for i := range bufs {
		b.Put(bufs[i])
	}
	b.trimUnused() // they have just been returned
	for range 5 {
		x, _ := b.Get(1 << 20)
		y, _ := b.Get(1 << 20)
		b.Put(x)
		b.Put(y)
	}
	b.trimUnused()
	if idle := b.Idle(); idle != 2<<20 {
		t.Errorf("%d bytes are idle, two buffers were in use", idle)
	}
	b.trimUnused()
	if idle := b.Idle(); idle != 0 {
		t.Errorf("%d bytes are idle, none was in use", idle)
	}
}

// TestCollectionsTrimIdleBuffers: the collector's own cycles count.
func TestCollectionsTrimIdleBuffers(t *testing.T) {
	b := NewBuffers(-1)
	x, _ := b.Get(8 << 20)
	b.Put(x)
	for end := time.Now().Add(20 * time.Second); b.Idle() > 0; {
		if time.Now().After(end) {
			t.Fatalf("%d bytes are idle", b.Idle())
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}
