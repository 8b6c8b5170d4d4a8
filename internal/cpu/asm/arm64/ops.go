package arm64

import "iter"

// Op is an instruction's mnemonic.
type Op uint16

// The mnemonics.
const (
	invalidOp Op = iota
	ADD
	ADDS
	SUB
	SUBS
	ADC
	ADCS
	SBC
	SBCS
	AND
	BIC
	ORR
	ORN
	EOR
	EON
	ANDS
	BICS
	MOVN
	MOVZ
	MOVK
	SBFM
	BFM
	UBFM
	EXTR
	UDIV
	SDIV
	LSLV
	LSRV
	ASRV
	RORV
	RBIT
	REV16
	REV
	REV32
	CLZ
	CLS
	MADD
	MSUB
	SMADDL
	UMADDL
	SMULH
	UMULH
	CSEL
	CSINC
	CSINV
	CSNEG
	CCMP
	B
	BL
	BEQ
	BNE
	BHS
	BLO
	BMI
	BPL
	BVS
	BVC
	BHI
	BLS
	BGE
	BLT
	BGT
	BLE
	CBZ
	CBNZ
	TBZ
	TBNZ
	BR
	BLR
	RET
	ADR
	NOP
	BRK
	MRS
	MSR
	STR
	STUR
	LDR
	LDUR
	STRB
	STURB
	LDRB
	LDURB
	STRH
	STURH
	LDRH
	LDURH
	LDRSB
	LDURSB
	LDRSH
	LDURSH
	LDRSW
	LDURSW
	PRFM
	PRFUM
	STP
	LDP
	LD1
	ST1
	LD2
	ST2
	LD3
	ST3
	LD4
	ST4
	LD1R
	FMUL
	FDIV
	FADD
	FSUB
	FMAX
	FMIN
	FMAXNM
	FMINNM
	FNMUL
	FMADD
	FMSUB
	FNMADD
	FNMSUB
	FMOV
	FABS
	FNEG
	FSQRT
	FRINTN
	FRINTP
	FRINTM
	FRINTZ
	FRINTA
	FRINTX
	FCVT
	BFCVT
	FCMP
	FCCMP
	FCSEL
	FCVTNS
	SCVTF
	UCVTF
	FCVTMS
	FCVTPS
	FCVTZS
	FCVTZU
	FCMEQ
	FCMGE
	FCMGT
	FADDP
	FMAXP
	FMINP
	ADDP
	CMEQ
	CMGT
	CMHI
	SSHL
	USHL
	SHL
	SHADD
	UHADD
	SQADD
	UQADD
	SRHADD
	URHADD
	SHSUB
	UHSUB
	SQSUB
	UQSUB
	CMGE
	CMHS
	SQSHL
	UQSHL
	SRSHL
	URSHL
	SMAX
	UMAX
	SMIN
	UMIN
	SABD
	UABD
	SABA
	UABA
	CMTST
	MLA
	MLS
	SMAXP
	UMAXP
	SMINP
	UMINP
	SQDMULH
	SQRDMULH
	MUL
	PMUL
	BSL
	BIT
	BIF
	FMLA
	FMULX
	FMLS
	FMAXNMP
	FACGE
	FMINNMP
	FABD
	FACGT
	REV64
	CNT
	CMLT
	ABS
	CMLE
	NEG
	SQABS
	SQNEG
	NOT
	FCMLT
	FCMLE
	SSHR
	SSRA
	SRSHR
	SRSRA
	USHR
	USRA
	URSHR
	URSRA
	SRI
	SLI
	SADDL
	SADDL2
	UADDL
	UADDL2
	SADDW
	SADDW2
	UADDW
	UADDW2
	SSUBL
	SSUBL2
	USUBL
	USUBL2
	SSUBW
	SSUBW2
	USUBW
	USUBW2
	ADDHN
	ADDHN2
	SUBHN
	SUBHN2
	SABAL
	SABAL2
	UABAL
	UABAL2
	SABDL
	SABDL2
	UABDL
	UABDL2
	SMLAL
	SMLAL2
	UMLAL
	UMLAL2
	SMLSL
	SMLSL2
	UMLSL
	UMLSL2
	SMULL
	SMULL2
	UMULL
	UMULL2
	XTN
	XTN2
	SQXTN
	SQXTN2
	SQXTUN
	SQXTUN2
	UQXTN
	UQXTN2
	SHRN
	SHRN2
	RSHRN
	RSHRN2
	SQSHRN
	SQSHRN2
	UQSHRN
	UQSHRN2
	SQSHRUN
	SQSHRUN2
	SSHLL
	SSHLL2
	USHLL
	USHLL2
	SHLL
	SHLL2
	SADDLP
	SADALP
	UADDLP
	UADALP
	SADDLV
	SMAXV
	SMINV
	UADDLV
	UMAXV
	UMINV
	ADDV
	FMAXNMV
	FMINNMV
	FMAXV
	FMINV
	FCVTL
	FCVTL2
	FCVTN
	FCVTN2
	FCVTXN
	FCVTXN2
	BFCVTN
	BFCVTN2
	SDOT
	UDOT
	USDOT
	SMMLA
	UMMLA
	USMMLA
	BFDOT
	BFMMLA
	BFMLALB
	BFMLALT
	UZP1
	TRN1
	ZIP1
	UZP2
	TRN2
	ZIP2
	EXT
	TBL
	TBX
	DUP
	INS
	UMOV
	SMOV
	MOVI
	MVNI
	numOps
)

