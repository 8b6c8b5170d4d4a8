package command

import "golang.org/x/sys/cpu"

// cpuFeatures returns the vector and matrix extensions present, by the names
// the vendors use.
func cpuFeatures() []string {
	rows := []struct {
		name string
		has  bool
	}{
		{"avx2", cpu.X86.HasAVX2},
		{"fma", cpu.X86.HasFMA},
		{"bmi2", cpu.X86.HasBMI2},
		{"avx512f", cpu.X86.HasAVX512F},
		{"avx512dq", cpu.X86.HasAVX512DQ},
		{"avx512bw", cpu.X86.HasAVX512BW},
		{"avx512vl", cpu.X86.HasAVX512VL},
		{"avx512vnni", cpu.X86.HasAVX512VNNI},
		{"avx512bf16", cpu.X86.HasAVX512BF16},
		{"amx-tile", cpu.X86.HasAMXTile},
		{"amx-bf16", cpu.X86.HasAMXBF16},
		{"amx-int8", cpu.X86.HasAMXInt8},
		{"neon", cpu.ARM64.HasASIMD},
		{"fp16", cpu.ARM64.HasASIMDHP},
		{"dotprod", cpu.ARM64.HasASIMDDP},
		{"sve", cpu.ARM64.HasSVE},
		{"sve2", cpu.ARM64.HasSVE2},
		{"rvv", cpu.RISCV64.HasV},
	}
	names := []string{}
	for _, r := range rows {
		if r.has {
			names = append(names, r.name)
		}
	}
	return names
}
