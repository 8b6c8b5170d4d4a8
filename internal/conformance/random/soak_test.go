package random_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/conformance/random"
	"github.com/go-nx/nx/stablehlo"
)

var (
	soak  = flag.Duration("soak", 3*time.Second, "how long TestSoak runs random programs")
	timed = flag.Bool("timed", false, "bound the time of the stops of the world too")
)

// longestStop is what 999 of 1,000 stops of the world for a collection may take on a quiet machine (-timed), or what
// they take in a program that only adds numbers: where the kernel takes a processor from a thread for a tick of the
// clock (4 ms), no program's stops are shorter.
const longestStop = 2 * time.Millisecond

// soaked is a compiled random program, with its results when run alone.
type soaked struct {
	seed uint64
	exe  backend.Executable
	args []backend.Buffer
	want [][]byte
}

// TestSoak runs random programs from 64 goroutines, during garbage collections, a profile, and contexts that
// end in the middle of calls. Each call returns the results of the program run alone, and in the end no memory
// and no executable page leaks. It prints the stop-the-world times of collections.
func TestSoak(t *testing.T) {
	const goroutines, shared = 64, 48
	c := cpu.New(2)
	before := usageOf(c)
	stops := stopsOfTheWorld()
	programs := make([]*soaked, shared)
	for i := range programs {
		p, err := newSoaked(c, *firstSeed+uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		programs[i] = p
	}
	profile := pprof.StartCPUProfile(io.Discard) == nil // go test -cpuprofile has one already
	ctx, end := context.WithTimeout(context.Background(), *soak)
	defer end()
	var all sync.WaitGroup
	all.Go(func() { collect(ctx) })
	var calls, cancelled, compiled atomic.Int64
	for g := range goroutines {
		all.Go(func() {
			r := rand.New(rand.NewPCG(*firstSeed, uint64(g)))
			for n := uint64(0); ctx.Err() == nil && !t.Failed(); n++ {
				p := programs[r.IntN(shared)]
				if r.IntN(20) == 0 {
					var err error
					if p, err = newSoaked(c, *firstSeed+shared+n*goroutines+uint64(g)); err != nil {
						t.Error(err)
						return
					}
					compiled.Add(1)
				}
				stopped, err := p.call(r)
				if err != nil {
					t.Errorf("seed %d: %v", p.seed, err)
					return
				}
				calls.Add(1)
				if stopped {
					cancelled.Add(1)
				}
			}
		})
	}
	all.Wait()
	if profile {
		pprof.StopCPUProfile()
	}
	t.Logf("%s: %d calls, %d of them cancelled, of %d programs", c.Tier(), calls.Load(), cancelled.Load(),
		shared+compiled.Load())
	if calls.Load() == 0 {
		t.Error("no call was made")
	}
	clear(programs)
	var after usage
	for wait := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if after = usageOf(c); !after.exceeds(before) {
			break
		}
		if time.Now().After(wait) {
			t.Error("more is left than was before")
			break
		}
	}
	t.Logf("%s: %+v is left, %+v was before", c.Tier(), after, before)
	count, median, high, longest := stops.since()
	t.Logf("%s: %d stops of the world for collections: the median is %v, 99.9 %% are within %v, the longest within %v",
		c.Tier(), count, median, high, longest)
	t.Logf("%s: of them took %s", c.Tier(), stops.histogram())
	if !*timed {
		return
	}
	count, median, floor, longest := stopsWhileAdding(min(*soak, time.Minute))
	t.Logf("without programs: %d stops: the median is %v, 99.9 %% are within %v, the longest within %v",
		count, median, floor, longest)
	if high > max(longestStop, floor) {
		t.Errorf("99.9 %% of all stops are within %v, more than %v", high, max(longestStop, floor))
	}
}

// stopsWhileAdding returns the stop-the-world times while 64 goroutines only add numbers and allocate.
func stopsWhileAdding(d time.Duration) (count uint64, median, high, longest time.Duration) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	before, end := stopsOfTheWorld(), time.Now().Add(d)
	var all sync.WaitGroup
	var garbage atomic.Pointer[[]float32]
	for range 64 {
		all.Go(func() {
			numbers := make([]float32, 1<<14)
			for time.Now().Before(end) {
				var sum float32
				for range 5 {
					for _, x := range numbers {
						sum += x
					}
				}
				made := make([]float32, 1<<14)
				made[0] = sum
				garbage.Store(&made)
			}
		})
	}
	all.Wait()
	return before.since()
}

// newSoaked compiles a random program and runs it once.
func newSoaked(c *cpu.Client, seed uint64) (*soaked, error) {
	make := random.New
	if seed%4 == 3 {
		make = random.Independent
	}
	p, err := make(seed)
	if err != nil {
		return nil, fmt.Errorf("seed %d: %w", seed, err)
	}
	s, err := compileSoaked(c, p.Module, p.Args)
	if err == nil {
		s.seed = seed
		s.want, err = s.run(context.Background())
	}
	if err != nil {
		return nil, fmt.Errorf("seed %d: %w", seed, err)
	}
	return s, nil
}

