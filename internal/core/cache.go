package core

import (
	"sync"
	"sync/atomic"
)

// cache keeps values, which are pointers, by key: what was compiled or traced for a signature. It is bounded: a
// new value replaces the one used least recently. The value used last is found without a lock.
type cache[K comparable, V any] struct {
	last  atomic.Pointer[cacheEntry[K, V]]
	clock atomic.Int64

	mu sync.RWMutex
	m  map[K]*cacheEntry[K, V]
}

// cacheEntry is a value with its key.
type cacheEntry[K comparable, V any] struct {
	key   K
	value V
	used  atomic.Int64 // grows with the time of use
}

// lastFor returns the value used last if it is that of a key, else the zero value.
func (c *cache[K, V]) lastFor(key *K) (v V) {
	if e := c.last.Load(); e != nil && e.key == *key {
		return e.value
	}
	return v
}

// get returns the value of a key, the zero value if there is none. It becomes the one used last.
func (c *cache[K, V]) get(key *K) (v V) {
	if e := c.last.Load(); e != nil && e.key == *key {
		return e.value
	}
	e := c.find(key)
	if e == nil {
		return v
	}
	c.last.Store(e)
	return e.value
}

// find returns the entry of a key, nil if there is none. It does not become the one used last.
func (c *cache[K, V]) find(key *K) *cacheEntry[K, V] {
	now := c.clock.Add(1)
	if e := c.last.Load(); e != nil { // lastFor does not count its uses
		e.used.Store(now)
	}
	c.mu.RLock()
	e := c.m[*key]
	c.mu.RUnlock()
	if e != nil {
		e.used.Store(now)
	}
	return e
}

// put sets the value of a key, of at most limit keys.
func (c *cache[K, V]) put(key K, value V, limit int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.insert(key, value, limit)
}

// replace is put if the entry of the key still is was, nil for no entry; else it returns nil.
func (c *cache[K, V]) replace(key K, was *cacheEntry[K, V], value V, limit int) *cacheEntry[K, V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m[key] != was {
		return nil
	}
	return c.insert(key, value, limit)
}

// insert is put with the lock held.
func (c *cache[K, V]) insert(key K, value V, limit int) *cacheEntry[K, V] {
	if c.m == nil {
		c.m = map[K]*cacheEntry[K, V]{}
	}
	if len(c.m) >= limit && c.m[key] == nil {
		var oldest *cacheEntry[K, V]
		for _, e := range c.m {
			if oldest == nil || e.used.Load() < oldest.used.Load() {
				oldest = e
			}
		}
		delete(c.m, oldest.key)
	}
	e := &cacheEntry[K, V]{key: key, value: value}
	e.used.Store(c.clock.Add(1))
	c.m[key] = e
	return e
}

// remove removes an entry.
func (c *cache[K, V]) remove(e *cacheEntry[K, V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m[e.key] == e {
		delete(c.m, e.key)
	}
}
