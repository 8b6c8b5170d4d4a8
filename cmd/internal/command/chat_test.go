package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/internal/textmodel"
	"github.com/go-nx/nx/internal/tinymodel"
)

// textFolder writes a small model of text.
func textFolder(t *testing.T, template bool) string {
	t.Helper()
	dir := t.TempDir()
	if err := tinymodel.WriteText(dir, template); err != nil {
		t.Fatal(err)
	}
	return dir
}

func chat(stdin string, args ...string) outcome {
	var out, err bytes.Buffer
	code := Nx.Run(context.Background(), append([]string{"chat"}, args...), strings.NewReader(stdin), &out, &err)
	return outcome{code, out.String(), err.String()}
}

func TestChat(t *testing.T) {
	dir := textFolder(t, true)
	greedy := []string{"--temperature", "0", "--max-tokens", "8", dir}
	once := chat("", append([]string{"--prompt", "Hello"}, greedy...)...)
	if once.code != exitOK || once.stderr != "" || len(once.stdout) < 2 || !utf8.ValidString(once.stdout) {
		t.Fatalf("%d %q %s", once.code, once.stdout, once.stderr)
	}
	two := chat("Hello\nAnd then?\n", greedy...)
	if two.code != exitOK || !strings.HasPrefix(two.stdout, once.stdout) {
		t.Fatalf("%d %q %s, want it to begin with %q", two.code, two.stdout, two.stderr, once.stdout)
	}
	// The second answer depends on the first line.
	second, alone := strings.TrimPrefix(two.stdout, once.stdout), chat("And then?\n", greedy...)
	if second == "" || second == alone.stdout {
		t.Errorf("the second answer is %q, that to the second line by itself %q", second, alone.stdout)
	}
	system := chat("", append([]string{"--prompt", "Hello", "--system", "Answer briefly."}, greedy...)...)
	if system.stdout == once.stdout {
		t.Errorf("a system message changes nothing: %q", once.stdout)
	}
	for _, bits := range []string{"8", "4"} {
		o := chat("", append([]string{"--prompt", "Hello", "--bits", bits}, greedy...)...)
		if o.code != exitOK || len(o.stdout) < 2 || !utf8.ValidString(o.stdout) {
			t.Errorf("%s bits: %d %q %s", bits, o.code, o.stdout, o.stderr)
		}
	}
	drawn := []string{"--prompt", "Hello", "--temperature", "1.5", "--max-tokens", "12", dir}
	var list [3]outcome
	for i, seed := range []string{"1", "1", "2"} {
		list[i] = chat("", append([]string{"--seed", seed}, drawn...)...)
	}
	a, b, c := list[0], list[1], list[2]
	if a != b || a == c || a.code != exitOK {
		t.Errorf("with seeds 1, 1 and 2: %v, %v, %v", a, b, c)
	}
}

// A file of llama.cpp is a model with its tokens, its template and the ends of its turns.
func TestChatGGUF(t *testing.T) {
	file := filepath.Join("..", "..", "..", "encoding", "gguf", "testdata", "qwen2.gguf")
	o := chat("", "--prompt", "Hello", "--temperature", "0", "--max-tokens", "8", file)
	if o.code != exitOK || o.stderr != "" || len(o.stdout) < 2 || !utf8.ValidString(o.stdout) {
		t.Errorf("%d %q %s", o.code, o.stdout, o.stderr)
	}
	o = chat("", "--prompt", "Hello", filepath.Join(filepath.Dir(file), "gemma.gguf"))
	if o.code == exitOK || !strings.Contains(o.stderr, "gemma.gguf: token: gguf: the metadata tokenizer.ggml.model") {
		t.Errorf("a file without tokens: %d %s", o.code, o.stderr)
	}
}

// A model without a template continues the text; one whose context is full says so.
func TestChatPlainText(t *testing.T) {
	o := chat("Hello\n", "--seed", "3", "--temperature", "2", textFolder(t, false))
	if o.code != exitOK || !strings.Contains(o.stderr, "chat_template") || o.stdout == "" {
		t.Errorf("%d %q %s", o.code, o.stdout, o.stderr)
	}
	o = chat(strings.Repeat("long ", 40)+"\nHello\n", "--max-tokens", "4", textFolder(t, true))
	if o.code != exitOK || !strings.Contains(o.stderr, "the context is full") || strings.Count(o.stdout, "\n") < 2 {
		t.Errorf("%d %q %s", o.code, o.stdout, o.stderr)
	}
}

// A line that is not UTF-8 is answered.
func TestChatInvalidText(t *testing.T) {
	o := chat("\xff\xfe\xc3(\n", "--max-tokens", "2", textFolder(t, true))
	if o.code != exitOK || len(o.stdout) < 2 || o.stderr != "" {
		t.Errorf("%d %q %s", o.code, o.stdout, o.stderr)
	}
}

// An interrupted answer ends, and the conversation goes on.
func TestChatInterrupt(t *testing.T) {
	var out, errs bytes.Buffer
	v := &chatting{Streams: &Streams{in: strings.NewReader(""), out: &out, err: &errs, name: "nx"},
		signals: make(chan os.Signal, 2)}
	var err error
	if v.model, err = textmodel.Open(textFolder(t, true), 0); err != nil {
		t.Fatal(err)
	}
	if v.generator, err = v.model.Generator(1, 0); err != nil {
		t.Fatal(err)
	}
	text := v.model.Defaults.Text
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		v.model.Defaults.Text = func() generate.TextDecoder { // the signal comes while the answer is computed
			return &interrupted{TextDecoder: text(), send: func() {
				v.signals <- signal
				for len(v.signals) > 0 {
					time.Sleep(time.Millisecond)
				}
				time.Sleep(10 * time.Millisecond)
			}}
		}
		err := v.answer("Hello")
		if signal == os.Interrupt && (err != nil || len(v.messages) != 2) || signal == syscall.SIGTERM && err == nil {
			t.Errorf("after %v: %v, %d messages, %s", signal, err, len(v.messages), errs.String())
		}
	}
	v.model.Defaults.Text, v.tokens = text, 4
	if err := v.answer("Hello"); err != nil || errs.Len() > 0 {
		t.Errorf("the next answer: %v %s", err, errs.String())
	}
}

type interrupted struct {
	generate.TextDecoder
	send func()
	sent bool
}

func (i *interrupted) Push(id int32) (string, error) {
	if !i.sent {
		i.sent = true
		i.send()
	}
	return i.TextDecoder.Push(id)
}

func TestChatErrors(t *testing.T) {
	for name, c := range map[string]struct {
		file, content string
		args          []string
		want          string
	}{
		"no folder":        {"config.json", "", nil, "config.json"},
		"no tokenizer":     {"tokenizer.json", "", nil, "save_pretrained"},
		"another model":    {"config.json", `{"architectures":["ZebraForCausalLM"],"model_type":"zebra"}`, nil, "ebra"},
		"another template": {"chat_template.jinja", "{{ messages }}", nil, "chat_template"},
		"an option":        {"generation_config.json", `{"top_k":"many"}`, nil, "generation_config.json"},
		"a flag":           {"", "", []string{"--top-p", "2"}, "--top-p"},
		"bits":             {"", "", []string{"--bits", "3"}, "8 or 4 bits"},
	} {
		dir := textFolder(t, true)
		if path := filepath.Join(dir, c.file); c.file != "" && c.content == "" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		} else if c.file != "" {
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		o := chat("", append(c.args, "--prompt", "x", dir)...)
		if o.code == exitOK || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%s: %d %s, want %s", name, o.code, o.stderr, c.want)
		}
	}
}
