package arm64

import (
	"fmt"
	"strings"
)

// The arrangements of the lower and of the upper half of a vector.
const (
	lowerHalf = "8b 4h 2s"
	upperHalf = "16b 8h 4s"
)

// wideRows are vector instructions whose operands have elements of two sizes. The second instruction of a pair has the
// upper half of a vector.
func wideRows() []row {
	var rows []row
	both := func(lower, upper Op, operands, bits string) {
		rows = append(rows, row{lower, operands, strings.Replace(bits, "q", "0", 1), lowerHalf, 0},
			row{upper, operands, strings.Replace(bits, "q", "1", 1), upperHalf, 0})
	}
	for _, m := range []struct {
		lower, upper Op
		operands     string
		u            int
		opcode       string
	}{
		{SADDL, SADDL2, "W:d T:n T:m", 0, "0000"}, {UADDL, UADDL2, "W:d T:n T:m", 1, "0000"},
		{SADDW, SADDW2, "W:d W:n T:m", 0, "0001"}, {UADDW, UADDW2, "W:d W:n T:m", 1, "0001"},
		{SSUBL, SSUBL2, "W:d T:n T:m", 0, "0010"}, {USUBL, USUBL2, "W:d T:n T:m", 1, "0010"},
		{SSUBW, SSUBW2, "W:d W:n T:m", 0, "0011"}, {USUBW, USUBW2, "W:d W:n T:m", 1, "0011"},
		{ADDHN, ADDHN2, "T:d W:n W:m", 0, "0100"}, {SUBHN, SUBHN2, "T:d W:n W:m", 0, "0110"},
		{SABAL, SABAL2, "W:d T:n T:m", 0, "0101"}, {UABAL, UABAL2, "W:d T:n T:m", 1, "0101"},
		{SABDL, SABDL2, "W:d T:n T:m", 0, "0111"}, {UABDL, UABDL2, "W:d T:n T:m", 1, "0111"},
		{SMLAL, SMLAL2, "W:d T:n T:m", 0, "1000"}, {UMLAL, UMLAL2, "W:d T:n T:m", 1, "1000"},
		{SMLSL, SMLSL2, "W:d T:n T:m", 0, "1010"}, {UMLSL, UMLSL2, "W:d T:n T:m", 1, "1010"},
		{SMULL, SMULL2, "W:d T:n T:m", 0, "1100"}, {UMULL, UMULL2, "W:d T:n T:m", 1, "1100"},
	} {
		both(m.lower, m.upper, m.operands,
			fmt.Sprintf("0 q %d 01110 zz 1 mmmmm %s 00 nnnnn ddddd", m.u, m.opcode))
	}
	for _, m := range []struct {
		lower, upper Op
		u            int
		opcode       string
	}{
		{XTN, XTN2, 0, "10010"}, {SQXTN, SQXTN2, 0, "10100"}, {SQXTUN, SQXTUN2, 1, "10010"},
		{UQXTN, UQXTN2, 1, "10100"},
	} {
		both(m.lower, m.upper, "T:d W:n", fmt.Sprintf("0 q %d 01110 zz 10000 %s 10 nnnnn ddddd", m.u, m.opcode))
	}
	for _, m := range []struct {
		lower, upper Op
		operands     string
		u            int
		opcode       string
	}{
		{SHRN, SHRN2, "T:d W:n >i", 0, "10000"}, {RSHRN, RSHRN2, "T:d W:n >i", 0, "10001"},
		{SQSHRN, SQSHRN2, "T:d W:n >i", 0, "10010"}, {UQSHRN, UQSHRN2, "T:d W:n >i", 1, "10010"},
		{SQSHRUN, SQSHRUN2, "T:d W:n >i", 1, "10000"}, {SSHLL, SSHLL2, "W:d T:n <i", 0, "10100"},
		{USHLL, USHLL2, "W:d T:n <i", 1, "10100"},
	} {
		both(m.lower, m.upper, m.operands, fmt.Sprintf("0 q %d 011110 iiiiiii %s 1 nnnnn ddddd", m.u, m.opcode))
	}
	for i, bytes := range []int{1, 2, 4} {
		types := strings.Fields(lowerHalf)[i] + " " + strings.Fields(upperHalf)[i]
		for q, op := range []Op{SHLL, SHLL2} {
			rows = append(rows, row{op, fmt.Sprintf("W:d T:n #=%d", 8*bytes),
				fmt.Sprintf("0 %d 1 01110 zz 10000 10011 10 nnnnn ddddd", q), strings.Fields(types)[q], 0})
		}
	}
	for u, ops := range [][2]Op{{SADDLP, SADALP}, {UADDLP, UADALP}} {
		rows = append(rows,
			row{ops[0], "P:d T:n", fmt.Sprintf("0 q %d 01110 zz 10000 00010 10 nnnnn ddddd", u), vectors6, 0},
			row{ops[1], "P:d T:n", fmt.Sprintf("0 q %d 01110 zz 10000 00110 10 nnnnn ddddd", u), vectors6, 0})
	}
	const across = "8b 16b 4h 8h 4s"
	for u, ops := range [][3]Op{{SADDLV, SMAXV, SMINV}, {UADDLV, UMAXV, UMINV}} {
		rows = append(rows,
			row{ops[0], "L:d T:n", fmt.Sprintf("0 q %d 01110 zz 11000 00011 10 nnnnn ddddd", u), across, 0},
			row{ops[1], "E:d T:n", fmt.Sprintf("0 q %d 01110 zz 11000 01010 10 nnnnn ddddd", u), across, 0},
			row{ops[2], "E:d T:n", fmt.Sprintf("0 q %d 01110 zz 11000 11010 10 nnnnn ddddd", u), across, 0})
	}
	rows = append(rows, row{ADDV, "E:d T:n", "0 q 0 01110 zz 11000 11011 10 nnnnn ddddd", across, 0})
	for _, m := range []struct {
		op     Op
		a      int
		opcode string
	}{{FMAXNMV, 0, "01100"}, {FMINNMV, 1, "01100"}, {FMAXV, 0, "01111"}, {FMINV, 1, "01111"}} {
		rows = append(rows,
			row{m.op, "s:d 4s:n", fmt.Sprintf("0 1 1 01110 %d0 11000 %s 10 nnnnn ddddd", m.a, m.opcode), "", 0},
			row{m.op, "h:d T:n", fmt.Sprintf("0 q 0 01110 %d0 11000 %s 10 nnnnn ddddd", m.a, m.opcode), halves, FP16})
	}
	return rows
}

