package amd64

import "iter"

// String returns the mnemonic as in assembly text.
func (o Op) String() string {
	if o >= numOps {
		return "invalid"
	}
	return opNames[o]
}

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

var opNames = [numOps]string{
	invalidOp: "invalid",
	MOV:       "mov", MOVZX: "movzx", MOVSX: "movsx", MOVSXD: "movsxd", LEA: "lea", ADD: "add", OR: "or", AND: "and",
	SUB: "sub", XOR: "xor", CMP: "cmp", TEST: "test", IMUL: "imul", NEG: "neg", DIV: "div", IDIV: "idiv", INC: "inc",
	DEC: "dec", SHL: "shl", SHR: "shr", SAR: "sar", CDQ: "cdq", CQO: "cqo", CMOVO: "cmovo", CMOVNO: "cmovno",
	CMOVB: "cmovb", CMOVAE: "cmovae", CMOVE: "cmove", CMOVNE: "cmovne", CMOVBE: "cmovbe", CMOVA: "cmova",
	CMOVS: "cmovs", CMOVNS: "cmovns", CMOVP: "cmovp", CMOVNP: "cmovnp", CMOVL: "cmovl", CMOVGE: "cmovge",
	CMOVLE: "cmovle", CMOVG: "cmovg", JO: "jo", JNO: "jno", JB: "jb", JAE: "jae", JE: "je", JNE: "jne", JBE: "jbe",
	JA: "ja", JS: "js", JNS: "jns", JP: "jp", JNP: "jnp", JL: "jl", JGE: "jge", JLE: "jle", JG: "jg", JMP: "jmp",
	RET: "ret", PUSH: "push", POP: "pop", PUSHFQ: "pushfq", POPFQ: "popfq", NOP: "nop", INT3: "int3",
	PREFETCHT1: "prefetcht1", LDMXCSR: "ldmxcsr", STMXCSR: "stmxcsr", SFENCE: "sfence", BZHI: "bzhi", SHLX: "shlx",
	SHRX: "shrx", VADDPS: "vaddps", VADDPD: "vaddpd", VADDSS: "vaddss", VMULPS: "vmulps", VMULPD: "vmulpd",
	VMULSD: "vmulsd", VSUBPS: "vsubps", VSUBPD: "vsubpd", VMINPS: "vminps", VMINPD: "vminpd", VDIVPS: "vdivps",
	VDIVPD: "vdivpd", VMAXPS: "vmaxps", VMAXPD: "vmaxpd", VSQRTPS: "vsqrtps", VSQRTPD: "vsqrtpd", VANDPS: "vandps",
	VANDPD: "vandpd", VORPS: "vorps", VORPD: "vorpd", VXORPS: "vxorps", VXORPD: "vxorpd", VCMPPS: "vcmpps",
	VCMPPD: "vcmppd", VUCOMISS: "vucomiss", VUCOMISD: "vucomisd", VROUNDPS: "vroundps", VROUNDPD: "vroundpd",
	VRNDSCALEPS: "vrndscaleps", VRNDSCALEPD: "vrndscalepd", VSCALEFPS: "vscalefps", VSCALEFPD: "vscalefpd",
	VMOVMSKPS: "vmovmskps", VMOVMSKPD: "vmovmskpd", VFMADDSUB213PS: "vfmaddsub213ps", VFMADDSUB213PD: "vfmaddsub213pd",
	VFMADD213PS: "vfmadd213ps", VFMADD213PD: "vfmadd213pd", VFMADD231PS: "vfmadd231ps", VFMADD231PD: "vfmadd231pd",
	VFMADD231SS: "vfmadd231ss", VFMADD231SD: "vfmadd231sd", VFNMADD213PS: "vfnmadd213ps", VFNMADD213PD: "vfnmadd213pd",
	VFNMADD231PS: "vfnmadd231ps", VFNMADD231PD: "vfnmadd231pd", VPDPBUSD: "vpdpbusd", VEX_VPDPBUSD: "{vex} vpdpbusd",
	VCVTNE2PS2BF16: "vcvtne2ps2bf16", VCVTNEPS2BF16: "vcvtneps2bf16", VDPBF16PS: "vdpbf16ps", VMOVAPS: "vmovaps",
	VMOVAPD: "vmovapd", VMOVUPS: "vmovups", VMOVUPD: "vmovupd", VMOVDQU: "vmovdqu", VMOVDQA64: "vmovdqa64",
	VMOVDQU8: "vmovdqu8", VMOVDQU16: "vmovdqu16", VMOVDQU32: "vmovdqu32", VMOVDQU64: "vmovdqu64", VMOVSS: "vmovss",
	VMOVSD: "vmovsd", VMOVD: "vmovd", VMOVQ: "vmovq", VMOVNTPS: "vmovntps", VMOVNTPD: "vmovntpd", VMOVLPS: "vmovlps",
	VMOVDDUP: "vmovddup", VMOVSHDUP: "vmovshdup", VMOVSLDUP: "vmovsldup", VMASKMOVPS: "vmaskmovps",
	VMASKMOVPD: "vmaskmovpd", VBROADCASTSS: "vbroadcastss", VBROADCASTSD: "vbroadcastsd",
	VBROADCASTI128: "vbroadcasti128", VPBROADCASTB: "vpbroadcastb", VPBROADCASTW: "vpbroadcastw",
	VPBROADCASTD: "vpbroadcastd", VPBROADCASTQ: "vpbroadcastq", VPGATHERDD: "vpgatherdd", VPGATHERDQ: "vpgatherdq",
	VPGATHERQD: "vpgatherqd", VPGATHERQQ: "vpgatherqq", VUNPCKLPS: "vunpcklps", VUNPCKLPD: "vunpcklpd",
	VUNPCKHPS: "vunpckhps", VUNPCKHPD: "vunpckhpd", VSHUFPS: "vshufps", VSHUFPD: "vshufpd", VBLENDPS: "vblendps",
	VBLENDPD: "vblendpd", VBLENDVPS: "vblendvps", VBLENDVPD: "vblendvpd", VPBLENDVB: "vpblendvb",
	VPERMILPS: "vpermilps", VPERMILPD: "vpermilpd", VPERM2F128: "vperm2f128", VPERMQ: "vpermq", VPERMPD: "vpermpd",
	VPERMD: "vpermd", VPERMPS: "vpermps", VPERMT2D: "vpermt2d", VPERMT2Q: "vpermt2q", VPERMT2PS: "vpermt2ps",
	VPERMT2PD: "vpermt2pd", VINSERTF128: "vinsertf128", VEXTRACTF128: "vextractf128", VEXTRACTF32X4: "vextractf32x4",
	VINSERTF64X4: "vinsertf64x4", VEXTRACTF64X4: "vextractf64x4", VINSERTI128: "vinserti128",
	VEXTRACTI128: "vextracti128", VSHUFF32X4: "vshuff32x4", VPSHUFB: "vpshufb", VPSHUFD: "vpshufd",
	VPUNPCKLBW: "vpunpcklbw", VPUNPCKLWD: "vpunpcklwd", VPUNPCKHBW: "vpunpckhbw", VPUNPCKHWD: "vpunpckhwd",
	VPACKUSWB: "vpackuswb", VPUNPCKLDQ: "vpunpckldq", VPUNPCKHDQ: "vpunpckhdq", VPUNPCKLQDQ: "vpunpcklqdq",
	VPUNPCKHQDQ: "vpunpckhqdq", VPACKUSDW: "vpackusdw", VPALIGNR: "vpalignr", VPBLENDMD: "vpblendmd",
	VPBLENDMQ: "vpblendmq", VPEXTRB: "vpextrb", VPEXTRW: "vpextrw", VPEXTRD: "vpextrd", VPEXTRQ: "vpextrq",
	VPINSRB: "vpinsrb", VPINSRW: "vpinsrw", VPINSRD: "vpinsrd", VPINSRQ: "vpinsrq", VZEROUPPER: "vzeroupper",
	VPADDB: "vpaddb", VPADDW: "vpaddw", VPSUBB: "vpsubb", VPSUBW: "vpsubw", VPMULLW: "vpmullw", VPMADDWD: "vpmaddwd",
	VPMINUB: "vpminub", VPMAXUB: "vpmaxub", VPMINSW: "vpminsw", VPMAXSW: "vpmaxsw", VPMADDUBSW: "vpmaddubsw",
	VPMINSB: "vpminsb", VPMINUW: "vpminuw", VPMAXSB: "vpmaxsb", VPMAXUW: "vpmaxuw", VPADDD: "vpaddd", VPSUBD: "vpsubd",
	VPMULLD: "vpmulld", VPMINSD: "vpminsd", VPMINUD: "vpminud", VPMAXSD: "vpmaxsd", VPMAXUD: "vpmaxud",
	VPADDQ: "vpaddq", VPSUBQ: "vpsubq", VPMULUDQ: "vpmuludq", VPMULLQ: "vpmullq", VPMINSQ: "vpminsq",
	VPMINUQ: "vpminuq", VPMAXSQ: "vpmaxsq", VPMAXUQ: "vpmaxuq", VPABSB: "vpabsb", VPABSW: "vpabsw", VPABSD: "vpabsd",
	VPABSQ: "vpabsq", VPAND: "vpand", VPANDD: "vpandd", VPANDQ: "vpandq", VPANDN: "vpandn", VPOR: "vpor",
	VPORD: "vpord", VPORQ: "vporq", VPXOR: "vpxor", VPXORD: "vpxord", VPXORQ: "vpxorq", VPTEST: "vptest",
	VPCMPEQB: "vpcmpeqb", VPCMPEQW: "vpcmpeqw", VPCMPEQD: "vpcmpeqd", VPCMPEQQ: "vpcmpeqq", VPCMPGTB: "vpcmpgtb",
	VPCMPGTW: "vpcmpgtw", VPCMPGTD: "vpcmpgtd", VPCMPGTQ: "vpcmpgtq", VPCMPB: "vpcmpb", VPCMPUB: "vpcmpub",
	VPCMPW: "vpcmpw", VPCMPUW: "vpcmpuw", VPCMPD: "vpcmpd", VPCMPUD: "vpcmpud", VPTESTMD: "vptestmd", VPCMPQ: "vpcmpq",
	VPCMPUQ: "vpcmpuq", VPTESTMQ: "vptestmq", VPSLLW: "vpsllw", VPSRLW: "vpsrlw", VPSRAW: "vpsraw", VPSLLD: "vpslld",
	VPSRLD: "vpsrld", VPSRAD: "vpsrad", VPSLLQ: "vpsllq", VPSRLQ: "vpsrlq", VPSRAQ: "vpsraq", VPSLLDQ: "vpslldq",
	VPSRLDQ: "vpsrldq", VPSLLVD: "vpsllvd", VPSLLVQ: "vpsllvq", VPSRLVD: "vpsrlvd", VPSRLVQ: "vpsrlvq",
	VPSRAVD: "vpsravd", VPSRAVQ: "vpsravq", VPROLD: "vprold", VPROLQ: "vprolq", VPTERNLOGD: "vpternlogd",
	VPMOVSXBD: "vpmovsxbd", VPMOVSXWD: "vpmovsxwd", VPMOVSXDQ: "vpmovsxdq", VPMOVZXBW: "vpmovzxbw",
	VPMOVZXBD: "vpmovzxbd", VPMOVZXBQ: "vpmovzxbq", VPMOVZXWD: "vpmovzxwd", VPMOVZXWQ: "vpmovzxwq",
	VPMOVZXDQ: "vpmovzxdq", VPMOVWB: "vpmovwb", VPMOVDB: "vpmovdb", VPMOVQB: "vpmovqb", VPMOVDW: "vpmovdw",
	VPMOVQW: "vpmovqw", VPMOVQD: "vpmovqd", VPMOVQ2M: "vpmovq2m", VCVTDQ2PS: "vcvtdq2ps", VCVTTPS2DQ: "vcvttps2dq",
	VCVTPS2PD: "vcvtps2pd", VCVTPD2PS: "vcvtpd2ps", VCVTDQ2PD: "vcvtdq2pd", VCVTUDQ2PS: "vcvtudq2ps",
	VCVTUDQ2PD: "vcvtudq2pd", VCVTQQ2PD: "vcvtqq2pd", VCVTQQ2PS: "vcvtqq2ps", VCVTUQQ2PD: "vcvtuqq2pd",
	VCVTUQQ2PS: "vcvtuqq2ps", VCVTTPD2QQ: "vcvttpd2qq", VCVTTPD2UQQ: "vcvttpd2uqq", VCVTPH2PS: "vcvtph2ps",
	VCVTPS2PH: "vcvtps2ph", VCVTPH2PSX: "vcvtph2psx", VCVTPS2PHX: "vcvtps2phx", KANDW: "kandw", KORW: "korw",
	KXNORW: "kxnorw", KXORW: "kxorw", KNOTW: "knotw", KORTESTW: "kortestw", KMOVW: "kmovw", KORTESTB: "kortestb",
	KMOVQ: "kmovq", KUNPCKBW: "kunpckbw", KSHIFTRW: "kshiftrw", LDTILECFG: "ldtilecfg", STTILECFG: "sttilecfg",
	TILELOADD: "tileloadd", TILESTORED: "tilestored", TILERELEASE: "tilerelease", TILEZERO: "tilezero",
	TDPBF16PS: "tdpbf16ps", TDPBSSD: "tdpbssd", TDPBSUD: "tdpbsud", TDPBUSD: "tdpbusd", TDPBUUD: "tdpbuud",
}
