package scalar

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// assembler emits the function of a loop. RDI points to the memory of the file, RSI to the spill slots. A value
// stays in its register until the end of its basic block; it is stored to its buffer as well. An unsupported node is a
// side exit: the function returns the number of the exit, the caller runs the fallback code of the node, and calls the
// function again, which resumes after the node.
type assembler struct {
	*compiler.Selector
	c     *Compiler
	code  *Code
	al    *regalloc.Allocation
	check bool
	known []knownElement
	// carried are the loop-carried elements of the current loop.
	carried     []knownElement
	exits       []asm.Label // the resume points by number; the first is the entry
	coldExits   []coldExit
	returnLabel asm.Label

	pointers     map[int]int // byte offsets of the addresses of buffers in memory
	bailOutLabel asm.Label   // of the current kernel
	ops          int         // instructions of kernels in machine code
	fallbacks    int         // nodes that always run as fallback
	work         int         // instructions of kernels in tiles, of the current loop
}

// knownElement is an element of a buffer that is in registers.
type knownElement struct {
	buf, offset int // in bytes
	t           dtype.Type
	parts       []regalloc.Operand
}

// coldExit is a side exit that is rarely taken: it is emitted after the rest.
type coldExit struct {
	from   asm.Label
	number int
}

// Assemble emits the function. If the fallback code is at least as fast, the error is ErrUnsupported. Check
// verifies the register allocation.
func Assemble(c *Compiler, check bool) (*Code, error) {
	of := compiler.NewScalarSelector(c.width)
	s := &assembler{c: c, check: check, al: regalloc.NewAllocation(of.Buffer), pointers: map[int]int{},
		Selector: of,
		code:     &Code{slots: map[int]int{}, memBytes: scalarHead}}
	for _, buf := range slices.Sorted(maps.Keys(c.sizes)) { // in this order, so that equal loops have equal code
		s.code.slots[buf] = s.reserve(int(c.sizes[buf]))
	}
	entry := s.Asm.NewLabel()
	s.returnLabel = s.Asm.NewLabel()
	s.Asm.Emit(asm.JMP, entry)
	s.bindExit(nil)
	if err := s.block(c.all); err != nil {
		return nil, err
	}
	if s.fallbacks*opsPerFallback > s.ops {
		return nil, target.Unsupported("%d fallback operations of a loop", s.fallbacks)
	}
	s.sideExit(0)
	for _, exit := range s.coldExits {
		s.Asm.Bind(exit.from)
		s.sideExit(exit.number)
	}
	s.Asm.Bind(s.returnLabel)
	s.Asm.Emit(asm.VZEROUPPER)
	s.Asm.Emit(asm.RET)
	s.Asm.Bind(entry)
	s.Asm.Emit(asm.MOV, asm.RAX, asm.Mem(asm.RDI, scalarResume))
	for number, l := range s.exits {
		s.Asm.Emit(asm.CMP, asm.RAX, asm.Imm(int64(number)))
		s.Asm.Emit(asm.JE, l)
	}
	s.Asm.Emit(asm.JMP, s.returnLabel) // unreachable
	s.code.InstructionBytes = s.Asm.Len()
	var err error
	s.code.Text, err = s.Asm.Finish()
	return s.code, err
}

// reserve reserves memory in the file.
func (s *assembler) reserve(size int) int {
	at := s.code.memBytes
	s.code.memBytes += (max(size, 1) + 7) &^ 7
	return at
}

// newExit returns the number of a side exit; piece is nil if there is nothing to run.
func (s *assembler) newExit(fallback codegen.ScalarCode) (number int, err error) {
	if len(s.exits) == maxExits {
		return 0, target.Unsupported("loops with too many side exits")
	}
	s.exits = append(s.exits, s.Asm.NewLabel())
	if len(s.exits) > 1 {
		s.code.fallbacks = append(s.code.fallbacks, fallback)
	}
	return len(s.exits) - 1, nil
}

// bindExit makes this position a resume point.
func (s *assembler) bindExit(fallback codegen.ScalarCode) (number int, err error) {
	if number, err = s.newExit(fallback); err == nil {
		s.Asm.Bind(s.exits[number])
	}
	return number, err
}

// sideExit emits a return.
func (s *assembler) sideExit(number int) {
	s.Asm.Emit(asm.MOV, asm.Mem(asm.RDI, scalarResume).Sized(8), asm.Imm(int64(number)))
	s.Asm.Emit(asm.JMP, s.returnLabel)
}

// flush emits the collected instructions. After them, only loop-carried elements are in registers.
func (s *assembler) flush() error {
	s.updateCarried()
	s.known = append(s.known[:0], s.carried...)
	if s.Err != nil {
		return s.Err
	}
	if len(s.Insts) == 0 {
		return nil
	}
	block, err := s.al.FinishBlock(s.check)
	if err != nil {
		return err
	}
	for _, in := range block {
		s.Asm.Inst(s.narrowed(in))
	}
	return nil
}

// narrowed returns the 128-bit form of an instruction, if there is one.
func (s *assembler) narrowed(in asm.Inst) asm.Inst {
	out, narrower := in, false
	for i := range out.Args {
		switch a := &out.Args[i]; {
		case a.Kind == asm.RegArg && (a.Reg.Class() == asm.YMM || a.Reg.Class() == asm.ZMM):
			a.Reg, narrower = a.Reg.As(asm.XMM), true
		case a.Kind == asm.MemArg && a.Index != 0:
			return in // a gather
		}
	}
	if !narrower {
		return in
	}
	if needs, err := out.Needs(); err != nil || needs&^s.Width.Needs() != 0 {
		return in
	}
	return out
}

