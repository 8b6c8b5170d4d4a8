package portable

import (
	"math/bits"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// A round of Threefry mixes two words: a becomes a + b, then b becomes rotate(b) xor a. The generator adds a key after
// every four rounds. As separate loops, the three operations of each round read and write memory; a loop over four
// rounds keeps both words in registers and takes a fifth of the time.
type round struct {
	a, b     kernel.Value // the words
	s, t     kernel.Value // the mixed words
	rotation int
}

// roundsPerLoop is the number of rounds per loop.
const roundsPerLoop = 4

// fuseRounds fuses chains of four rounds, or single rounds, with the keys that are added to their results.
func (c *compiler) fuseRounds() {
	var rounds []round
	for v := range c.instrs {
		if r, ok := c.roundAt(kernel.Value(v)); ok {
			rounds = append(rounds, r)
		}
	}
	if rounds == nil {
		return
	}
	uses, readers := c.uses(), c.readers()
	next := map[kernel.Value]int{} // index of the round that consumes the rotated word
	for i, r := range rounds {
		next[r.b] = i
	}
	fused := make([]bool, len(rounds))
	for i := range rounds {
		if fused[i] {
			continue
		}
		chain := []round{rounds[i]}
		last := i
		for len(chain) < roundsPerLoop {
			r := rounds[last]
			n, ok := next[r.t]
			if !ok || fused[n] || rounds[n].a != r.s || uses[r.s] != 2 || uses[r.t] != 2 {
				break
			}
			chain, last = append(chain, rounds[n]), n
		}
		if len(chain) < roundsPerLoop {
			chain = chain[:1]
		}
		for _, r := range chain {
			fused[next[r.b]] = true
		}
		c.fuseRoundChain(chain, uses, readers)
	}
}

// roundAt returns the round whose second result is v.
func (c *compiler) roundAt(v kernel.Value) (round, bool) {
	in := &c.instrs[v]
	if in.Op != kernel.Xor || in.Type != dtype.U32 || c.level[v].uniform {
		return round{}, false
	}
	for j, s := range in.args {
		sum, rotated := &c.instrs[s], &c.instrs[in.args[1-j]]
		if sum.Op != kernel.Add || rotated.rotation == 0 {
			continue
		}
		b := rotated.args[0]
		a := sum.args[0]
		switch {
		case sum.args[1] == b:
		case a == b:
			a = sum.args[1]
		default:
			continue
		}
		if a == b || c.level[a].uniform || c.level[b].uniform || c.level[s].once || c.level[v].once {
			continue
		}
		return round{a, b, s, v, rotated.rotation}, true
	}
	return round{}, false
}

// readers returns the instructions that read each value.
func (c *compiler) readers() [][]kernel.Value {
	out := make([][]kernel.Value, len(c.instrs))
	for i := range c.instrs {
		for _, a := range c.instrs[i].args {
			out[a] = append(out[a], kernel.Value(i))
		}
	}
	return out
}

// fuseRoundChain fuses one or four rounds and the keys that are added after them.
func (c *compiler) fuseRoundChain(chain []round, uses []int, readers [][]kernel.Value) {
	first, end := chain[0], chain[len(chain)-1]
	s, keysOfS := c.withKeys(end.s, 2, uses, readers) // the rotation of the next round also reads it
	t, keysOfT := c.withKeys(end.t, 1, uses, readers)
	if uses[s] == 0 || uses[t] == 0 || s == end.s && uses[s] == 1 {
		return // the sum has no other use
	}
	in := &c.instrs[t]
	in.args = append([]kernel.Value{first.a, first.b}, append(append([]kernel.Value(nil), keysOfS...), keysOfT...)...)
	in.alsoComputes, c.instrs[s].computedBy = s, t
	var left [roundsPerLoop]int
	for i, r := range chain {
		left[i] = r.rotation
	}
	in.fused = func(_ *compiler, dst ref, refs []ref) step {
		x, y, second := refs[first.a], refs[first.b], refs[s]
		total := func(m *machine, keys []kernel.Value) uint32 {
			sum := uint32(0)
			for _, k := range keys {
				sum += vec[uint32](m, refs[k], 1)[0]
			}
			return sum
		}
		loop := oneRound
		if len(chain) == roundsPerLoop {
			loop = fourRounds
		}
		return func(m *machine, n int) {
			loop(vec[uint32](m, second, n), vec[uint32](m, dst, n), vec[uint32](m, x, n), vec[uint32](m, y, n),
				&left, total(m, keysOfS), total(m, keysOfT))
		}
	}
}

// withKeys follows a value with the given number of uses through additions of uniform values, and returns the last sum
// and these values.
func (c *compiler) withKeys(v kernel.Value, reads int, uses []int, readers [][]kernel.Value) (
	kernel.Value, []kernel.Value) {
	var keys []kernel.Value
	for uses[v] == reads {
		next, key := kernel.None, kernel.None
		for _, r := range readers[v] {
			in := &c.instrs[r]
			if uses[r] == 0 || in.Op != kernel.Add || in.fused != nil || in.computedBy >= 0 || c.level[r].once {
				continue
			}
			k := in.args[0]
			if k == v {
				k = in.args[1]
			}
			if c.level[k].uniform {
				next, key = r, k
			}
		}
		if next < 0 {
			break
		}
		v, keys, reads = next, append(keys, key), 1
	}
	return v, keys
}

// fourRounds computes four rounds of the words x and y, and adds a key to each.
func fourRounds(s, t, x, y []uint32, left *[roundsPerLoop]int, keyS, keyT uint32) {
	s, t, y = s[:len(x)], t[:len(x)], y[:len(x)]
	l0, l1, l2, l3 := left[0], left[1], left[2], left[3]
	for i, a := range x {
		b := y[i]
		a += b
		b = bits.RotateLeft32(b, l0) ^ a
		a += b
		b = bits.RotateLeft32(b, l1) ^ a
		a += b
		b = bits.RotateLeft32(b, l2) ^ a
		a += b
		b = bits.RotateLeft32(b, l3) ^ a
		s[i], t[i] = a+keyS, b+keyT
	}
}

// oneRound is fourRounds for one.
func oneRound(s, t, x, y []uint32, left *[roundsPerLoop]int, keyS, keyT uint32) {
	s, t, y = s[:len(x)], t[:len(x)], y[:len(x)]
	l := left[0]
	for i, a := range x {
		b := y[i]
		a += b
		s[i], t[i] = a+keyS, bits.RotateLeft32(b, l)^a+keyT
	}
}
