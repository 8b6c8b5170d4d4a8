package library

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// makeTopK compiles chlo.top_k: the k largest elements of each line of the last dimension in descending order, NaN
// first, the first of equal elements, with their indices. The k best so far are in a heap: at most n·log k steps, and
// about n for elements in random order.
func makeTopK(op *stablehlo.Op) (Func, error) {
	in := op.Operands[0].Tensor()
	n := in.Dims[in.Rank()-1]
	t := &topK{t: in.DType(), index: op.Results[1].Tensor().DType(), n: int(n), k: int(op.Int("k", 0))}
	all, _ := in.NumElems()
	t.pieces = max(1, min(maxPieces, t.n/max(minPiece, 16*t.k)))
	return func(env *rt.Env, ins, outs [][]byte) error {
		if t.k == 0 || all == 0 {
			return nil
		}
		run := *t
		run.env, run.src, run.top, run.at = env, ins[0], outs[0], outs[1]
		lines := int(all / n)
		if run.pieces == 1 {
			env.Run(lines, &run)
			return nil
		}
		run.best = make([][]ranked, lines*run.pieces)
		env.Run(len(run.best), &run)
		for line := range lines {
			heap := run.best[line*run.pieces]
			for _, piece := range run.best[line*run.pieces+1:][:run.pieces-1] {
				for _, x := range piece {
					heap = run.offer(heap, x)
				}
			}
			run.write(heap, line)
		}
		return nil
	}, nil
}

type topK struct {
	env          *rt.Env
	t, index     dtype.Type
	n, k         int
	pieces       int // of a line
	src, top, at []byte
	best         [][]ranked // of each piece, if lines have several
}

// ranked is an element's rank and index.
type ranked struct {
	rank [2]int64 // second: the imaginary part
	i    int
}

// better reports whether x comes before y in the result.
func (x ranked) better(y ranked) bool {
	if x.rank != y.rank {
		return x.rank[0] > y.rank[0] || x.rank[0] == y.rank[0] && x.rank[1] > y.rank[1]
	}
	return x.i < y.i
}

// keyBlock is the number of elements that are ranked before they are compared.
const keyBlock = 256

// Do finds the best of a line, or of a piece of it.
func (t *topK) Do(_ rt.Worker, i int) {
	if t.pieces == 1 {
		t.write(t.bestOf(i, 0, t.n), i)
		return
	}
	line, piece := i/t.pieces, i%t.pieces
	t.best[i] = t.bestOf(line, t.n*piece/t.pieces, t.n*(piece+1)/t.pieces)
}

// bestOf returns the best of the elements from first to end of a line, in a heap. A comparison of keys drops most
// elements, which are below the worst in the heap.
func (t *topK) bestOf(line, first, end int) []ranked {
	var keys [keyBlock]int64
	heap := make([]ranked, 0, t.k) // the worst on top
	isPair := t.t.IsComplex()
	for from := first; from < end; from += keyBlock {
		t.env.CheckCancel()
		block := keys[:min(keyBlock, end-from)]
		t.firstRanks(block, line*t.n+from)
		worst := int64(math.MinInt64)
		if len(heap) == t.k {
			worst = heap[0].rank[0]
		}
		for j, key := range block {
			if key < worst || key == worst && !isPair && len(heap) == t.k {
				continue
			}
			x := ranked{[2]int64{key, 0}, from + j}
			if isPair {
				x.rank = rankOf(t.t, t.src, line*t.n+x.i)
			}
			if heap = t.offer(heap, x); len(heap) == t.k {
				worst = heap[0].rank[0]
			}
		}
	}
	return heap
}

// offer adds an element to a heap of the best.
func (t *topK) offer(heap []ranked, x ranked) []ranked {
	switch {
	case len(heap) < t.k:
		heap = append(heap, x)
		siftUp(heap)
	case x.better(heap[0]):
		heap[0] = x
		siftDown(heap)
	}
	return heap
}

// write writes the best of a line.
func (t *topK) write(heap []ranked, line int) {
	for last := len(heap) - 1; last > 0; last-- { // the worst of the rest goes last
		heap[0], heap[last] = heap[last], heap[0]
		siftDown(heap[:last])
	}
	size := t.t.Size()
	for j, x := range heap {
		copy(t.top[(line*t.k+j)*size:][:size], t.src[(line*t.n+x.i)*size:])
		t.index.StoreInt(t.at, line*t.k+j, int64(x.i))
	}
}

func siftUp(heap []ranked) {
	for i := len(heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if !heap[parent].better(heap[i]) {
			return
		}
		heap[i], heap[parent] = heap[parent], heap[i]
		i = parent
	}
}

func siftDown(heap []ranked) {
	for i := 0; ; {
		worst := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(heap); c++ {
			if heap[worst].better(heap[c]) {
				worst = c
			}
		}
		if worst == i {
			return
		}
		heap[i], heap[worst] = heap[worst], heap[i]
		i = worst
	}
}

// firstRanks sets keys to the first parts of the ranks of elements from first on.
func (t *topK) firstRanks(keys []int64, first int) {
	switch t.t {
	case dtype.F32:
		for i, b := range rt.View[int32](t.src)[first:][:len(keys)] {
			keys[i] = int64(b ^ b>>31&math.MaxInt32)
		}
	case dtype.F64:
		for i, b := range rt.View[int64](t.src)[first:][:len(keys)] {
			keys[i] = b ^ b>>63&math.MaxInt64
		}
	case dtype.F16, dtype.BF16:
		for i, b := range rt.View[int16](t.src)[first:][:len(keys)] {
			keys[i] = int64(b ^ b>>15&math.MaxInt16)
		}
	case dtype.S32:
		for i, x := range rt.View[int32](t.src)[first:][:len(keys)] {
			keys[i] = int64(x)
		}
	default:
		for i := range keys {
			keys[i] = rankOf(t.t, t.src, first+i)[0]
		}
	}
}

// rankOf maps an element to integers of the same order, floats in total order.
func rankOf(t dtype.Type, b []byte, i int) [2]int64 {
	switch {
	case t == dtype.U64:
		return [2]int64{int64(t.LoadUint(b, i) ^ 1<<63)}
	case t.IsComplex(): // by value: zeros are equal
		z := t.LoadComplex(b, i)
		return [2]int64{totalRank(real(z) + 0), totalRank(imag(z) + 0)}
	case t.IsFloat():
		bits, sign := t.LoadBits(b, i), uint64(1)<<(t.Bits()-1)
		if t.HasNegative() && bits&sign != 0 {
			return [2]int64{^int64(bits &^ sign)}
		}
		return [2]int64{int64(bits)}
	}
	return [2]int64{t.LoadInt(b, i)}
}

func totalRank(x float64) int64 {
	bits := int64(dtype.F64.FromFloat64(x))
	return bits ^ bits>>63&(1<<63-1)
}
