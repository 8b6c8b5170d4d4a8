package rt

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// The size reported by the processor is that of the system.
func TestLastLevelCache(t *testing.T) {
	got := LastLevelCache()
	largest := int64(0)
	for i := range 8 {
		text, err := os.ReadFile("/sys/devices/system/cpu/cpu0/cache/index" + strconv.Itoa(i) + "/size")
		if err != nil {
			break
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(string(text)), "K"), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		largest = max(largest, n<<10)
	}
	if got < 0 || largest != 0 && got != 0 && got != largest {
		t.Errorf("%d bytes; the system says %d", got, largest)
	}
}
