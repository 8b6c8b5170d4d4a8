package core

import (
	"fmt"
	"sync"
	"testing"
)

// The entry used least recently goes; a use that only lastFor saw counts too.
func TestCacheDropsLeastRecent(t *testing.T) {
	var c cache[string, *int]
	has := func(key string) bool { return c.find(&key) != nil }
	a, b := "a", "b"
	c.put("a", new(int), 2)
	c.put("b", new(int), 2)
	if c.get(&a) == nil || c.lastFor(&a) == nil || c.lastFor(&b) != nil {
		t.Fatal("the value used last must be that of a")
	}
	if c.put("c", new(int), 2); !has("a") || has("b") || !has("c") {
		t.Error("b was used least recently, and must be dropped")
	}
	if !has("c") { // a is the last one, hence used again by this
		t.Fatal("c must be kept")
	}
	if e := c.find(&a); c.replace("a", nil, new(int), 2) != nil || c.replace("a", e, new(int), 2) == nil {
		t.Error("replace must compare the entry")
	} else if c.remove(e); !has("a") {
		t.Error("remove must not remove the entry of another value")
	}
}

func TestCacheIsSafe(t *testing.T) {
	var c cache[string, *int]
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 500 {
				key := fmt.Sprint((i + w) % 12)
				if v := c.get(&key); v != nil && fmt.Sprint(*v) != key {
					t.Errorf("the value of %s is %d", key, *v)
				}
				v := (i + w) % 12
				c.put(key, &v, 8)
			}
		})
	}
	wg.Wait()
	if len(c.m) > 8 {
		t.Errorf("%d values are kept, the limit is 8", len(c.m))
	}
}
