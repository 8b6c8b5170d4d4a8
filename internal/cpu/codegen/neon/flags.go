package neon

import (
	"fmt"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// flagKind is what the flags describe. The condition of AArch64 for one of x86 depends on it: subtractions leave the
// inverse carry, and comparisons of floats another encoding of "unordered".
type flagKind uint8

const (
	noFlags     flagKind = iota // unknown, or overwritten
	difference                  // SUBS
	sum                         // ADDS
	logical                     // ANDS
	floats                      // FCMP
	carryless                   // ADDS or SUBS for an instruction that leaves the carry
	signAndZero                 // ANDS for an instruction whose other flags differ
	onlyZero                    // ANDS for one whose sign differs as well
)

// conditions are the conditions of x86, by their number in instructions.
var conditions = [...]string{"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"}

// conditionOf returns the condition that an instruction tests, "" if there is none.
func conditionOf(op amd64.Op) string {
	for _, first := range []amd64.Op{amd64.JO, amd64.CMOVO} {
		if op >= first && int(op-first) < len(conditions) {
			return conditions[op-first]
		}
	}
	return ""
}

// setsFlags reports whether an instruction sets the flags that conditions test.
func setsFlags(op amd64.Op) bool {
	switch op {
	case amd64.ADD, amd64.SUB, amd64.AND, amd64.OR, amd64.XOR, amd64.CMP, amd64.TEST, amd64.INC, amd64.DEC, amd64.NEG,
		amd64.IMUL, amd64.SHL, amd64.SHR, amd64.SAR, amd64.VUCOMISS, amd64.VUCOMISD, amd64.VPTEST, amd64.BZHI,
		amd64.DIV, amd64.IDIV:
		return true
	}
	return false
}

// conditionsAfter are the conditions of AArch64 for those of x86, by what the flags describe.
var conditionsAfter = map[flagKind]map[string]arm64.Cond{
	difference: {"b": arm64.LO, "ae": arm64.HS, "be": arm64.LS, "a": arm64.HI, "o": arm64.VS, "no": arm64.VC,
		"e": arm64.EQ, "ne": arm64.NE, "s": arm64.MI, "ns": arm64.PL, "l": arm64.LT, "ge": arm64.GE, "le": arm64.LE,
		"g": arm64.GT},
	sum: {"b": arm64.HS, "ae": arm64.LO, "o": arm64.VS, "no": arm64.VC, "e": arm64.EQ, "ne": arm64.NE,
		"s": arm64.MI, "ns": arm64.PL, "l": arm64.LT, "ge": arm64.GE, "le": arm64.LE, "g": arm64.GT},
	logical: {"be": arm64.EQ, "a": arm64.NE, "e": arm64.EQ, "ne": arm64.NE, "s": arm64.MI, "ns": arm64.PL,
		"l": arm64.LT, "ge": arm64.GE, "le": arm64.LE, "g": arm64.GT},
	carryless: {"o": arm64.VS, "no": arm64.VC, "e": arm64.EQ, "ne": arm64.NE, "s": arm64.MI, "ns": arm64.PL,
		"l": arm64.LT, "ge": arm64.GE, "le": arm64.LE, "g": arm64.GT},
	signAndZero: {"e": arm64.EQ, "ne": arm64.NE, "s": arm64.MI, "ns": arm64.PL},
	onlyZero:    {"e": arm64.EQ, "ne": arm64.NE},
	floats:      {"b": arm64.LT, "ae": arm64.GE, "be": arm64.LE, "a": arm64.GT, "p": arm64.VS, "np": arm64.VC},
}

// condition returns the condition of AArch64 for that of an instruction.
func (t *translator) condition(op amd64.Op) (arm64.Cond, error) {
	c := conditionOf(op)
	cond, ok := conditionsAfter[t.flags][c]
	if !ok {
		return 0, fmt.Errorf("the condition %s after flags of kind %d", c, t.flags)
	}
	return cond, nil
}

// branches are the conditional branches, by condition.
var branches = [...]arm64.Op{
	arm64.BEQ, arm64.BNE, arm64.BHS, arm64.BLO, arm64.BMI, arm64.BPL, arm64.BVS, arm64.BVC, arm64.BHI, arm64.BLS,
	arm64.BGE, arm64.BLT, arm64.BGT, arm64.BLE,
}

// jump translates a conditional jump.
func jump(t *translator, in *inst) error {
	cond, err := t.condition(in.Op)
	if err != nil {
		return err
	}
	t.emit(branches[cond], toBlock(t.b.next[0]))
	return nil
}

func init() {
	for op := amd64.JO; op <= amd64.JG; op++ {
		define(map[amd64.Op]translate{op: jump})
	}
	for i := range conditions {
		define(map[amd64.Op]translate{amd64.CMOVO + amd64.Op(i): moveIf})
	}
	define(map[amd64.Op]translate{
		amd64.JMP: func(t *translator, in *inst) error {
			if t.b.next[0] < 0 {
				return fmt.Errorf("a computed jump")
			}
			t.emit(arm64.B, toBlock(t.b.next[0]))
			return nil
		},
		amd64.RET: func(t *translator, in *inst) error {
			t.emit(arm64.RET, reg(arm64.X(30)))
			return nil
		},
	})
}

// moveIf translates a conditional move.
func moveIf(t *translator, in *inst) error {
	cond, err := t.condition(in.Op)
	if err != nil {
		return err
	}
	y, err := t.general(in.Args[1], in.Args[0].Reg.Class())
	if err != nil {
		return err
	}
	d := gp(in.Args[0].Reg)
	t.emit(arm64.CSEL, reg(d), reg(y), reg(d), other(arm64.Arg{Kind: arm64.CondArg, Cond: cond}))
	t.changed(in.Args[0].Reg)
	return nil
}
