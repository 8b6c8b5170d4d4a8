package onig

import (
	"fmt"
	"unicode/utf8"

	"github.com/go-nx/nx/token/internal/unitab"
)

type opcode uint8

const (
	opMatch opcode = iota
	opSet          // one character of set
	opLoop         // low to high characters of set, as many as possible first
	opSplit        // try x, then y
	opJump
	opSave   // remember the position in slot x
	opMark   // remember the position in counter x
	opMoved  // fail where the position is that in counter x
	opLook   // the program from x to its opMatch, ahead or behind
	opAtomic // the program from x to its opMatch; go on at y
	opBack   // what group x matched
	opLineStart
	opLineEnd
	opTextStart
	opTextEnd
	opLastLine
	opWordEdge
	opNoWordEdge
	opSearchStart
)

type instr struct {
	op             opcode
	set            *set
	x, y           int
	low, high      int
	behind, negate bool
	fold           bool
}

// Regexp is a compiled pattern. It may be used by many goroutines at once.
type Regexp struct {
	text     string
	prog     []instr
	slots    int
	counters int
	first    [256]bool // the bytes that a match may begin with
	anyFirst bool      // a match may begin anywhere, or be empty
	t        unitab.Table
	word     *set
}

// String returns the pattern.
func (re *Regexp) String() string { return re.text }

// Compile reads a pattern.
func Compile(pattern string) (*Regexp, error) {
	if !utf8.ValidString(pattern) {
		return nil, fmt.Errorf("the pattern %q is not UTF-8", pattern)
	}
	p := &parser{t: unitab.Load(), in: pattern, names: map[string]int{}}
	n, err := p.alternatives()
	if err == nil && p.more() {
		err = p.fail("a closing parenthesis without its opening one")
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	re := &Regexp{text: pattern, t: p.t, slots: 2 * (p.groups + 1), word: word().finish(p.t)}
	if err := re.compile(n); err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	re.emit(instr{op: opMatch})
	re.anyFirst = !re.firsts(n)
	return re, nil
}

// maxProgram bounds what copies of repetitions may add up to.
const maxProgram = 1 << 16

func (re *Regexp) emit(i instr) int {
	re.prog = append(re.prog, i)
	return len(re.prog) - 1
}

func (re *Regexp) compile(n *node) error {
	if len(re.prog) > maxProgram {
		return fmt.Errorf("it repeats to more than %d steps", maxProgram)
	}
	switch n.kind {
	case kSet:
		re.emit(instr{op: opSet, set: n.set})
	case kCat:
		for _, sub := range n.subs {
			if err := re.compile(sub); err != nil {
				return err
			}
		}
	case kAlt:
		var ends []int
		for i, sub := range n.subs {
			if i == len(n.subs)-1 {
				if err := re.compile(sub); err != nil {
					return err
				}
				break
			}
			split := re.emit(instr{op: opSplit})
			re.prog[split].x = len(re.prog)
			if err := re.compile(sub); err != nil {
				return err
			}
			ends = append(ends, re.emit(instr{op: opJump}))
			re.prog[split].y = len(re.prog)
		}
		for _, end := range ends {
			re.prog[end].x = len(re.prog)
		}
	case kRepeat:
		return re.repeat(n)
	case kGroup:
		re.emit(instr{op: opSave, x: 2 * n.num})
		if err := re.compile(n.subs[0]); err != nil {
			return err
		}
		re.emit(instr{op: opSave, x: 2*n.num + 1})
	case kAtomic, kLook:
		op := instr{op: opAtomic}
		if n.kind == kLook {
			op = instr{op: opLook, behind: n.behind, negate: n.negate}
			if n.behind {
				op.low, op.high = width(n.subs[0])
			}
		}
		at := re.emit(op)
		re.prog[at].x = len(re.prog)
		if err := re.compile(n.subs[0]); err != nil {
			return err
		}
		re.emit(instr{op: opMatch})
		re.prog[at].y = len(re.prog)
	case kAssert:
		re.emit(instr{op: n.op})
	case kBack:
		re.emit(instr{op: opBack, x: n.num, fold: n.fold})
	}
	return nil
}

func (re *Regexp) repeat(n *node) error {
	sub := n.subs[0]
	if sub.kind == kSet && !n.lazy {
		re.emit(instr{op: opLoop, set: sub.set, low: n.min, high: n.max})
		return nil
	}
	for range n.min {
		if err := re.compile(sub); err != nil {
			return err
		}
	}
	split := func() int { return re.emit(instr{op: opSplit}) }
	enter := func(at, body, out int) {
		if n.lazy {
			re.prog[at].x, re.prog[at].y = out, body
		} else {
			re.prog[at].x, re.prog[at].y = body, out
		}
	}
	if n.max < 0 {
		low, _ := width(sub)
		head := split()
		counter := re.counters
		if low == 0 {
			re.counters++
			re.emit(instr{op: opMark, x: counter})
		}
		if err := re.compile(sub); err != nil {
			return err
		}
		if low == 0 {
			re.emit(instr{op: opMoved, x: counter})
		}
		re.emit(instr{op: opJump, x: head})
		enter(head, head+1, len(re.prog))
		return nil
	}
	var heads []int
	for range n.max - n.min {
		heads = append(heads, split())
		if err := re.compile(sub); err != nil {
			return err
		}
	}
	for _, head := range heads {
		enter(head, head+1, len(re.prog))
	}
	return nil
}

// width returns how many characters a node may match: high < 0 means without end.
func width(n *node) (low, high int) {
	switch n.kind {
	case kSet:
		return 1, 1
	case kCat:
		for _, sub := range n.subs {
			l, h := width(sub)
			low += l
			if high >= 0 {
				high += h
			}
			if h < 0 {
				high = -1
			}
		}
		return low, high
	case kAlt:
		low, high = width(n.subs[0])
		for _, sub := range n.subs[1:] {
			l, h := width(sub)
			low = min(low, l)
			if high >= 0 && (h < 0 || h > high) {
				high = h
			}
		}
		return low, high
	case kRepeat:
		l, h := width(n.subs[0])
		if n.max < 0 || h < 0 {
			return l * n.min, -1
		}
		return l * n.min, h * n.max
	case kGroup, kAtomic:
		return width(n.subs[0])
	case kBack:
		return 0, -1
	}
	return 0, 0
}

// firsts marks the bytes that a match of n begins with; false where a match may be empty or begin with anything.
func (re *Regexp) firsts(n *node) bool {
	switch n.kind {
	case kSet:
		for r := range rune(128) {
			if n.set.has(re.t, r) {
				re.first[r] = true
			}
		}
		for b := 128; b < 256; b++ {
			re.first[b] = true
		}
		return true
	case kCat:
		for _, sub := range n.subs {
			if sub.kind == kLook || sub.kind == kAssert {
				continue
			}
			if low, _ := width(sub); low > 0 {
				return re.firsts(sub)
			}
			if !re.some(sub) {
				return false
			}
		}
		return false
	case kAlt:
		for _, sub := range n.subs {
			if !re.firsts(sub) {
				return false
			}
		}
		return true
	case kRepeat:
		return n.min > 0 && re.firsts(n.subs[0])
	case kGroup, kAtomic:
		return re.firsts(n.subs[0])
	}
	return false
}

// some marks the bytes that n begins with where it is not empty; false where that is not known.
func (re *Regexp) some(n *node) bool {
	if n.kind == kRepeat {
		if low, _ := width(n.subs[0]); low > 0 {
			return re.firsts(n.subs[0])
		}
	}
	return false
}
