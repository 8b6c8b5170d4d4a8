package onig

import (
	"errors"
	"sync"
	"unicode"
	"unicode/utf8"
)

// ErrBudget is returned where a pattern takes too many steps on a text.
var ErrBudget = errors.New("the pattern takes too many steps on this text: simplify it, or split the text")

// stepsPerByte and minSteps are the budget of a search through a whole text.
const (
	stepsPerByte = 300
	minSteps     = 1 << 20
)

// frame is a place to go back to.
type frame struct {
	pc, pos int
	low     int // for a loop: it may give characters back down to here; otherwise -1
	slot    int // ≥ 0: restore this slot to pos, and go on failing
}

type machine struct {
	re    *Regexp
	in    []byte
	start int // where the search began
	slots []int
	marks []int
	stack []frame
	steps int
}

var machines = sync.Pool{New: func() any { return new(machine) }}

// FindAll appends the matches in text to dst, start and end of each in turn, as Oniguruma's scan finds them: from left
// to right, without overlap, no empty match right behind another match.
func (re *Regexp) FindAll(text []byte, dst []int32) ([]int32, error) {
	m := machines.Get().(*machine)
	defer machines.Put(m)
	m.re, m.in, m.steps = re, text, minSteps+stepsPerByte*len(text)
	m.slots = resize(m.slots, re.slots)
	m.marks = resize(m.marks, re.counters)
	at, last := 0, -1
	for at <= len(text) {
		start, end := m.search(at)
		if m.steps < 0 {
			return dst, ErrBudget
		}
		if start < 0 {
			return dst, nil
		}
		if start == end && end == last {
			if at == len(text) {
				return dst, nil
			}
			_, size := utf8.DecodeRune(text[at:])
			at += size
			continue
		}
		at, last = end, end
		dst = append(dst, int32(start), int32(end))
	}
	return dst, nil
}

func resize(s []int, n int) []int {
	if cap(s) < n {
		return make([]int, n)
	}
	return s[:n]
}

// search finds the first match at or behind a position; -1 where there is none.
func (m *machine) search(at int) (start, end int) {
	m.start = at
	for pos := at; pos <= len(m.in) && m.steps >= 0; {
		if m.re.anyFirst || pos < len(m.in) && m.re.first[m.in[pos]] {
			for i := range m.slots {
				m.slots[i] = -1
			}
			if end := m.run(0, pos, -1); end >= 0 {
				return pos, end
			}
		}
		if pos == len(m.in) {
			break
		}
		if m.in[pos] < utf8.RuneSelf {
			pos++
		} else {
			_, size := utf8.DecodeRune(m.in[pos:])
			pos += size
		}
	}
	return -1, -1
}

