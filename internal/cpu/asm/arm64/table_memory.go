package arm64

import "fmt"

// memoryRows are loads and stores of one or two registers, and prefetches. The diagrams of a family differ in the bits
// size, V and opc.
func memoryRows() []row {
	var rows []row
	for _, m := range []struct {
		op, unscaled Op
		reg, size    string // the operand, and the bits size, V and opc
		opc          string
		scale        int
	}{
		{STR, STUR, "x:d", "11 111 0", "00", 8}, {LDR, LDUR, "x:d", "11 111 0", "01", 8},
		{STR, STUR, "w:d", "10 111 0", "00", 4}, {LDR, LDUR, "w:d", "10 111 0", "01", 4},
		{STRB, STURB, "w:d", "00 111 0", "00", 1}, {LDRB, LDURB, "w:d", "00 111 0", "01", 1},
		{STRH, STURH, "w:d", "01 111 0", "00", 2}, {LDRH, LDURH, "w:d", "01 111 0", "01", 2},
		{LDRSB, LDURSB, "w:d", "00 111 0", "11", 1}, {LDRSB, LDURSB, "x:d", "00 111 0", "10", 1},
		{LDRSH, LDURSH, "w:d", "01 111 0", "11", 2}, {LDRSH, LDURSH, "x:d", "01 111 0", "10", 2},
		{LDRSW, LDURSW, "x:d", "10 111 0", "10", 4}, {PRFM, PRFUM, "#d", "11 111 0", "10", 8},
		{STR, STUR, "b:d", "00 111 1", "00", 1}, {LDR, LDUR, "b:d", "00 111 1", "01", 1},
		{STR, STUR, "h:d", "01 111 1", "00", 2}, {LDR, LDUR, "h:d", "01 111 1", "01", 2},
		{STR, STUR, "s:d", "10 111 1", "00", 4}, {LDR, LDUR, "s:d", "10 111 1", "01", 4},
		{STR, STUR, "d:d", "11 111 1", "00", 8}, {LDR, LDUR, "d:d", "11 111 1", "01", 8},
		{STR, STUR, "q:d", "00 111 1", "10", 16}, {LDR, LDUR, "q:d", "00 111 1", "11", 16},
	} {
		add := func(op Op, memory, bits string) {
			rows = append(rows, row{op, m.reg + " " + memory, m.size + bits, "", 0})
		}
		add(m.op, fmt.Sprintf("[n+i*%d]", m.scale), "01 "+m.opc+" iiiiiiiiiiii nnnnn ddddd")
		add(m.unscaled, "[n~i]", "00 "+m.opc+" 0 iiiiiiiii 00 nnnnn ddddd")
		add(m.op, fmt.Sprintf("[n,m*%d]", m.scale), "00 "+m.opc+" 1 mmmmm ooo s 10 nnnnn ddddd")
		if m.op != PRFM {
			add(m.op, "[n~i]!", "00 "+m.opc+" 0 iiiiiiiii 11 nnnnn ddddd")
			add(m.op, "[n]~i", "00 "+m.opc+" 0 iiiiiiiii 01 nnnnn ddddd")
		}
	}
	for _, m := range []struct {
		class, size string
		scale       int
	}{
		{"w", "00 101 0", 4}, {"x", "10 101 0", 8}, {"s", "00 101 1", 4}, {"d", "01 101 1", 8}, {"q", "10 101 1", 16},
	} {
		for l, op := range []Op{STP, LDP} {
			for _, mode := range [][2]string{{"[n~i*%d]", "010"}, {"[n~i*%d]!", "011"}, {"[n]~i*%d", "001"}} {
				rows = append(rows, row{op, fmt.Sprintf("%s:d %s:a "+mode[0], m.class, m.class, m.scale),
					fmt.Sprintf("%s %s %d iiiiiii aaaaa nnnnn ddddd", m.size, mode[1], l), "", 0})
			}
		}
	}
	return append(rows,
		row{LDR, "w:d @i", "00 011 0 00 iiiiiiiiiiiiiiiiiii ddddd", "", 0},
		row{LDR, "x:d @i", "01 011 0 00 iiiiiiiiiiiiiiiiiii ddddd", "", 0},
		row{LDR, "s:d @i", "00 011 1 00 iiiiiiiiiiiiiiiiiii ddddd", "", 0},
		row{LDR, "d:d @i", "01 011 1 00 iiiiiiiiiiiiiiiiiii ddddd", "", 0},
		row{LDR, "q:d @i", "10 011 1 00 iiiiiiiiiiiiiiiiiii ddddd", "", 0},
	)
}

