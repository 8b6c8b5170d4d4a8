package rt

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"unsafe"
)

// fakePages are the calls of a system, which check what the system would check, and record the protection of pages.
type fakePages struct {
	page, granularity int   // of protections, and of allocations
	refuse            error // of execute

	mu         sync.Mutex      // cleanups free memory on other goroutines
	executable map[*byte][]int // by allocation: the first bytes of executable pages
	freed      map[*byte]bool
}

func (f *fakePages) calls() *pages {
	f.executable, f.freed = map[*byte][]int{}, map[*byte]bool{}
	of := func(b []byte) (*byte, int, error) {
		at := uintptr(unsafe.Pointer(&b[0]))
		for p := range f.executable {
			if from := uintptr(unsafe.Pointer(p)); at >= from && at < from+1<<26 {
				offset := int(at - from)
				if offset%f.page != 0 || len(b)%f.page != 0 {
					return nil, 0, fmt.Errorf("%d bytes at %d are not pages of %d", len(b), offset, f.page)
				}
				return p, offset, nil
			}
		}
		return nil, 0, errors.New("no memory of alloc")
	}
	return &pages{
		size: func() int { return f.page },
		alloc: func(size int) ([]byte, error) {
			if size%f.page != 0 {
				return nil, fmt.Errorf("%d bytes are not pages of %d", size, f.page)
			}
			memory := make([]byte, size+f.granularity)
			skip := -int(uintptr(unsafe.Pointer(&memory[0]))) & (f.granularity - 1)
			b := memory[skip : skip+size : skip+size]
			f.mu.Lock()
			defer f.mu.Unlock()
			f.executable[&b[0]] = []int{}
			return b, nil
		},
		execute: func(b []byte) error {
			f.mu.Lock()
			defer f.mu.Unlock()
			p, offset, err := of(b)
			if err != nil {
				return err
			}
			if f.refuse != nil {
				return f.refuse
			}
			for at := offset; at < offset+len(b); at += f.page {
				f.executable[p] = append(f.executable[p], at)
			}
			return nil
		},
		free: func(b []byte) error {
			f.mu.Lock()
			defer f.mu.Unlock()
			if _, ok := f.executable[&b[0]]; !ok {
				return errors.New("not the memory of alloc")
			}
			f.freed[&b[0]] = true
			return nil
		},
	}
}

// TestCodeMemoryOfOtherSystems adds and seals code by the memory calls of macOS on AArch64, whose pages have 16 KiB,
// and of Windows, whose allocations begin at multiples of 64 KiB: code is written before its pages are executable and
// never after, and other code begins on another page.
func TestCodeMemoryOfOtherSystems(t *testing.T) {
	for name, f := range map[string]*fakePages{
		"macOS":   {page: 16 << 10, granularity: 16 << 10},
		"Windows": {page: 4 << 10, granularity: 64 << 10},
	} {
		arena := &CodeArena{pages: f.calls()}
		executable := func(at *byte) bool {
			for p, list := range f.executable {
				for _, offset := range list {
					from := uintptr(unsafe.Pointer(p)) + uintptr(offset)
					if a := uintptr(unsafe.Pointer(at)); a >= from && a < from+uintptr(f.page) {
						return true
					}
				}
			}
			return false
		}
		for i, sizes := range [][]int{{100, 200}, {f.page}, {50}, {300 << 10}, {1}} {
			var functions []*Function
			for _, n := range sizes {
				code := bytes.Repeat([]byte{byte(i + 1)}, n)
				fn, err := arena.Add("code", code, n)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if executable(&fn.code[0]) || executable(&fn.code[n-1]) {
					t.Errorf("%s: code of %d bytes was written to an executable page", name, n)
				}
				if !bytes.Equal(fn.code, code) {
					t.Errorf("%s: other code in memory", name)
				}
				functions = append(functions, fn)
			}
			if err := arena.Seal(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, fn := range functions {
				if !executable(&fn.code[0]) || !executable(&fn.code[len(fn.code)-1]) {
					t.Errorf("%s: code of %d bytes is not executable", name, len(fn.code))
				}
			}
		}
		for _, m := range arena.chunks {
			m.free()
		}
		runtime.KeepAlive(arena) // its cleanup has not freed them
		f.mu.Lock()
		if len(f.freed) != len(f.executable) || len(f.freed) < 2 {
			t.Errorf("%s: %d of %d allocations are freed", name, len(f.freed), len(f.executable))
		}
		f.mu.Unlock()
	}
}

// TestRefusedCodeMemory: a system that makes no page executable is an error of the code, and the arena stays usable.
func TestRefusedCodeMemory(t *testing.T) {
	f := &fakePages{page: 16 << 10, granularity: 16 << 10, refuse: errors.New("refused")}
	arena := &CodeArena{pages: f.calls()}
	if _, err := arena.Add("code", []byte{1}, 1); err != nil {
		t.Fatal(err)
	}
	var memory *CodeMemoryError
	if err := arena.Seal(); !errors.As(err, &memory) || !errors.Is(err, f.refuse) || memory.Code != "code" {
		t.Errorf("%v", err)
	}
	f.refuse = nil
	if err := arena.Seal(); err != nil {
		t.Errorf("later: %v", err)
	}
}