// run matches the program at pc from pos on and returns the end of the match, or -1. target ≥ 0 is where it must end.
func (m *machine) run(pc, pos, target int) int {
	base := len(m.stack)
	defer func() { m.stack = m.stack[:base] }()
	in, prog, t := m.in, m.re.prog, m.re.t
	for {
		if m.steps--; m.steps < 0 {
			return -1
		}
		i := &prog[pc]
		ok := true
		switch i.op {
		case opMatch:
			if target < 0 || pos == target {
				return pos
			}
			ok = false
		case opSet:
			if pos < len(in) {
				if c := in[pos]; c < utf8.RuneSelf {
					if ok = i.set.ascii[c>>6]>>(c&63)&1 != 0; ok {
						pos++
					}
				} else {
					r, size := utf8.DecodeRune(in[pos:])
					if ok = i.set.has(t, r); ok {
						pos += size
					}
				}
			} else {
				ok = false
			}
			pc++
		case opLoop:
			count, low := 0, pos
			for pos < len(in) && count != i.high {
				c, size := in[pos], 1
				if c < utf8.RuneSelf {
					if i.set.ascii[c>>6]>>(c&63)&1 == 0 {
						break
					}
				} else {
					var r rune
					r, size = utf8.DecodeRune(in[pos:])
					if !i.set.has(t, r) {
						break
					}
				}
				pos += size
				if count++; count == i.low {
					low = pos
				}
			}
			m.steps -= count
			pc++
			if ok = count >= i.low; ok && pos > low {
				m.stack = append(m.stack, frame{pc: pc, pos: pos, low: low, slot: -1})
			}
		case opSplit:
			m.stack = append(m.stack, frame{pc: i.y, pos: pos, low: -1, slot: -1})
			pc = i.x
		case opJump:
			pc = i.x
		case opSave:
			m.stack = append(m.stack, frame{pos: m.slots[i.x], slot: i.x})
			m.slots[i.x] = pos
			pc++
		case opMark:
			m.marks[i.x] = pos
			pc++
		case opMoved:
			ok = m.marks[i.x] != pos
			pc++
		case opLook:
			ok = m.look(i, pos) != i.negate
			pc = i.y
		case opAtomic:
			end := m.run(i.x, pos, -1)
			ok = end >= 0
			pos, pc = end, i.y
		case opBack:
			pos, ok = m.back(i, pos)
			pc++
		default:
			ok = m.assert(i.op, pos)
			pc++
		}
		for !ok {
			if len(m.stack) == base {
				return -1
			}
			f := &m.stack[len(m.stack)-1]
			switch {
			case f.slot >= 0:
				m.slots[f.slot] = f.pos
				m.stack = m.stack[:len(m.stack)-1]
			case f.low < 0:
				pc, pos, ok = f.pc, f.pos, true
				m.stack = m.stack[:len(m.stack)-1]
			default: // a loop gives one character back
				_, size := utf8.DecodeLastRune(in[:f.pos])
				f.pos -= size
				pc, pos, ok = f.pc, f.pos, true
				if f.pos <= f.low {
					m.stack = m.stack[:len(m.stack)-1]
				}
			}
		}
	}
}

// look tells whether the program of a lookaround matches.
func (m *machine) look(i *instr, pos int) bool {
	if !i.behind {
		return m.run(i.x, pos, -1) >= 0
	}
	at := pos
	for chars := 0; ; chars++ {
		if chars >= i.low && m.run(i.x, at, pos) >= 0 {
			return true
		}
		if at == 0 || chars == i.high || m.steps < 0 {
			return false
		}
		_, size := utf8.DecodeLastRune(m.in[:at])
		at -= size
	}
}

// back matches what a group matched before.
func (m *machine) back(i *instr, pos int) (int, bool) {
	start, end := m.slots[2*i.x], m.slots[2*i.x+1]
	if start < 0 || end < start {
		return pos, false
	}
	for start < end {
		if pos == len(m.in) {
			return pos, false
		}
		a, sizeA := utf8.DecodeRune(m.in[start:end])
		b, sizeB := utf8.DecodeRune(m.in[pos:])
		if a != b && !(i.fold && folded(a, b)) {
			return pos, false
		}
		start, pos = start+sizeA, pos+sizeB
	}
	return pos, true
}

func folded(a, b rune) bool {
	for f := unicode.SimpleFold(a); f != a; f = unicode.SimpleFold(f) {
		if f == b {
			return true
		}
	}
	return false
}

func (m *machine) assert(op opcode, pos int) bool {
	in := m.in
	switch op {
	case opTextStart:
		return pos == 0
	case opTextEnd:
		return pos == len(in)
	case opLastLine:
		return pos == len(in) || pos == len(in)-1 && in[pos] == '\n'
	case opLineStart:
		return pos == 0 || in[pos-1] == '\n' && pos < len(in)
	case opLineEnd:
		return pos == len(in) || in[pos] == '\n'
	case opSearchStart:
		return pos == m.start
	}
	before, _ := utf8.DecodeLastRune(in[:pos])
	after, _ := utf8.DecodeRune(in[pos:])
	edge := (pos > 0 && m.re.word.has(m.re.t, before)) != (pos < len(in) && m.re.word.has(m.re.t, after))
	return edge == (op == opWordEdge)
}