// narrowRows convert floats of different sizes, and multiply narrow numbers.
var narrowRows = []row{
	{FCVTL, "4s:d 4h:n", "0 0 0 01110 00 10000 10111 10 nnnnn ddddd", "", 0},
	{FCVTL2, "4s:d 8h:n", "0 1 0 01110 00 10000 10111 10 nnnnn ddddd", "", 0},
	{FCVTL, "2d:d 2s:n", "0 0 0 01110 01 10000 10111 10 nnnnn ddddd", "", 0},
	{FCVTL2, "2d:d 4s:n", "0 1 0 01110 01 10000 10111 10 nnnnn ddddd", "", 0},
	{FCVTN, "4h:d 4s:n", "0 0 0 01110 00 10000 10110 10 nnnnn ddddd", "", 0},
	{FCVTN2, "8h:d 4s:n", "0 1 0 01110 00 10000 10110 10 nnnnn ddddd", "", 0},
	{FCVTN, "2s:d 2d:n", "0 0 0 01110 01 10000 10110 10 nnnnn ddddd", "", 0},
	{FCVTN2, "4s:d 2d:n", "0 1 0 01110 01 10000 10110 10 nnnnn ddddd", "", 0},
	{FCVTXN, "2s:d 2d:n", "0 0 1 01110 01 10000 10110 10 nnnnn ddddd", "", 0},
	{FCVTXN2, "4s:d 2d:n", "0 1 1 01110 01 10000 10110 10 nnnnn ddddd", "", 0},
	{BFCVTN, "4h:d 4s:n", "0 0 0 01110 10 10000 10110 10 nnnnn ddddd", "", BF16},
	{BFCVTN2, "8h:d 4s:n", "0 1 0 01110 10 10000 10110 10 nnnnn ddddd", "", BF16},

	{SDOT, "T:d B:n B:m", "0 q 0 01110 10 0 mmmmm 100101 nnnnn ddddd", "2s 4s", DotProd},
	{UDOT, "T:d B:n B:m", "0 q 1 01110 10 0 mmmmm 100101 nnnnn ddddd", "2s 4s", DotProd},
	{USDOT, "T:d B:n B:m", "0 q 0 01110 10 0 mmmmm 100111 nnnnn ddddd", "2s 4s", I8MM},
	{SDOT, "T:d B:n e4b:m[hl]", "0 q 0 01111 10 l mmmmm 1110 h 0 nnnnn ddddd", "2s 4s", DotProd},
	{UDOT, "T:d B:n e4b:m[hl]", "0 q 1 01111 10 l mmmmm 1110 h 0 nnnnn ddddd", "2s 4s", DotProd},
	{USDOT, "T:d B:n e4b:m[hl]", "0 q 0 01111 10 l mmmmm 1111 h 0 nnnnn ddddd", "2s 4s", I8MM},
	{SMMLA, "4s:d 16b:n 16b:m", "0 1 0 01110 10 0 mmmmm 101001 nnnnn ddddd", "", I8MM},
	{UMMLA, "4s:d 16b:n 16b:m", "0 1 1 01110 10 0 mmmmm 101001 nnnnn ddddd", "", I8MM},
	{USMMLA, "4s:d 16b:n 16b:m", "0 1 0 01110 10 0 mmmmm 101011 nnnnn ddddd", "", I8MM},
	{BFDOT, "T:d H:n H:m", "0 q 1 01110 01 0 mmmmm 111111 nnnnn ddddd", "2s 4s", BF16},
	{BFDOT, "T:d H:n e2h:m[hl]", "0 q 0 01111 01 l mmmmm 1111 h 0 nnnnn ddddd", "2s 4s", BF16},
	{BFMMLA, "4s:d 8h:n 8h:m", "0 1 1 01110 01 0 mmmmm 111011 nnnnn ddddd", "", BF16},
	{BFMLALB, "4s:d 8h:n 8h:m", "0 0 1 01110 11 0 mmmmm 111111 nnnnn ddddd", "", BF16},
	{BFMLALT, "4s:d 8h:n 8h:m", "0 1 1 01110 11 0 mmmmm 111111 nnnnn ddddd", "", BF16},
	{BFMLALB, "4s:d 8h:n eh:m[hlk]", "0 0 0 01111 11 l k mmmm 1111 h 0 nnnnn ddddd", "", BF16},
	{BFMLALT, "4s:d 8h:n eh:m[hlk]", "0 1 0 01111 11 l k mmmm 1111 h 0 nnnnn ddddd", "", BF16},
}
