package neon

import (
	"errors"
	"fmt"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// ErrUnsupported is wrapped by errors about instructions that have no translation.
var ErrUnsupported = errors.New("neon: no translation")

// Translate translates position-independent code for AVX2: instructions, of which there are instructionBytes, and
// constants after them. It gets the address of its arguments in RDI, and that of 4 KiB of spill memory in RSI; the
// result gets them in X0 and X1, and needs [SpillBytes] more of spill memory. It is a leaf function without a frame.
func Translate(text []byte, instructionBytes int) (code []byte, codeInstructionBytes int, err error) {
	blocks, err := split(text, instructionBytes)
	if err != nil {
		return nil, 0, err
	}
	t := &translator{text: text, blocks: blocks, constants: &constants{}}
	for i := range blocks {
		if err := t.translateBlock(&blocks[i]); err != nil {
			return nil, 0, err
		}
	}
	findLive(blocks)
	return t.assemble()
}

// translator translates the instructions of one function.
type translator struct {
	text   []byte
	blocks []block
	*constants
	*builder
	in        *inst     // the current instruction
	next      int       // the number of the instruction after it in the block
	flags     flagKind  // of the last instruction that set the flags
	upperHalf upperHalf // what RDX is known to hold
}

// translateBlock translates the instructions of a block to nodes.
func (t *translator) translateBlock(b *block) error {
	t.builder = newBuilder(b, t.constants)
	t.flags = noFlags
	if b.flagsFrom >= 0 {
		t.flags = t.blocks[b.flagsFrom].flags
	}
	t.upperHalf = unknownUpper
	for i := range b.insts {
		in := &b.insts[i]
		t.in, t.next = in, i+1
		f := translations[in.Op]
		if f == nil {
			return fmt.Errorf("%w of %s", ErrUnsupported, in.Inst)
		}
		if err := f(t, in); err != nil {
			return fmt.Errorf("%w of %s: %w", ErrUnsupported, in.Inst, err)
		}
	}
	b.flags = t.flags
	b.nodes, b.out = t.nodes, t.halves
	b.consts = t.consts
	b.values = t.numValues()
	return nil
}

// assemble assigns registers and assembles the code.
func (t *translator) assemble() ([]byte, int, error) {
	a := &assembler{text: t.text, constants: t.constants, labels: make([]arm64.Label, len(t.blocks))}
	for i := range a.labels {
		a.labels[i] = a.NewLabel()
	}
	a.Emit(arm64.ADD, arm64.X(spillReg), arm64.X(1), arm64.Imm(sourceSpillBytes))
	s := scan{assembler: a}
	for i := range t.blocks {
		a.Bind(a.labels[i])
		if err := s.allocate(&t.blocks[i]); err != nil {
			return nil, 0, err
		}
	}
	n := a.Len()
	code, err := a.Finish()
	return code, n, err
}

// assembler assembles instructions whose registers are assigned.
type assembler struct {
	arm64.Assembler
	*constants
	text   []byte
	labels []arm64.Label
}

// arg returns an operand that is not a value; targets and constants become labels.
func (a *assembler) arg(o *operand) arm64.Arg {
	switch o.ref.kind {
	case refBlock:
		return arm64.LabelOperand(a.labels[o.ref.n])
	case refConst:
		return a.Const(a.list[o.ref.n][:])
	case refText:
		return a.Const(a.text[o.ref.n:])
	}
	return o.arg
}

// translate translates one instruction.
type translate func(t *translator, in *inst) error

// translations are the functions of the mnemonics.
var translations = map[amd64.Op]translate{}

// define adds functions of mnemonics.
func define(more map[amd64.Op]translate) {
	for op, f := range more {
		if translations[op] != nil {
			panic(fmt.Sprintf("neon: %s is defined twice", op))
		}
		translations[op] = f
	}
}
