package neon

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// inst is an instruction of the code for AVX2.
type inst struct {
	amd64.Inst
	at, end int // its offsets
}

// block is a basic block.
type block struct {
	insts []inst
	at    int // offset of the first instruction
	// next are the blocks that may follow, by number; the second one is that of the fallthrough. -1 is none.
	next      [2]int
	flagsFrom int // the block that only continues with this one, whose flags it may read; -1 if there is none

	nodes  []node
	consts map[value][16]byte
	values int           // number of values
	out    [halves]value // the value of each half after the block
	flags  flagKind      // after the block
	live   uint32        // halves that are read after the block
	needed []bool        // by node
}

// target returns the offset that a jump goes to, and whether the instruction is one.
func (in *inst) target() (int, bool) {
	if in.Op < amd64.JO || in.Op > amd64.JMP {
		return 0, false
	}
	return in.end + int(in.Args[0].Val), in.Args[0].Kind == amd64.ImmArg
}

// isAVX2 reports whether the operands are those of code for AVX2: no masks, roundings, or registers that AVX-512 adds,
// and no stack pointer.
func isAVX2(in *amd64.Inst) bool {
	for _, a := range in.Args {
		if a.Kind != amd64.ImmArg && (isStackPointer(a.Reg) || isStackPointer(a.Index)) {
			return false
		}
		if r := a.Reg; a.Kind == amd64.RegArg && (r.Num() > 15 || r.Class() > amd64.YMM) || a.Elem != 0 {
			return false
		}
		if a.Kind == amd64.MemArg && a.Index != 0 && a.Index.Num() > 15 {
			return false
		}
	}
	return in.Mask == 0 && in.Round == amd64.ByMXCSR
}

func isStackPointer(r amd64.Reg) bool {
	return r != amd64.RIP && r.Class() >= amd64.R8 && r.Class() <= amd64.R64 && r.Num() == amd64.RSP.Num()
}

// split decodes instructions and divides them into blocks.
func split(text []byte, instructionBytes int) ([]block, error) {
	var list []inst
	starts := map[int]bool{0: true}
	for at := 0; at < instructionBytes; {
		in, n, err := amd64.Decode(text[at:instructionBytes])
		if err != nil {
			return nil, fmt.Errorf("%w at %#x: %w", ErrUnsupported, at, err)
		}
		if !isAVX2(&in) {
			return nil, fmt.Errorf("%w of %s, which is not of AVX2", ErrUnsupported, in)
		}
		list = append(list, inst{in, at, at + n})
		at += n
		if to, ok := list[len(list)-1].target(); ok {
			starts[to], starts[at] = true, true
		}
	}
	var blocks []block
	number := map[int]int{}
	for i := range list {
		in := &list[i]
		if starts[in.at] || len(blocks) == 0 {
			number[in.at] = len(blocks)
			blocks = append(blocks, block{at: in.at, insts: list[i:i], next: [2]int{-1, -1}, flagsFrom: -1})
		}
		b := &blocks[len(blocks)-1]
		b.insts = b.insts[:len(b.insts)+1]
	}
	targets := map[int]bool{}
	for i := range blocks {
		b := &blocks[i]
		last := &b.insts[len(b.insts)-1]
		if to, ok := last.target(); ok {
			n, ok := number[to]
			if !ok {
				return nil, fmt.Errorf("%w of a jump to %#x, where no instruction starts", ErrUnsupported, to)
			}
			b.next[0] = n
			targets[n] = true
		}
		if last.Op != amd64.JMP && last.Op != amd64.RET {
			if i+1 == len(blocks) {
				return nil, fmt.Errorf("%w of code that does not return", ErrUnsupported)
			}
			b.next[1] = i + 1
		}
	}
	for i := 1; i < len(blocks); i++ {
		if !targets[i] && blocks[i-1].next[1] == i {
			blocks[i].flagsFrom = i - 1
		}
	}
	return blocks, nil
}

// flagsAreRead reports whether the flags of the current instruction are read, by an instruction of the block or of
// those that follow it.
func (t *translator) flagsAreRead() bool {
	seen := []*block{}
	var search func(b *block, i int) bool
	search = func(b *block, i int) bool {
		for ; i < len(b.insts); i++ {
			switch op := b.insts[i].Op; {
			case conditionOf(op) != "":
				return true
			case setsFlags(op):
				return false
			}
		}
		if slices.Contains(seen, b) {
			return false
		}
		seen = append(seen, b)
		for _, n := range b.next {
			if n >= 0 && search(&t.blocks[n], 0) {
				return true
			}
		}
		return false
	}
	return search(t.b, t.next)
}
