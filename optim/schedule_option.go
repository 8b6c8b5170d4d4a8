package optim

// Options of schedules.
type (
	// RestartOption is an option of [CosineRestarts].
	RestartOption interface{ restart(*curve) }
	// OneCycleOption is an option of [OneCycle] and [OneCycleLinear].
	OneCycleOption interface{ oneCycle(*curve) }
)

type cycle bool

// Cycle starts a schedule again after its end.
const Cycle cycle = true

func (cycle) polynomial(s *curve) { s.cycle = true }

type staircase bool

// Staircase changes a rate at the end of each period only.
const Staircase staircase = true

func (staircase) exponential(s *curve) { s.staircase = true }

type endAt float64

// EndAt bounds a decaying rate.
func EndAt(v float64) ExponentialOption { return endAt(v) }

func (v endAt) exponential(s *curve) { s.end, s.hasEnd = float64(v), true }

type exponent float64

// Exponent raises the cosine between 0 and 1 to a power.
func Exponent(e float64) CosineOption { return exponent(e) }

func (e exponent) cosine(s *curve) { s.exponent = float64(e) }

type (
	growth       float64
	shrink       float64
	floor        float64
	peakAt       float64
	fallUntil    float64
	startDivisor float64
	endDivisor   float64
)

// Growth makes each period of a schedule with restarts so many times as long as the last one.
func Growth(factor float64) RestartOption { return growth(factor) }

// Shrink makes the value at each restart so many times the last one.
func Shrink(factor float64) RestartOption { return shrink(factor) }

// Floor is the part of the first value to which a schedule with restarts falls.
func Floor(part float64) RestartOption { return floor(part) }

// PeakAt is the part of the steps at which a cycle has its peak.
func PeakAt(part float64) OneCycleOption { return peakAt(part) }

// FallUntil is the part of the steps at which a linear cycle is back at its start.
func FallUntil(part float64) OneCycleOption { return fallUntil(part) }

// StartDivisor is the peak divided by the value at the start, 25 without it.
func StartDivisor(d float64) OneCycleOption { return startDivisor(d) }

// EndDivisor is the value at the start divided by that at the end, 1e4 without it.
func EndDivisor(d float64) OneCycleOption { return endDivisor(d) }

func (v growth) restart(s *curve)        { s.growth = float64(v) }
func (v shrink) restart(s *curve)        { s.shrink = float64(v) }
func (v floor) restart(s *curve)         { s.floor = float64(v) }
func (v peakAt) oneCycle(s *curve)       { s.peakAt = float64(v) }
func (v fallUntil) oneCycle(s *curve)    { s.fallUntil = float64(v) }
func (v startDivisor) oneCycle(s *curve) { s.startDivisor = float64(v) }
func (v endDivisor) oneCycle(s *curve)   { s.endDivisor = float64(v) }

// curve are the options of schedules.
type curve struct {
	exponent, end, growth, shrink, floor        float64
	peakAt, fallUntil, startDivisor, endDivisor float64
	cycle, staircase, hasEnd                    bool
}
