package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Message is a part of a conversation.
type Message struct {
	Role    string // "system", "user" or "assistant"
	Content string
}

// Chat writes conversations in the form that a model was trained on.
type Chat struct {
	name     string
	bos, eos string
	text     string // the template, with \n as newlines
	render   func(c *Chat, messages []Message) (string, error)
}

// Name returns the family of the template: chatml, llama3, llama2, mistral, gemma, phi3, zephyr or deepseek.
func (c *Chat) Name() string { return c.name }

// chatFamilies are the known templates, by the marks in their text. The first that fits is taken.
var chatFamilies = []struct {
	name   string
	marks  []string
	render func(c *Chat, messages []Message) (string, error)
}{
	{"deepseek", []string{"<｜User｜>", "<｜Assistant｜>"}, (*Chat).deepSeek},
	{"chatml", []string{"<|im_start|>", "<|im_end|>"}, (*Chat).chatML},
	{"llama3", []string{"<|start_header_id|>", "<|eot_id|>"}, (*Chat).llama3},
	{"gemma", []string{"<start_of_turn>", "<end_of_turn>"}, (*Chat).gemma},
	{"llama2", []string{"[INST]", "<<SYS>>"}, (*Chat).llama2},
	{"mistral", []string{"[INST]", "[/INST]"}, (*Chat).mistral},
	{"phi3", []string{"<|user|>", "<|end|>"}, (*Chat).phi3},
	{"phi3", []string{"'<|' +", "<|end|>"}, (*Chat).phi3},
	{"zephyr", []string{"<|user|>", "eos_token"}, (*Chat).zephyr},
}

