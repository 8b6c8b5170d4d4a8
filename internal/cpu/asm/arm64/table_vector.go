package arm64

import "fmt"

const (
	vectors7 = "8b 16b 4h 8h 2s 4s 2d" // all arrangements with several elements
	vectors6 = "8b 16b 4h 8h 2s 4s"
	bytes2   = "8b 16b"
	singles  = "2s 4s 2d"
	halves   = "4h 8h"
)

// vectorRows are vector instructions whose operands have one arrangement.
func vectorRows() []row {
	var rows []row
	// Integers: three registers.
	for _, m := range []struct {
		signed, unsigned Op
		opcode, types    string
	}{
		{SHADD, UHADD, "00000", vectors6}, {SQADD, UQADD, "00001", vectors7}, {SRHADD, URHADD, "00010", vectors6},
		{SHSUB, UHSUB, "00100", vectors6}, {SQSUB, UQSUB, "00101", vectors7}, {CMGT, CMHI, "00110", vectors7},
		{CMGE, CMHS, "00111", vectors7}, {SSHL, USHL, "01000", vectors7}, {SQSHL, UQSHL, "01001", vectors7},
		{SRSHL, URSHL, "01010", vectors7}, {SMAX, UMAX, "01100", vectors6}, {SMIN, UMIN, "01101", vectors6},
		{SABD, UABD, "01110", vectors6}, {SABA, UABA, "01111", vectors6}, {ADD, SUB, "10000", vectors7},
		{CMTST, CMEQ, "10001", vectors7}, {MLA, MLS, "10010", vectors6}, {SMAXP, UMAXP, "10100", vectors6},
		{SMINP, UMINP, "10101", vectors6}, {SQDMULH, SQRDMULH, "10110", "4h 8h 2s 4s"},
	} {
		for u, op := range []Op{m.signed, m.unsigned} {
			rows = append(rows, row{op, "T:d T:n T:m",
				fmt.Sprintf("0 q %d 01110 zz 1 mmmmm %s 1 nnnnn ddddd", u, m.opcode), m.types, 0})
		}
	}
	rows = append(rows,
		row{MUL, "T:d T:n T:m", "0 q 0 01110 zz 1 mmmmm 10011 1 nnnnn ddddd", vectors6, 0},
		row{PMUL, "T:d T:n T:m", "0 q 1 01110 zz 1 mmmmm 10011 1 nnnnn ddddd", bytes2, 0},
		row{ADDP, "T:d T:n T:m", "0 q 0 01110 zz 1 mmmmm 10111 1 nnnnn ddddd", vectors7, 0})
	for i, op := range []Op{AND, BIC, ORR, ORN, EOR, BSL, BIT, BIF} {
		rows = append(rows, row{op, "T:d T:n T:m",
			fmt.Sprintf("0 q %d 01110 %02b 1 mmmmm 00011 1 nnnnn ddddd", i/4, i%4), bytes2, 0})
	}
	// Floats: three registers. The opcodes of half precision are the lower bits.
	for _, m := range []struct {
		op     Op
		u, a   int
		opcode string
	}{
		{FMAXNM, 0, 0, "000"}, {FMLA, 0, 0, "001"}, {FADD, 0, 0, "010"}, {FMULX, 0, 0, "011"}, {FCMEQ, 0, 0, "100"},
		{FMAX, 0, 0, "110"}, {FMINNM, 0, 1, "000"}, {FMLS, 0, 1, "001"}, {FSUB, 0, 1, "010"},
		{FMIN, 0, 1, "110"}, {FMAXNMP, 1, 0, "000"}, {FADDP, 1, 0, "010"}, {FMUL, 1, 0, "011"},
		{FCMGE, 1, 0, "100"}, {FACGE, 1, 0, "101"}, {FMAXP, 1, 0, "110"}, {FDIV, 1, 0, "111"}, {FMINNMP, 1, 1, "000"},
		{FABD, 1, 1, "010"}, {FCMGT, 1, 1, "100"}, {FACGT, 1, 1, "101"}, {FMINP, 1, 1, "110"},
	} {
		rows = append(rows,
			row{m.op, "T:d T:n T:m",
				fmt.Sprintf("0 q %d 01110 %d u 1 mmmmm 11%s 1 nnnnn ddddd", m.u, m.a, m.opcode), singles, 0},
			row{m.op, "T:d T:n T:m",
				fmt.Sprintf("0 q %d 01110 %d 10 mmmmm 00%s 1 nnnnn ddddd", m.u, m.a, m.opcode), halves, FP16})
	}
	// Integers: two registers.
	for _, m := range []struct {
		op     Op
		rest   string
		u      int
		opcode string
		types  string
	}{
		{REV64, "", 0, "00000", vectors6}, {REV16, "", 0, "00001", bytes2}, {CLS, "", 0, "00100", vectors6},
		{CNT, "", 0, "00101", bytes2}, {CMGT, " #=0", 0, "01000", vectors7}, {CMEQ, " #=0", 0, "01001", vectors7},
		{CMLT, " #=0", 0, "01010", vectors7}, {ABS, "", 0, "01011", vectors7}, {REV32, "", 1, "00000", "8b 16b 4h 8h"},
		{CLZ, "", 1, "00100", vectors6}, {CMGE, " #=0", 1, "01000", vectors7}, {CMLE, " #=0", 1, "01001", vectors7},
		{NEG, "", 1, "01011", vectors7}, {SQABS, "", 0, "00111", vectors7}, {SQNEG, "", 1, "00111", vectors7},
	} {
		rows = append(rows, row{m.op, "T:d T:n" + m.rest,
			fmt.Sprintf("0 q %d 01110 zz 10000 %s 10 nnnnn ddddd", m.u, m.opcode), m.types, 0})
	}
	rows = append(rows,
		row{NOT, "T:d T:n", "0 q 1 01110 00 10000 00101 10 nnnnn ddddd", bytes2, 0},
		row{RBIT, "T:d T:n", "0 q 1 01110 01 10000 00101 10 nnnnn ddddd", bytes2, 0})
	// Floats: two registers.
	for _, m := range []struct {
		op     Op
		rest   string
		u, a   int
		opcode string
	}{
		{FRINTN, "", 0, 0, "11000"}, {FRINTM, "", 0, 0, "11001"}, {FRINTP, "", 0, 1, "11000"},
		{FRINTZ, "", 0, 1, "11001"}, {FRINTA, "", 1, 0, "11000"}, {FRINTX, "", 1, 0, "11001"},
		{FCVTNS, "", 0, 0, "11010"}, {FCVTMS, "", 0, 0, "11011"}, {FCVTPS, "", 0, 1, "11010"},
		{FCVTZS, "", 0, 1, "11011"}, {FCVTZU, "", 1, 1, "11011"}, {SCVTF, "", 0, 0, "11101"},
		{UCVTF, "", 1, 0, "11101"}, {FCMGT, " #=0.0", 0, 1, "01100"}, {FCMEQ, " #=0.0", 0, 1, "01101"},
		{FCMLT, " #=0.0", 0, 1, "01110"}, {FCMGE, " #=0.0", 1, 1, "01100"}, {FCMLE, " #=0.0", 1, 1, "01101"},
		{FABS, "", 0, 1, "01111"}, {FNEG, "", 1, 1, "01111"},
		{FSQRT, "", 1, 1, "11111"},
	} {
		rows = append(rows,
			row{m.op, "T:d T:n" + m.rest,
				fmt.Sprintf("0 q %d 01110 %d u 10000 %s 10 nnnnn ddddd", m.u, m.a, m.opcode), singles, 0},
			row{m.op, "T:d T:n" + m.rest,
				fmt.Sprintf("0 q %d 01110 %d 1 11100 %s 10 nnnnn ddddd", m.u, m.a, m.opcode), halves, FP16})
	}
	// Shifts by a number.
	for _, m := range []struct {
		op     Op
		dir    byte
		u      int
		opcode string
	}{
		{SSHR, '>', 0, "00000"}, {SSRA, '>', 0, "00010"}, {SRSHR, '>', 0, "00100"}, {SRSRA, '>', 0, "00110"},
		{SHL, '<', 0, "01010"}, {SQSHL, '<', 0, "01110"}, {USHR, '>', 1, "00000"}, {USRA, '>', 1, "00010"},
		{URSHR, '>', 1, "00100"}, {URSRA, '>', 1, "00110"}, {SRI, '>', 1, "01000"}, {SLI, '<', 1, "01010"},
		{UQSHL, '<', 1, "01110"},
	} {
		rows = append(rows, row{m.op, fmt.Sprintf("T:d T:n %ci", m.dir),
			fmt.Sprintf("0 q %d 011110 iiiiiii %s 1 nnnnn ddddd", m.u, m.opcode), vectors7, 0})
	}
	return rows
}
