package token

import (
	"cmp"
	"slices"
	"sort"
)

// trie finds the prefixes of a text that are in a vocabulary.
type trie struct {
	nodes  []trieNode
	labels []byte // of the edge that leads to each node
	dense  [][256]int32
}

type trieNode struct {
	value int32 // -1: no key ends here
	first int32 // its first child; children are neighbours, in the order of their labels
	n     int16
	dense int16 // the table of its children, or -1
}

// wide is from how many children on a node has a table.
const wide = 12

// newTrie builds a trie of keys; of equal keys the last one counts.
func newTrie(keys []string, values []int32) *trie {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	t := &trie{nodes: []trieNode{{value: -1, dense: -1}}, labels: []byte{0}}
	type todo struct{ node, low, high, depth int }
	queue := []todo{{0, 0, len(order), 0}}
	for len(queue) > 0 {
		q := queue[0]
		queue = queue[1:]
		for q.low < q.high && len(keys[order[q.low]]) == q.depth {
			t.nodes[q.node].value = values[order[q.low]]
			q.low++
		}
		t.nodes[q.node].first = int32(len(t.nodes))
		for q.low < q.high {
			label := keys[order[q.low]][q.depth]
			end := q.low + sort.Search(q.high-q.low, func(i int) bool { return keys[order[q.low+i]][q.depth] > label })
			queue = append(queue, todo{len(t.nodes), q.low, end, q.depth + 1})
			t.nodes = append(t.nodes, trieNode{value: -1, dense: -1})
			t.labels = append(t.labels, label)
			t.nodes[q.node].n++
			q.low = end
		}
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.n < wide || len(t.dense) == 1<<15-1 {
			continue
		}
		n.dense = int16(len(t.dense))
		var table [256]int32
		for child := n.first; child < n.first+int32(n.n); child++ {
			table[t.labels[child]] = child
		}
		t.dense = append(t.dense, table)
	}
	return t
}

// step follows the edge of c from a node; 0, the root, where there is none.
func (t *trie) step(node int32, c byte) int32 {
	n := &t.nodes[node]
	if n.dense >= 0 {
		return t.dense[n.dense][c]
	}
	for child := n.first; child < n.first+int32(n.n); child++ {
		if t.labels[child] == c {
			return child
		}
	}
	return 0
}

// walk follows s from a node; 0 where the trie ends before.
func (t *trie) walk(node int32, s string) int32 {
	for i := range len(s) {
		if node = t.step(node, s[i]); node == 0 {
			return 0
		}
	}
	return node
}