// Ops returns all mnemonics.
func Ops() iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for o := invalidOp + 1; o < numOps; o++ {
			if !yield(o) {
				return
			}
		}
	}
}

// String returns the mnemonic as in assembly text.
func (o Op) String() string {
	if o >= numOps {
		return "invalid"
	}
	return opNames[o]
}

var opNames = [numOps]string{
	invalidOp: "invalid",
	ADD:       "add", ADDS: "adds", SUB: "sub", SUBS: "subs", ADC: "adc", ADCS: "adcs", SBC: "sbc", SBCS: "sbcs",
	AND: "and", BIC: "bic", ORR: "orr", ORN: "orn", EOR: "eor", EON: "eon", ANDS: "ands", BICS: "bics", MOVN: "movn",
	MOVZ: "movz", MOVK: "movk", SBFM: "sbfm", BFM: "bfm", UBFM: "ubfm", EXTR: "extr", UDIV: "udiv", SDIV: "sdiv",
	LSLV: "lsl", LSRV: "lsr", ASRV: "asr", RORV: "ror", RBIT: "rbit", REV16: "rev16", REV: "rev", REV32: "rev32",
	CLZ: "clz", CLS: "cls", MADD: "madd", MSUB: "msub", SMADDL: "smaddl", UMADDL: "umaddl", SMULH: "smulh",
	UMULH: "umulh", CSEL: "csel", CSINC: "csinc", CSINV: "csinv", CSNEG: "csneg", CCMP: "ccmp", B: "b", BL: "bl",
	BEQ: "b.eq", BNE: "b.ne", BHS: "b.hs", BLO: "b.lo", BMI: "b.mi", BPL: "b.pl", BVS: "b.vs", BVC: "b.vc",
	BHI: "b.hi", BLS: "b.ls", BGE: "b.ge", BLT: "b.lt", BGT: "b.gt", BLE: "b.le", CBZ: "cbz", CBNZ: "cbnz",
	TBZ: "tbz", TBNZ: "tbnz", BR: "br", BLR: "blr", RET: "ret", ADR: "adr", NOP: "nop", BRK: "brk", MRS: "mrs",
	MSR: "msr", STR: "str", STUR: "stur", LDR: "ldr", LDUR: "ldur", STRB: "strb", STURB: "sturb", LDRB: "ldrb",
	LDURB: "ldurb", STRH: "strh", STURH: "sturh", LDRH: "ldrh", LDURH: "ldurh", LDRSB: "ldrsb", LDURSB: "ldursb",
	LDRSH: "ldrsh", LDURSH: "ldursh", LDRSW: "ldrsw", LDURSW: "ldursw", PRFM: "prfm", PRFUM: "prfum", STP: "stp",
	LDP: "ldp", LD1: "ld1", ST1: "st1", LD2: "ld2", ST2: "st2", LD3: "ld3", ST3: "st3", LD4: "ld4", ST4: "st4",
	LD1R: "ld1r", FMUL: "fmul", FDIV: "fdiv", FADD: "fadd", FSUB: "fsub", FMAX: "fmax", FMIN: "fmin",
	FMAXNM: "fmaxnm", FMINNM: "fminnm", FNMUL: "fnmul", FMADD: "fmadd", FMSUB: "fmsub", FNMADD: "fnmadd",
	FNMSUB: "fnmsub", FMOV: "fmov", FABS: "fabs", FNEG: "fneg", FSQRT: "fsqrt", FRINTN: "frintn", FRINTP: "frintp",
	FRINTM: "frintm", FRINTZ: "frintz", FRINTA: "frinta", FRINTX: "frintx", FCVT: "fcvt", BFCVT: "bfcvt",
	FCMP: "fcmp", FCCMP: "fccmp", FCSEL: "fcsel", FCVTNS: "fcvtns", SCVTF: "scvtf", UCVTF: "ucvtf", FCVTMS: "fcvtms",
	FCVTPS: "fcvtps", FCVTZS: "fcvtzs", FCVTZU: "fcvtzu", FCMEQ: "fcmeq", FCMGE: "fcmge", FCMGT: "fcmgt",
	FADDP: "faddp", FMAXP: "fmaxp", FMINP: "fminp", ADDP: "addp", CMEQ: "cmeq", CMGT: "cmgt", CMHI: "cmhi",
	SSHL: "sshl", USHL: "ushl", SHL: "shl", SHADD: "shadd", UHADD: "uhadd", SQADD: "sqadd", UQADD: "uqadd",
	SRHADD: "srhadd", URHADD: "urhadd", SHSUB: "shsub", UHSUB: "uhsub", SQSUB: "sqsub", UQSUB: "uqsub", CMGE: "cmge",
	CMHS: "cmhs", SQSHL: "sqshl", UQSHL: "uqshl", SRSHL: "srshl", URSHL: "urshl", SMAX: "smax", UMAX: "umax",
	SMIN: "smin", UMIN: "umin", SABD: "sabd", UABD: "uabd", SABA: "saba", UABA: "uaba", CMTST: "cmtst", MLA: "mla",
	MLS: "mls", SMAXP: "smaxp", UMAXP: "umaxp", SMINP: "sminp", UMINP: "uminp", SQDMULH: "sqdmulh",
	SQRDMULH: "sqrdmulh", MUL: "mul", PMUL: "pmul", BSL: "bsl", BIT: "bit", BIF: "bif", FMLA: "fmla", FMULX: "fmulx",
	FMLS: "fmls", FMAXNMP: "fmaxnmp", FACGE: "facge", FMINNMP: "fminnmp",
	FABD: "fabd", FACGT: "facgt", REV64: "rev64", CNT: "cnt", CMLT: "cmlt", ABS: "abs", CMLE: "cmle", NEG: "neg",
	SQABS: "sqabs", SQNEG: "sqneg", NOT: "not", FCMLT: "fcmlt", FCMLE: "fcmle",
	SSHR: "sshr", SSRA: "ssra", SRSHR: "srshr", SRSRA: "srsra", USHR: "ushr", USRA: "usra", URSHR: "urshr",
	URSRA: "ursra", SRI: "sri", SLI: "sli", SADDL: "saddl", SADDL2: "saddl2", UADDL: "uaddl", UADDL2: "uaddl2",
	SADDW: "saddw", SADDW2: "saddw2", UADDW: "uaddw", UADDW2: "uaddw2", SSUBL: "ssubl", SSUBL2: "ssubl2",
	USUBL: "usubl", USUBL2: "usubl2", SSUBW: "ssubw", SSUBW2: "ssubw2", USUBW: "usubw", USUBW2: "usubw2",
	ADDHN: "addhn", ADDHN2: "addhn2", SUBHN: "subhn", SUBHN2: "subhn2", SABAL: "sabal", SABAL2: "sabal2",
	UABAL: "uabal", UABAL2: "uabal2", SABDL: "sabdl", SABDL2: "sabdl2", UABDL: "uabdl", UABDL2: "uabdl2",
	SMLAL: "smlal", SMLAL2: "smlal2", UMLAL: "umlal", UMLAL2: "umlal2", SMLSL: "smlsl", SMLSL2: "smlsl2",
	UMLSL: "umlsl", UMLSL2: "umlsl2", SMULL: "smull", SMULL2: "smull2", UMULL: "umull", UMULL2: "umull2", XTN: "xtn",
	XTN2: "xtn2", SQXTN: "sqxtn", SQXTN2: "sqxtn2", SQXTUN: "sqxtun", SQXTUN2: "sqxtun2", UQXTN: "uqxtn",
	UQXTN2: "uqxtn2", SHRN: "shrn", SHRN2: "shrn2", RSHRN: "rshrn", RSHRN2: "rshrn2", SQSHRN: "sqshrn",
	SQSHRN2: "sqshrn2", UQSHRN: "uqshrn", UQSHRN2: "uqshrn2", SQSHRUN: "sqshrun", SQSHRUN2: "sqshrun2",
	SSHLL: "sshll", SSHLL2: "sshll2", USHLL: "ushll", USHLL2: "ushll2", SHLL: "shll", SHLL2: "shll2",
	SADDLP: "saddlp", SADALP: "sadalp", UADDLP: "uaddlp", UADALP: "uadalp", SADDLV: "saddlv", SMAXV: "smaxv",
	SMINV: "sminv", UADDLV: "uaddlv", UMAXV: "umaxv", UMINV: "uminv", ADDV: "addv", FMAXNMV: "fmaxnmv",
	FMINNMV: "fminnmv", FMAXV: "fmaxv", FMINV: "fminv", FCVTL: "fcvtl", FCVTL2: "fcvtl2", FCVTN: "fcvtn",
	FCVTN2: "fcvtn2", FCVTXN: "fcvtxn", FCVTXN2: "fcvtxn2", BFCVTN: "bfcvtn", BFCVTN2: "bfcvtn2", SDOT: "sdot",
	UDOT: "udot", USDOT: "usdot", SMMLA: "smmla", UMMLA: "ummla", USMMLA: "usmmla", BFDOT: "bfdot", BFMMLA: "bfmmla",
	BFMLALB: "bfmlalb", BFMLALT: "bfmlalt", UZP1: "uzp1", TRN1: "trn1", ZIP1: "zip1", UZP2: "uzp2", TRN2: "trn2",
	ZIP2: "zip2", EXT: "ext", TBL: "tbl", TBX: "tbx", DUP: "dup", INS: "ins", UMOV: "umov", SMOV: "smov",
	MOVI: "movi", MVNI: "mvni",
}
