package core

import (
	"sync"
)

// opCache holds the compiled ops of eager calls.
type opCache struct {
	mu sync.RWMutex
	m  map[signature]*compiledOp
}

func (c *opCache) get(sig *signature) *compiledOp {
	c.mu.RLock()
	op := c.m[*sig]
	c.mu.RUnlock()
	return op
}

// maxOps bounds the cache; a program that makes more signatures starts anew.
const maxOps = 4096

func (c *opCache) put(sig *signature, op *compiledOp) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil || len(c.m) >= maxOps {
		c.m = map[signature]*compiledOp{}
	}
	c.m[*sig] = op
}