// block emits nodes in order.
func (s *assembler) block(nodes []scalarNode) error {
	for _, n := range nodes {
		if err := s.node(n); err != nil {
			return err
		}
	}
	return s.flush()
}

func (s *assembler) node(n scalarNode) error {
	switch n := n.(type) {
	case *kernelNode:
		return s.kernel(n)
	case *movesNode:
		return s.moves(n)
	case *codegen.Window:
		return s.window(n)
	case *tilesNode:
		return s.tiles(n)
	case *codegen.Contract:
		return s.contract(n)
	case *loopNode:
		return s.loop(n)
	case *branchNode:
		return s.branch(n)
	}
	return fmt.Errorf("internal error: scalar code for a %T", n)
}

// fallbackNode leaves a node to the fallback tier.
func (s *assembler) fallbackNode(n scalarNode) error {
	if err := s.flush(); err != nil {
		return err
	}
	s.fallbacks++
	return s.exitFor(n)
}

// exitFor emits the side exit of a node.
func (s *assembler) exitFor(n scalarNode) error {
	code, err := s.fallbackFor(n)
	if err != nil {
		return err
	}
	number, err := s.newExit(code)
	if err != nil {
		return err
	}
	s.sideExit(number)
	s.Asm.Bind(s.exits[number])
	return s.fetchCarried()
}

// fallbackFor returns the fallback code of a node, which needs the addresses of its buffers.
func (s *assembler) fallbackFor(n scalarNode) (codegen.ScalarCode, error) {
	for _, buf := range buffersOf(n) {
		if _, reserved := s.code.slots[buf]; !reserved {
			s.pointer(buf)
		}
	}
	return s.c.fallbackFor(n)
}

// loop emits a loop. It exits after some time, so that the caller can check for cancellation.
func (s *assembler) loop(n *loopNode) error {
	if err := s.flush(); err != nil {
		return err
	}
	outer, begin := s.work, s.Asm.Len()
	s.work = 0
	s.Asm.Align(16)
	head, err := s.bindExit(nil)
	if err != nil {
		return err
	}
	if err := s.carry(n); err != nil {
		return err
	}
	top, end := s.Asm.NewLabel(), s.Asm.NewLabel()
	if len(s.carried) > 0 {
		s.Asm.Align(16)
	}
	s.Asm.Bind(top)
	if err := s.block(n.cond); err != nil {
		return err
	}
	s.testBool(n.test)
	s.Asm.Emit(asm.JE, end)
	if err := s.block(n.body); err != nil {
		return err
	}
	trip := (s.Asm.Len()-begin)/bytesPerInstruction + s.work
	late := s.Asm.NewLabel()
	s.coldExits = append(s.coldExits, coldExit{late, head})
	s.Asm.Emit(asm.SUB, asm.Mem(asm.RDI, scalarBudget).Sized(8), asm.Imm(int64(min(trip, maxScalarCall))))
	s.Asm.Emit(asm.JGE, top)
	s.Asm.Emit(asm.JMP, late)
	s.Asm.Bind(end)
	s.endCarry()
	s.work += outer
	return nil
}

// branch emits the blocks one after the other, and the jumps to them.
func (s *assembler) branch(n *branchNode) error {
	if err := s.flush(); err != nil {
		return err
	}
	last := len(n.blocks) - 1
	labels := make([]asm.Label, len(n.blocks))
	for i := range labels {
		labels[i] = s.Asm.NewLabel()
	}
	if n.isBool {
		s.testBool(n.index)
		s.Asm.Emit(asm.JE, labels[last])
		s.Asm.Emit(asm.JMP, labels[0])
	} else {
		s.Asm.Emit(asm.MOV, asm.GP32(asm.RAX.Num()), asm.Mem(asm.RDI, s.code.slots[n.index]))
		for i := range last {
			s.Asm.Emit(asm.CMP, asm.GP32(asm.RAX.Num()), asm.Imm(int64(i)))
			s.Asm.Emit(asm.JE, labels[i])
		}
		s.Asm.Emit(asm.JMP, labels[last])
	}
	end := s.Asm.NewLabel()
	for i, b := range n.blocks {
		s.Asm.Bind(labels[i])
		if err := s.block(b); err != nil {
			return err
		}
		if i != last {
			s.Asm.Emit(asm.JMP, end)
		}
	}
	s.Asm.Bind(end)
	return nil
}

// testBool compares a boolean in a reserved buffer with false.
func (s *assembler) testBool(buf int) {
	x := asm.GP32(asm.RAX.Num())
	s.Asm.Emit(asm.MOVZX, x, asm.Mem(asm.RDI, s.code.slots[buf]).Sized(1))
	s.Asm.Emit(asm.TEST, x, x)
}

// home returns a buffer from an offset on as a memory operand; the address of a buffer in memory is loaded to the
// scratch register.
func (s *assembler) home(buf, offset int) asm.Arg {
	if slot, ok := s.code.slots[buf]; ok {
		return asm.Mem(asm.RDI, slot+offset)
	}
	s.Emit(asm.MOV, s.General(compiler.ScratchReg), s.ArgMem(s.pointer(buf)))
	return asm.Mem(compiler.ScratchReg, offset)
}

// pointer returns the byte offset of the address of a buffer in memory.
func (s *assembler) pointer(buf int) int {
	at, ok := s.pointers[buf]
	if !ok {
		at = s.reserve(8)
		s.pointers[buf] = at
		_, reserved := s.code.slots[buf]
		s.code.pointers = append(s.code.pointers, scalarPointer{buf, at, reserved})
	}
	return at
}
