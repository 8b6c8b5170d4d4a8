package bench

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/token"
)

// tokenTexts joins the texts of a folder of the corpus to texts of about 2 kB, as peers/tokens.py does.
func tokenTexts(b *testing.B, file string) (texts []string, size int64) {
	b.Helper()
	f, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	text := ""
	for lines.Scan() {
		var c struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			b.Fatal(err)
		}
		if text += c.Text + "\n"; len(text) > 2000 {
			texts = append(texts, text)
			size += int64(len(text))
			text = ""
		}
	}
	return texts, size
}

// BenchmarkTokens splits the texts of the corpus: one by one with all that is known of each token, only into ids, and
// as a batch on all processors. peers/tokens.py measures the reference beside it.
func BenchmarkTokens(b *testing.B) {
	files, _ := filepath.Glob(filepath.Join(testkit.Shared(b, "conformance", "tokenizers"), "*", "tokenizer.json"))
	for _, file := range files {
		t, err := token.Open(file)
		if err != nil {
			b.Fatal(err)
		}
		texts, size := tokenTexts(b, filepath.Join(filepath.Dir(file), "cases.jsonl"))
		run := func(name string, f func() error) {
			b.Run(filepath.Base(filepath.Dir(file))+"/"+name, func(b *testing.B) {
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		plain := []token.EncodeOption{token.Truncate(nil), token.Pad(nil)}
		run("encode", func() error {
			for _, text := range texts {
				if _, err := t.Encode(text, plain...); err != nil {
					return err
				}
			}
			return nil
		})
		var ids []int32
		run("ids", func() (err error) {
			for _, text := range texts {
				if ids, err = t.AppendIDs(ids[:0], text); err != nil {
					return err
				}
			}
			return nil
		})
		run("batch", func() error {
			_, err := t.EncodeBatch(texts, plain...)
			return err
		})
	}
}
