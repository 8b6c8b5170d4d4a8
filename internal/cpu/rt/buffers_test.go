package rt

import (
	"errors"
	"math"
	"sync"
	"testing"
	"unsafe"
)

func TestSizeClasses(t *testing.T) {
	prev := -1
	for size := 0; size < 100_000; size++ {
		class, capacity := sizeClass(size)
		if capacity < size || capacity%Align != 0 || capacity == 0 {
			t.Fatalf("size %d: capacity %d", size, capacity)
		}
		if size > 4*Align && capacity > size+size/4 {
			t.Fatalf("size %d: capacity %d wastes too much", size, capacity)
		}
		if class != prev && class != prev+1 {
			t.Fatalf("size %d: class %d after %d", size, class, prev)
		}
		if again, exact := sizeClass(capacity); again != class || exact != capacity {
			t.Fatalf("size %d: capacity %d is of class %d, want %d", size, capacity, again, class)
		}
		prev = class
	}
}

func TestBuffersAlignAndReuse(t *testing.T) {
	b := NewBuffers(-1)
	for _, size := range []int{0, 1, 64, 65, 1000, 5000, 40_000, 1 << 20} {
		x, err := b.Get(size)
		if err != nil {
			t.Fatal(err)
		}
		if len(x) != size {
			t.Errorf("Get(%d) gave %d bytes", size, len(x))
		}
		if uintptr(unsafe.Pointer(unsafe.SliceData(x)))%Align != 0 {
			t.Errorf("Get(%d) is not aligned", size)
		}
		first := unsafe.SliceData(x)
		b.Put(x[:size/2])
		y, _ := b.Get(size)
		if unsafe.SliceData(y) != first {
			t.Errorf("Get(%d) after Put gave other memory", size)
		}
		b.Put(y)
	}
	if b.InUse() != 0 || b.Idle() == 0 || b.Peak() == 0 {
		t.Errorf("in use %d, idle %d, peak %d", b.InUse(), b.Idle(), b.Peak())
	}
	b.Trim()
	if b.Idle() != 0 {
		t.Errorf("%d bytes idle after Trim", b.Idle())
	}
}

func TestBuffersLimit(t *testing.T) {
	b := NewBuffers(1 << 20)
	x, err := b.Get(1 << 19)
	if err != nil {
		t.Fatal(err)
	}
	var full *MemoryError
	for _, size := range []int{1<<19 + 1, math.MaxInt / 2, math.MaxInt} {
		if _, err := b.Get(size); !errors.As(err, &full) {
			t.Fatalf("Get(%d): %v, want a MemoryError", size, err)
		}
	}
	if full.InUse != 1<<19 || full.Limit.Bytes != 1<<20 {
		t.Errorf("error says %+v", *full)
	}
	b.Put(x)
	if _, err := b.Get(1 << 20); err != nil { // idle memory is dropped
		t.Fatal(err)
	}
	if _, err := b.Get(-1); err == nil {
		t.Error("negative size accepted")
	}
}

func TestNilBuffers(t *testing.T) {
	var e *Env
	x, err := e.Scratch(100)
	if err != nil || len(x) != 100 {
		t.Fatal(len(x), err)
	}
	e.Free(x)
	new(Env).Free(x)
}

func TestBuffersConcurrently(t *testing.T) {
	b := NewBuffers(-1)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 300 {
				x, err := b.Get(100 + i*7)
				if err != nil {
					t.Error(err)
					return
				}
				for j := range x {
					x[j] = byte(g)
				}
				for j := range x {
					if x[j] != byte(g) {
						t.Error("a buffer has two owners")
						return
					}
				}
				b.Put(x)
			}
		}()
	}
	wg.Wait()
	if b.InUse() != 0 {
		t.Errorf("%d bytes in use", b.InUse())
	}
}

func TestPutForeignBufferPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	NewBuffers(-1).Put(make([]byte, 100))
}

func TestViewBytes(t *testing.T) {
	b := make([]byte, 16)
	View[float32](b)[1] = 1
	if b[6] != 0x80 || b[7] != 0x3f {
		t.Errorf("bytes %v", b)
	}
	if len(View[float64](nil)) != 0 || len(Bytes([]int32{1, 2})) != 8 {
		t.Error("lengths")
	}
}
