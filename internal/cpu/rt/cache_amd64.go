package rt

// LastLevelCache returns the size of the largest cache, in bytes, as reported by the processor, or 0.
func LastLevelCache() int64 {
	// Intel SDM, volume 2, CPUID leaf 4; AMD APM, volume 3, CPUID function 8000_001D has the same form.
	const intel, amd, topologyExtensions = 4, 0x8000001d, 1 << 22
	leaf := uint32(intel)
	if maxLeaf, _, _, _ := cpuid(0x80000000, 0); maxLeaf >= amd {
		if _, _, features, _ := cpuid(0x80000001, 0); features&topologyExtensions != 0 {
			leaf = amd
		}
	}
	if maxLeaf, _, _, _ := cpuid(0, 0); leaf == intel && maxLeaf < intel {
		return 0
	}
	largest := int64(0)
	for i := range uint32(8) {
		kind, shape, sets, _ := cpuid(leaf, i)
		if kind&0x1f == 0 {
			break
		}
		ways, partitions, line := shape>>22+1, shape>>12&0x3ff+1, shape&0xfff+1
		largest = max(largest, int64(ways)*int64(partitions)*int64(line)*(int64(sets)+1))
	}
	return largest
}
