package rt

import "golang.org/x/sys/unix"

// hasBF16 reports whether the processor has FEAT_BF16. Source: sysctl(3) of macOS, hw.optional.arm.
func hasBF16() bool {
	v, err := unix.SysctlUint32("hw.optional.arm.FEAT_BF16")
	return err == nil && v != 0
}
