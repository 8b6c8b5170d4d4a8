package token_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/go-nx/nx/token"
)

// TestChat: conversations equal those of transformers, recorded by testdata/record_chat.py.
func TestChat(t *testing.T) {
	data, err := os.ReadFile("testdata/chat.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name     string
		Config   json.RawMessage
		Messages []token.Message
		Want     *string
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		chat, err := token.ParseChat(c.Config)
		if err != nil {
			t.Errorf("case %d, %s: %v", i, c.Name, err)
			continue
		}
		if family, _, _ := strings.Cut(c.Name, " "); chat.Name() != family {
			t.Errorf("case %d, %s: it counts as %s", i, c.Name, chat.Name())
		}
		got, err := chat.Prompt(c.Messages)
		switch {
		case c.Want == nil && err == nil:
			t.Errorf("case %d, %s: no error, but %q", i, c.Name, got)
		case c.Want != nil && err != nil:
			t.Errorf("case %d, %s: %v", i, c.Name, err)
		case c.Want != nil && got != *c.Want:
			t.Errorf("case %d, %s:\n got %q\nwant %q", i, c.Name, got, *c.Want)
		}
	}
}

func TestChatErrors(t *testing.T) {
	for _, c := range []struct{ config, want string }{
		{`{}`, "chat_template: it is missing"},
		{`{"chat_template": "{{ messages }}"}`, "belongs to no known family"},
		{`[]`, "not a tokenizer_config.json"},
	} {
		if _, err := token.ParseChat([]byte(c.config)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.config, err, c.want)
		}
	}
	chat, err := token.ParseChat([]byte(`{"chat_template": "[INST] [/INST]", "bos_token": "<s>", "eos_token": "</s>"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, messages := range [][]token.Message{
		nil,
		{{Role: "tool", Content: "x"}},
		{{Role: "assistant", Content: "x"}},
		{{Role: "user", Content: "x"}, {Role: "user", Content: "y"}},
	} {
		if got, err := chat.Prompt(messages); err == nil {
			t.Errorf("%v: no error, but %q", messages, got)
		}
	}
}
