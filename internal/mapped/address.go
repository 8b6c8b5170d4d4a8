package mapped

import "runtime"

// AnyAddress reports whether the processor loads and stores elements at unaligned addresses, so that elements
// of a file can be used in place. Otherwise unaligned elements must be copied.
const AnyAddress = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"
