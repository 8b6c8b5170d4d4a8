// Command chargpt learns to write as a text is written, one character after another.
//
//	go run ./examples/chargpt
//	go run ./examples/chargpt -text docs/rationale/codegen.md -steps 3000
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/examples/internal/svg"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

func main() {
	text := flag.String("text", "LICENSE", "a text to learn from")
	dir := flag.String("out", ".", "folder for chargpt.svg")
	steps := flag.Int("steps", 1000, "steps of training")
	prompt := flag.String("prompt", "The ", "how the text begins that the network writes")
	flag.Parse()
	if _, err := run(*text, *dir, *prompt, *steps, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "chargpt:", err)
		os.Exit(1)
	}
}

// alphabet has a number for each character of a text.
type alphabet []rune

func (a alphabet) encode(text string) (ids []int32, err error) {
	for _, r := range text {
		i, ok := slices.BinarySearch(a, r)
		if !ok {
			return nil, fmt.Errorf("the text that was learnt does not have the character %q", r)
		}
		ids = append(ids, int32(i))
	}
	return ids, nil
}

// run learns, writes, draws chargpt.svg, and returns the loss of the last steps.
func run(path, dir, prompt string, steps int, out io.Writer) (last float64, err error) {
	defer nx.Catch(&err)
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	letters := alphabet([]rune(string(text)))
	slices.Sort(letters)
	letters = slices.Compact(letters)
	ids, err := letters.encode(string(text))
	if err != nil {
		return 0, err
	}
	first, err := letters.encode(prompt)
	if err != nil {
		return 0, err
	}
	windows := data.Windows(nx.FromSlice(ids, nx.Shape{len(ids)}), length, 1)
	loader := data.Batches(windows, data.Stack, data.Size(16), data.Shuffle(1), data.Epochs(1+steps*16/windows.Len()))
	t := train.New(loss, optim.Chain(optim.ClipGlobalNorm(1),
		optim.AdamW(optim.WarmupCosine(0, 5e-3, steps/10, steps, 1e-4), 0.1)))
	s := t.Init(newModel(random.Key(1), len(letters)), random.Key(2))
	var at, losses []float64
	for e, err := range t.Run(context.Background(), &s, loader) {
		if err != nil {
			return 0, err
		}
		if l := e.LossValue(); e.Step == 1 {
			last = l
		} else {
			last = 0.95*last + 0.05*l
		}
		at, losses = append(at, float64(e.Step)), append(losses, last)
		if e.Step%100 == 0 {
			fmt.Fprintf(out, "step %4d: loss %.3f nats a character\n", e.Step, last)
		}
		if e.Step == int64(steps) {
			break
		}
	}
	fmt.Fprintf(out, "\n%s", prompt)
	for _, id := range write(s.Model, first, 300, random.Key(3)) {
		fmt.Fprint(out, string(letters[id]))
	}
	fmt.Fprintln(out)
	p := svg.New("Loss, in nats a character")
	p.Line("training", "#3366cc", at, losses)
	return last, p.WriteFile(filepath.Join(dir, "chargpt.svg"))
}
