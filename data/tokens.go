package data

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// ReadTokens reads a file of token ids: numbers in decimal between white space.
//
// Shapes: [n]. DTypes: s32. The error names the line.
func ReadTokens(path string) (t nx.Tensor, err error) {
	f, err := openPlain(path)
	if err != nil {
		return t, err
	}
	defer f.Close()
	var ids []int32
	line := 1
	r := bufio.NewReaderSize(f, 1<<16)
	var word []byte
	for {
		c, err := r.ReadByte()
		if err != nil && err != io.EOF {
			return t, fmt.Errorf("%s: %w", path, err)
		}
		if err == nil && c > ' ' {
			if word = append(word, c); len(word) > 20 {
				return t, fmt.Errorf("%s: line %d: %q… is not a token id", path, line, word)
			}
			continue
		}
		if len(word) > 0 {
			id, perr := strconv.ParseInt(string(word), 10, 32)
			if perr != nil || id < 0 {
				return t, fmt.Errorf("%s: line %d: %q is not a token id", path, line, word)
			}
			ids, word = append(ids, int32(id)), word[:0]
		}
		if err == io.EOF {
			return nx.FromSlice(ids, nx.Shape{len(ids)}), nil
		}
		if c == '\n' {
			line++
		}
	}
}

// ReadRawTokens reads a file that consists of token ids as little-endian integers of a type, u16 or s32 for instance,
// as programs write them with numpy.ndarray.tofile.
//
// Shapes: [n]. DTypes: the one given.
func ReadRawTokens(path string, d nx.DType) (t nx.Tensor, err error) {
	if !d.IsInteger() || d.Size() == 0 {
		return t, fmt.Errorf("%s: token ids are integers, not %v", path, d)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	if len(b)%d.Size() != 0 {
		return t, fmt.Errorf("%s: %d bytes are not a number of tokens of %d bytes", path, len(b), d.Size())
	}
	return nx.FromBytes(b, nx.Shape{len(b) / d.Size()}, d), nil
}

// Window is a piece of a text and what follows each of its tokens.
type Window struct {
	X, Y nx.Tensor // [length], s32
}

// Windows is a source of the pieces of a text of tokens that begin at each stride: X has length tokens, Y those one
// place later, which a language model predicts. A stride of length makes them follow one another without overlap.
//
// Shapes: tokens [n]; windows [length]. DTypes: integers; windows are s32.
//
// Errors: [nx.ErrShape] for tokens that are not a vector, or fewer than one window, [nx.ErrValue] for ids that s32
// cannot hold.
func Windows(tokens nx.Tensor, length, stride int) Source[Window] {
	atLeast("Windows", length, 1)
	atLeast("Windows", stride, 1)
	if tokens.Rank() != 1 || tokens.Shape()[0] <= length {
		panic(diag.New(nx.ErrShape, "Windows", "", "the tokens must be a vector of more than %d, got %v", length,
			tokens.Shape()))
	}
	wide := nx.Data[int64](nx.Cast(tokens, nx.S64))
	ids := make([]int32, len(wide))
	for i, id := range wide {
		if id < 0 || id > math.MaxInt32 {
			panic(diag.New(nx.ErrValue, "Windows", "", "token %d is %d", i, id))
		}
		ids[i] = int32(id)
	}
	return Func((len(ids)-1-length)/stride+1, func(_ context.Context, i int, _ *rand.Rand) (Window, error) {
		at := i * stride
		return Window{
			nx.FromSlice(ids[at:at+length], nx.Shape{length}),
			nx.FromSlice(ids[at+1:at+1+length], nx.Shape{length}),
		}, nil
	})
}
