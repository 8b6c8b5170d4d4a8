package amd64

// Op is an instruction mnemonic.
type Op uint16

// The mnemonics. The prefix VEX_ selects the shorter encoding of an instruction whose two encodings belong to different
// features.
const (
	invalidOp Op = iota
	MOV
	MOVZX
	MOVSX
	MOVSXD
	LEA
	ADD
	OR
	AND
	SUB
	XOR
	CMP
	TEST
	IMUL
	NEG
	DIV
	IDIV
	INC
	DEC
	SHL
	SHR
	SAR
	CDQ
	CQO
	CMOVO
	CMOVNO
	CMOVB
	CMOVAE
	CMOVE
	CMOVNE
	CMOVBE
	CMOVA
	CMOVS
	CMOVNS
	CMOVP
	CMOVNP
	CMOVL
	CMOVGE
	CMOVLE
	CMOVG
	JO
	JNO
	JB
	JAE
	JE
	JNE
	JBE
	JA
	JS
	JNS
	JP
	JNP
	JL
	JGE
	JLE
	JG
	JMP
	RET
	PUSH
	POP
	PUSHFQ
	POPFQ
	NOP
	INT3
	PREFETCHT1
	LDMXCSR
	STMXCSR
	SFENCE
	BZHI
	SHLX
	SHRX

	endScalar // the first vector mnemonic follows
)
