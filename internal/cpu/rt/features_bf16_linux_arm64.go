package rt

import "golang.org/x/sys/unix"

// hasBF16 reports whether the processor has FEAT_BF16. Source: asm/hwcap.h of Linux.
func hasBF16() bool {
	const atHWCAP2, hwcap2BF16 = 26, 1 << 14
	vector, err := unix.Auxv()
	if err != nil {
		return false
	}
	for _, v := range vector {
		if v[0] == atHWCAP2 {
			return v[1]&hwcap2BF16 != 0
		}
	}
	return false
}