// OpenChat reads the chat template of a model: chat_template of tokenizer_config.json, or the file chat_template.jinja
// beside it; or that of a .gguf file. A template of an unknown family is an error.
func OpenChat(dir string) (*Chat, error) {
	if isGGUF(dir) {
		return fromFile(dir, ChatFromGGUF)
	}
	path := filepath.Join(dir, "tokenizer_config.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	file := filepath.Join(dir, "chat_template.jinja")
	separate, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("token: %w", err)
	}
	if len(separate) > 0 {
		path += " and " + file
	}
	c, err := parseChat(data, string(separate))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// ParseChat reads the chat template in the contents of a tokenizer_config.json.
func ParseChat(config []byte) (*Chat, error) { return parseChat(config, "") }

func parseChat(config []byte, text string) (*Chat, error) {
	var file struct {
		Template json.RawMessage `json:"chat_template"`
		BOS      json.RawMessage `json:"bos_token"`
		EOS      json.RawMessage `json:"eos_token"`
	}
	if err := json.Unmarshal(config, &file); err != nil {
		return nil, fmt.Errorf("token: not a tokenizer_config.json: %w", err)
	}
	if text == "" {
		var named []struct{ Name, Template string }
		switch {
		case isNull(file.Template):
			return nil, errors.New("token: chat_template: it is missing: this model has no form for conversations")
		case json.Unmarshal(file.Template, &text) == nil:
		case json.Unmarshal(file.Template, &named) == nil:
			for _, n := range named {
				if n.Name == "default" {
					text = n.Template
				}
			}
		}
	}
	c := &Chat{bos: tokenText(file.BOS), eos: tokenText(file.EOS), text: strings.ReplaceAll(text, `\n`, "\n")}
	for _, family := range chatFamilies {
		fits := true
		for _, mark := range family.marks {
			fits = fits && strings.Contains(c.text, mark)
		}
		if fits {
			c.name, c.render = family.name, family.render
			return c, nil
		}
	}
	return nil, fmt.Errorf("token: chat_template: %q belongs to no known family: write the conversation yourself",
		shorten([]byte(text)))
}

// tokenText reads a token, which is a string or an object with its content.
func tokenText(raw json.RawMessage) (text string) {
	var object struct{ Content string }
	if json.Unmarshal(raw, &text) != nil && json.Unmarshal(raw, &object) == nil {
		return object.Content
	}
	return text
}

// Prompt returns a conversation as text, up to where the model's answer begins. The text holds all special tokens that
// the model expects, so it is encoded with NoSpecial or AppendIDs.
func (c *Chat) Prompt(messages []Message) (string, error) {
	if len(messages) == 0 {
		return "", errors.New("token: a conversation without messages: give at least one")
	}
	for i, m := range messages {
		if m.Role != "user" && m.Role != "assistant" && (m.Role != "system" || i > 0 && c.alternates()) {
			return "", fmt.Errorf("token: message %d: the role %q does not fit here: the template of %s knows a system message "+
				"at first, then user and assistant", i, m.Role, c.name)
		}
	}
	return c.render(c, messages)
}

// alternates tells whether the template wants user and assistant in turn.
func (c *Chat) alternates() bool {
	return c.name == "llama2" || c.name == "mistral" || c.name == "gemma"
}

// system splits off a system message at the beginning.
func system(messages []Message) (string, []Message) {
	if messages[0].Role == "system" {
		return messages[0].Content, messages[1:]
	}
	return "", messages
}

// inTurn checks that user and assistant alternate.
func (c *Chat) inTurn(messages []Message) error {
	for i, m := range messages {
		if want := [2]string{"user", "assistant"}[i%2]; m.Role != want {
			return fmt.Errorf("token: the template of %s wants user and assistant in turn: message %d behind the system message "+
				"is of %q, not %q", c.name, i, m.Role, want)
		}
	}
	return nil
}

// start returns the token that begins a text, where the template writes it.
func (c *Chat) start() string {
	if strings.Contains(c.text, "bos_token") {
		return c.bos
	}
	return ""
}

// trimmed returns the content as the template writes it.
func (c *Chat) trimmed(content string) string {
	if strings.Contains(c.text, "trim") || strings.Contains(c.text, ".strip()") {
		return strings.TrimSpace(content)
	}
	return content
}

// answer returns what an assistant said, without its thoughts where the template leaves them out.
func (c *Chat) answer(content string) string {
	if !strings.Contains(c.text, "</think>") {
		return content
	}
	if i := strings.LastIndex(content, "</think>"); i >= 0 {
		content = strings.TrimLeft(content[i+len("</think>"):], "\n")
	}
	return content
}

// chatMLSystem finds the system message that a template of ChatML gives where there is none.
var chatMLSystem = regexp.MustCompile(`<\|im_start\|>system\n([^'"{}<]+)<\|im_end\|>`)

func (c *Chat) chatML(messages []Message) (string, error) {
	var out strings.Builder
	out.WriteString(c.start())
	if m := chatMLSystem.FindStringSubmatch(c.text); m != nil && messages[0].Role != "system" {
		out.WriteString("<|im_start|>system\n" + m[1] + "<|im_end|>\n")
	}
	for _, m := range messages {
		content := c.trimmed(m.Content)
		if strings.Contains(c.text, "</think>") {
			content = m.Content // the template trims only the thoughts
			if m.Role == "assistant" {
				content = c.answer(content)
			}
		}
		out.WriteString("<|im_start|>" + m.Role + "\n" + content + "<|im_end|>\n")
	}
	return out.String() + "<|im_start|>assistant\n", nil
}

// cuttingDate begins the system message of Llama 3.1 and later.
const cuttingDate = "Cutting Knowledge Date: December 2023\nToday Date: "

func (c *Chat) llama3(messages []Message) (string, error) {
	var out strings.Builder
	out.WriteString(c.start())
	turn := func(role, content string) {
		out.WriteString("<|start_header_id|>" + role + "<|end_header_id|>\n\n" + content + "<|eot_id|>")
	}
	if strings.Contains(c.text, "Cutting Knowledge Date") {
		date := "26 Jul 2024"
		if strings.Contains(c.text, "strftime_now") {
			date = time.Now().Format("02 Jan 2006")
		}
		var first string
		first, messages = system(messages)
		turn("system", cuttingDate+date+"\n\n"+c.trimmed(first))
	}
	for _, m := range messages {
		turn(m.Role, c.trimmed(m.Content))
	}
	return out.String() + "<|start_header_id|>assistant<|end_header_id|>\n\n", nil
}

func (c *Chat) gemma(messages []Message) (string, error) {
	first, messages := system(messages)
	if first != "" && strings.Contains(c.text, "System role not supported") {
		return "", errors.New("token: the template of gemma has no system message: put it into the first message of the user")
	}
	if err := c.inTurn(messages); err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString(c.start())
	for i, m := range messages {
		role, content := m.Role, c.trimmed(m.Content)
		if role == "assistant" {
			role = "model"
		}
		if i == 0 && first != "" {
			content = first + "\n\n" + content
		}
		out.WriteString("<start_of_turn>" + role + "\n" + content + "<end_of_turn>\n")
	}
	return out.String() + "<start_of_turn>model\n", nil
}

func (c *Chat) llama2(messages []Message) (string, error) {
	first, messages := system(messages)
	if err := c.inTurn(messages); err != nil {
		return "", err
	}
	var out strings.Builder
	for i, m := range messages {
		content := m.Content
		if i == 0 && first != "" {
			content = "<<SYS>>\n" + first + "\n<</SYS>>\n\n" + content
		}
		content = c.trimmed(content)
		if m.Role == "user" {
			out.WriteString(c.start() + "[INST] " + content + " [/INST]")
		} else {
			out.WriteString(" " + content + " " + c.eos)
		}
	}
	return out.String(), nil
}

// mistralAnswer finds what a template of Mistral puts before an answer.
var mistralAnswer = regexp.MustCompile(`(?:" "|' ') ?\+ ?message`)

func (c *Chat) mistral(messages []Message) (string, error) {
	first, messages := system(messages)
	if first != "" && !strings.Contains(c.text, "system_message") {
		return "", errors.New("token: this template of mistral has no system message: put it into the first message of the user")
	}
	if err := c.inTurn(messages); err != nil {
		return "", err
	}
	// The versions differ in their spaces, and in which message of the user the system message goes to.
	open, end, after := "[INST]", "[/INST]", c.eos
	if strings.Contains(c.text, "[INST] ") {
		open = "[INST] "
	}
	if strings.Contains(c.text, " [/INST]") {
		end = " [/INST]"
	}
	if strings.Contains(c.text, "eos_token + ' '") {
		after += " "
	}
	before := ""
	if mistralAnswer.MatchString(c.text) {
		before = " "
	}
	target := 0
	if strings.Contains(c.text, "loop.last and system_message") {
		target = len(messages) - 1
	}
	var out strings.Builder
	out.WriteString(c.start())
	for i, m := range messages {
		content := c.trimmed(m.Content)
		switch {
		case m.Role == "assistant":
			out.WriteString(before + content + after)
		case i == target && first != "":
			out.WriteString(open + first + "\n\n" + m.Content + end)
		default:
			out.WriteString(open + m.Content + end)
		}
	}
	return out.String(), nil
}

func (c *Chat) phi3(messages []Message) (string, error) {
	var out strings.Builder
	out.WriteString(c.start())
	for _, m := range messages {
		out.WriteString("<|" + m.Role + "|>\n" + c.trimmed(m.Content) + "<|end|>\n")
	}
	return out.String() + "<|assistant|>\n", nil
}

func (c *Chat) zephyr(messages []Message) (string, error) {
	var out strings.Builder
	for _, m := range messages {
		out.WriteString("<|" + m.Role + "|>\n" + c.trimmed(m.Content) + c.eos + "\n")
	}
	return out.String() + "<|assistant|>\n", nil
}

func (c *Chat) deepSeek(messages []Message) (string, error) {
	var out strings.Builder
	first, messages := system(messages)
	out.WriteString(c.start() + first)
	for _, m := range messages {
		switch m.Role {
		case "user":
			out.WriteString("<｜User｜>" + m.Content + "<｜Assistant｜>")
		case "assistant":
			out.WriteString(c.answer(m.Content) + c.eos)
		default:
			return "", fmt.Errorf("token: the template of deepseek has one system message, at the beginning")
		}
	}
	if len(messages) == 0 || messages[len(messages)-1].Role == "assistant" {
		out.WriteString("<｜Assistant｜>")
	}
	if strings.Contains(c.text, "<｜Assistant｜><think>\n") {
		out.WriteString("<think>\n")
	}
	return out.String(), nil
}
