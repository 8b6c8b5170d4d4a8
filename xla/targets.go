package xla

import (
	"fmt"
	"maps"
	"slices"
)

// gpu holds the values that differ between target GPUs, as reported by the driver.
type gpu struct {
	name           string
	major, minor   int // of the compute capability
	cores          int // streaming multiprocessors
	fpus           int // of a core, for f32
	threads        int // of a core, at most
	shared, opt    int // bytes of shared memory of a core, and the maximum for a block
	clock          float64
	memory, l2     int64 // bytes
	bytesPerSecond int64
}

// gpus are the GPUs with a name for [CompileFor].
var gpus = map[string]gpu{
	"a100":  {"NVIDIA A100-SXM4-80GB", 8, 0, 108, 64, 2048, 167936, 166912, 1.41, 85100068864, 41943040, 2039040000000},
	"a6000": {"NVIDIA RTX A6000", 8, 6, 84, 128, 1536, 102400, 101376, 1.8, 51041271808, 6291456, 768096000000},
	"h100": {"NVIDIA H100 80GB HBM3", 9, 0, 132, 128, 2048, 233472, 232448, 1.98, 84942979072,
		52428800, 3352320000000},
	"h200": {"NVIDIA H200", 9, 0, 132, 128, 2048, 233472, 232448, 1.98, 150000000000, 52428800, 4800000000000},
	"b200": {"NVIDIA B200", 10, 0, 148, 128, 2048, 233472, 232448, 1.965, 191514411008, 132644864, 7672320000000},
	"rtx6000pro": {"NVIDIA RTX PRO 6000 Blackwell", 12, 0, 188, 128, 1536, 131072, 101376, 2.6, 103079215104, 134217728,
		1792000000000},
}

// Targets returns the names of the GPUs that [CompileFor] supports.
func Targets() []string { return slices.Sorted(maps.Keys(gpus)) }

// target describes the GPU as a GpuTargetConfigProto, with CUDA 13 and cuDNN 9.10.
func (g gpu) target() string {
	return fmt.Sprintf(`gpu_device_info { threads_per_block_limit: 1024 threads_per_warp: 32
shared_memory_per_block: 49152 shared_memory_per_core: %d threads_per_core_limit: %d core_count: %d fpus_per_core: %d
block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535 memory_bandwidth: %d
l2_cache_size: %d clock_rate_ghz: %g device_memory_size: %d shared_memory_per_block_optin: %d
cuda_compute_capability { major: %d minor: %d } registers_per_core_limit: 65536 registers_per_block_limit: 65536
device_vendor: "NVIDIA" name: %q thread_dim_limit_x: 1024 thread_dim_limit_y: 1024 thread_dim_limit_z: 64
device_address_bits: 64 } platform_name: "CUDA" dnn_version_info { major: 9 minor: 10 } runtime_version { major: 13 }
device_description_str: %q`, g.shared, g.threads, g.cores, g.fpus, g.bytesPerSecond, g.l2, g.clock, g.memory, g.opt,
		g.major, g.minor, g.name, g.name)
}
