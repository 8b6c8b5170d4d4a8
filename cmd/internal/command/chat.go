package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/internal/textmodel"
	"github.com/go-nx/nx/token"
)

// chatting is the state of one nx chat.
type chatting struct {
	*Streams
	system, prompt string
	tokens, bits   int
	temperature    float64
	topP           float64
	topK           int
	seed           uint64
	sampling       textmodel.Sampling

	model     *textmodel.Model
	generator *generate.Generator
	messages  []token.Message
	text      string // what was said, where the model has no form for conversations
	signals   chan os.Signal
}

func newChat(s *Streams) *cobra.Command {
	v := &chatting{Streams: s}
	cmd := &cobra.Command{
		Use:   "chat [flags] MODEL",
		Short: "Talk with a language model",
		Long: `Chat opens a language model, a folder as save_pretrained of transformers writes it or a .gguf file
of llama.cpp, reads lines from standard input, and prints the answer to each as it is generated. It keeps the
conversation until the context of the model is full. What flags do not say is taken from generation_config.json,
or from the file.

A model without chat_template has no form for conversations: the text is continued as it is.

Ctrl-C ends an answer; it ends the program when there is none, and when it comes a second time. So does the end
of the input.`,
		Example: examples(
			"nx chat SmolLM2-135M-Instruct",
			"nx chat smollm2-135m-instruct-q8_0.gguf",
			`nx chat --prompt "Name three rivers." --max-tokens 100 --temperature 0 Qwen3-0.6B`),
		Args: wantArgs(1, 1, "the folder or .gguf file of a model"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if v.tokens < 0 || v.temperature < 0 || v.topP < 0 || v.topP > 1 || v.topK < 0 ||
				math.IsNaN(v.temperature+v.topP) {
				return errors.New("chat: --max-tokens, --temperature and --top-k are not negative; --top-p is 0 to 1")
			}
			for name, set := range map[string]func(){
				"temperature": func() { v.sampling.Temperature = &v.temperature },
				"top-p":       func() { v.sampling.TopP = &v.topP },
				"top-k":       func() { v.sampling.TopK = &v.topK },
				"seed":        func() { v.sampling.Seed = &v.seed },
			} {
				if cmd.Flags().Changed(name) {
					set()
				}
			}
			return v.run(cmd.Context(), args[0], cmd.Flags().Changed("prompt"))
		},
	}
	f := cmd.Flags()
	f.StringVar(&v.system, "system", "", "the `text` that says how the model should answer")
	f.StringVar(&v.prompt, "prompt", "", "answer this `text`, and end")
	f.IntVar(&v.bits, "bits", 0, "quantise weights to 8 or 4 `bits`: less memory, faster answers, less exact")
	f.IntVar(&v.tokens, "max-tokens", 0, "the largest `number` of tokens of an answer (as many as the context takes)")
	f.Float64Var(&v.temperature, "temperature", 1, "draw tokens at this `temperature`; 0 takes the likeliest")
	f.Float64Var(&v.topP, "top-p", 1, "draw from the likeliest tokens that have this `probability` together")
	f.IntVar(&v.topK, "top-k", 0, "draw from this `number` of likeliest tokens")
	f.Uint64Var(&v.seed, "seed", 0, "the `number` that fixes what is drawn (a random one)")
	return cmd
}

func (v *chatting) run(ctx context.Context, dir string, once bool) (err error) {
	if v.model, err = textmodel.Open(dir, v.bits); err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	if v.generator, err = v.model.Generator(1, 0); err != nil {
		return fmt.Errorf("chat: %s: %w", dir, err)
	}
	if v.model.Chat == nil {
		if v.model.HasTemplate {
			return fmt.Errorf("chat: %w", v.model.NoChat)
		}
		if v.system != "" {
			return fmt.Errorf("chat: --system: %w", v.model.NoChat)
		}
		fmt.Fprintf(v.err, "%s: %v: the text is continued as it is\n", v.name, v.model.NoChat)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	endsItself.Store(true)
	v.signals = make(chan os.Signal, 2)
	signal.Notify(v.signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(v.signals)
	v.begin()
	if once {
		return v.answer(v.prompt)
	}
	return v.talk()
}

// begin begins a conversation.
func (v *chatting) begin() {
	v.messages, v.text = nil, ""
	if v.system != "" {
		v.messages = []token.Message{{Role: "system", Content: v.system}}
	}
}

// talk answers lines until there are no more.
func (v *chatting) talk() error {
	terminal := false
	if f, ok := v.in.(*os.File); ok {
		info, err := f.Stat()
		terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	lines, failed := make(chan string), make(chan error, 1)
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		defer close(lines)
		for r := bufio.NewReader(v.in); ; {
			line, err := r.ReadString('\n')
			if line = strings.TrimRight(line, "\r\n"); line != "" {
				select {
				case lines <- line:
				case <-ended:
					return
				}
			}
			if err != nil {
				if err != io.EOF {
					failed <- err
				}
				return
			}
		}
	}()
	for {
		if terminal {
			fmt.Fprint(v.err, "> ")
		}
		select {
		case <-v.signals: // also where there is a line
			return errInterrupted
		default:
		}
		select {
		case <-v.signals:
			return errInterrupted
		case line, ok := <-lines:
			if !ok {
				select {
				case err := <-failed:
					return fmt.Errorf("chat: %w", err)
				default:
					return nil
				}
			}
			if err := v.answer(line); err != nil {
				return err
			}
		}
	}
}

// errInterrupted ends the program.
var errInterrupted = programError{errors.New("interrupted")}

// answer prints the answer to a line, and adds both to the conversation.
func (v *chatting) answer(line string) error {
	said := v.text
	var prompt []int
	var err error
	if v.model.Chat != nil {
		v.messages = append(v.messages, token.Message{Role: "user", Content: line})
		prompt, err = v.model.Conversation(v.messages)
	} else {
		if said != "" {
			said += "\n"
		}
		said += line
		prompt, err = v.model.Prompt(said)
	}
	if err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background()) // that of the command ends at the first Ctrl-C, for good
	stop, watched := make(chan struct{}), make(chan os.Signal, 1)
	go func() {
		defer close(watched)
		select {
		case s := <-v.signals:
			watched <- s
			cancel()
		case <-stop:
		}
	}()
	defer func() { cancel(); close(stop) }()
	opts := v.sampling.Apply(v.model.Defaults)
	opts.MaxNewTokens = v.tokens
	if v.tokens == 0 {
		opts.MaxNewTokens = math.MaxInt32 - len(prompt)
	}
	var answer strings.Builder
	var finish generate.Finish
	for t, e := range v.generator.Stream(ctx, prompt, opts) {
		if e != nil {
			err = e
			break
		}
		answer.WriteString(t.Text)
		if _, err = io.WriteString(v.out, t.Text); err != nil {
			return programError{fmt.Errorf("chat: %w", err)}
		}
		finish = t.Finish
	}
	fmt.Fprintln(v.out)
	v.text = said + answer.String()
	v.messages = append(v.messages, token.Message{Role: "assistant", Content: answer.String()})
	switch {
	case errors.Is(err, generate.ErrContext) || finish == generate.FinishContext:
		fmt.Fprintf(v.err, "%s: the context is full: the next line begins a new conversation\n", v.name)
		v.begin()
	case errors.Is(err, context.Canceled):
		if v.prompt != "" || <-watched == syscall.SIGTERM {
			return errInterrupted
		}
	case err != nil:
		return programError{fmt.Errorf("chat: %w", err)}
	}
	return nil
}