// structureRows are loads and stores of lists of registers, with interleaved elements, and of single elements.
func structureRows() []row {
	var rows []row
	all := func(op Op, list, bits, types string, bytes int) {
		rows = append(rows,
			row{op, list + " [n]", "0 q 0011 00 0" + bits, types, 0},
			row{op, fmt.Sprintf("%s [n]#%d", list, bytes), "0 q 0011 00 1" + bits, types, 0},
			row{op, list + " [n]m", "0 q 0011 00 1" + bits, types, 0})
		for i, m := range []string{"00000", "11111", "mmmmm"} {
			r := &rows[len(rows)-3+i]
			r.bits = fmt.Sprintf(r.bits, m)
		}
	}
	const half, whole = "8b 4h 2s", "16b 8h 4s 2d"
	for _, m := range []struct {
		load, store Op
		count       int
		opcode      string
	}{
		{LD1, ST1, 1, "0111"}, {LD1, ST1, 2, "1010"}, {LD1, ST1, 3, "0110"}, {LD1, ST1, 4, "0010"},
		{LD2, ST2, 2, "1000"}, {LD3, ST3, 3, "0100"}, {LD4, ST4, 4, "0000"},
	} {
		list := fmt.Sprintf("{T:d}%d", m.count)
		short := half
		if m.load == LD1 {
			short += " 1d"
		}
		for l, op := range []Op{m.store, m.load} {
			bits := fmt.Sprintf(" %d 0 %%s %s zz nnnnn ddddd", l, m.opcode)
			all(op, list, bits, short, 8*m.count)
			all(op, list, bits, whole, 16*m.count)
		}
	}
	for _, m := range []struct{ list, q, bits string }{
		{"{eb:d}1[qse]", "q", "000 s ee"}, {"{eh:d}1[qse]", "q", "010 s e0"}, {"{es:d}1[qs]", "q", "100 s 00"},
		{"{ed:d}1[q]", "q", "100 0 01"},
	} {
		bytes := map[byte]int{'b': 1, 'h': 2, 's': 4, 'd': 8}[m.list[2]]
		for l, op := range []Op{ST1, LD1} {
			rows = append(rows,
				row{op, m.list + " [n]", fmt.Sprintf("0 q 0011010 %d 0 00000 %s nnnnn ddddd", l, m.bits), "", 0},
				row{op, fmt.Sprintf("%s [n]#%d", m.list, bytes),
					fmt.Sprintf("0 q 0011011 %d 0 11111 %s nnnnn ddddd", l, m.bits), "", 0},
				row{op, m.list + " [n]m", fmt.Sprintf("0 q 0011011 %d 0 mmmmm %s nnnnn ddddd", l, m.bits), "", 0})
		}
	}
	for i, types := range []string{bytes2, halves, "2s 4s", "1d 2d"} {
		rows = append(rows,
			row{LD1R, "{T:d}1 [n]", "0 q 0011010 1 0 00000 110 0 zz nnnnn ddddd", types, 0},
			row{LD1R, fmt.Sprintf("{T:d}1 [n]#%d", 1<<i), "0 q 0011011 1 0 11111 110 0 zz nnnnn ddddd", types, 0})
	}
	return rows
}