// compileSoaked compiles a program.
func compileSoaked(c *cpu.Client, m *stablehlo.Module, args [][]byte) (*soaked, error) {
	s := &soaked{}
	var err error
	if s.exe, err = c.Compile(context.Background(), m); err != nil {
		return nil, err
	}
	f, _ := m.Func("main")
	for i, t := range f.Type().Ins {
		t := t.(*stablehlo.TensorType)
		b, err := c.Put(context.Background(), backend.Type{DType: t.DType(), Dims: t.Dims}, args[i], c.Devices()[0])
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		s.args = append(s.args, b)
	}
	return s, nil
}

// call runs the program once more and compares; of three contexts one ends during the call, or before or after it.
func (s *soaked) call(r *rand.Rand) (stopped bool, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if r.IntN(3) == 0 {
		time.AfterFunc(time.Duration(r.IntN(200))*time.Microsecond, cancel)
	}
	if err = s.compareRun(ctx); errors.Is(err, context.Canceled) {
		return true, nil
	}
	return false, err
}

// compareRun runs the program and compares its results.
func (s *soaked) compareRun(ctx context.Context) error {
	got, err := s.run(ctx)
	if err != nil {
		return err
	}
	for i, want := range s.want {
		if !bytes.Equal(got[i], want) {
			return fmt.Errorf("result %d is not what it was at first", i)
		}
	}
	return nil
}

func (s *soaked) run(ctx context.Context) ([][]byte, error) {
	out, err := s.exe.Execute(ctx, s.args)
	if err != nil {
		return nil, err
	}
	results := make([][]byte, len(out))
	for i, b := range out {
		results[i] = make([]byte, b.Type().SizeBytes())
		if err := b.Read(context.Background(), results[i]); err != nil {
			return nil, err
		}
		b.Release()
	}
	return results, nil
}

// collect makes garbage and collects it until the context ends.
func collect(ctx context.Context) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	var kept [64][]byte
	for i := 0; ctx.Err() == nil; i++ {
		kept[i%len(kept)] = make([]byte, 1<<(8+i%10))
		if i%512 == 0 {
			runtime.GC()
		}
		if i%64 == 0 {
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// usage is the memory that programs may leak.
type usage struct {
	buffers    int64 // bytes
	heap       uint64
	pages      int // mappings of executable memory; only on Linux
	goroutines int
}

func usageOf(c *cpu.Client) usage {
	runtime.GC()
	runtime.GC() // memory freed by the cleanups of the first
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	maps, _ := os.ReadFile("/proc/self/maps")
	pages := strings.Count(string(maps), "r-xp 00000000 00:00 0 ") + strings.Count(string(maps), "/memfd:nx-code")
	return usage{c.InUse(), m.HeapAlloc, pages, runtime.NumGoroutine()}
}

// exceeds reports whether more is in use than before, except for permanent memory: workers, tables of
// functions, and the code that all programs share, which has few mappings, while each program has at least
// one.
func (u usage) exceeds(before usage) bool {
	return u.buffers > before.buffers || u.pages > before.pages+12 || u.heap > before.heap+16<<20 ||
		u.goroutines > before.goroutines+8
}

// pauses are the stops of the world for collections up to a moment.
type pauses struct{ counts []uint64 }

func readStops() *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(sample)
	return sample[0].Value.Float64Histogram()
}

func stopsOfTheWorld() pauses { return pauses{countsOf(readStops())} }

// countsOf copies counts, which the next reading overwrites.
func countsOf(h *metrics.Float64Histogram) []uint64 { return append([]uint64(nil), h.Counts...) }

// since returns how many stops there have been, and within which time half of them, 99.9 % and all were over.
func (s pauses) since() (count uint64, median, high, longest time.Duration) {
	h := readStops()
	counts := countsOf(h)
	for i := range counts {
		counts[i] -= s.counts[i]
		count += counts[i]
	}
	within := func(share float64) time.Duration {
		var sum uint64
		for i, n := range counts {
			if sum += n; sum > 0 && float64(sum) >= share*float64(count) {
				return time.Duration(h.Buckets[i+1] * float64(time.Second))
			}
		}
		return 0
	}
	return count, within(0.5), within(0.999), within(1)
}

// histogram returns which shares of the stops since took how long, by powers of two.
func (s pauses) histogram() string {
	h := readStops()
	shares := map[int]float64{} // by powers of two of microseconds
	sum := 0.0
	for i, n := range h.Counts {
		if n -= s.counts[i]; n > 0 {
			shares[int(math.Ceil(math.Log2(max(h.Buckets[i+1]*1e6, 1))))] += float64(n)
			sum += float64(n)
		}
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(shares)) {
		parts = append(parts, fmt.Sprintf("up to %v %.2f %%", time.Duration(1<<k)*time.Microsecond, 100*shares[k]/sum))
	}
	return strings.Join(parts, ", ")
}
