package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/serve/openai"
)

func Example() {
	dir, err := os.MkdirTemp("", "model") // a folder as save_pretrained writes it
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := tinymodel.WriteText(dir, true); err != nil {
		panic(err)
	}

	m, err := openai.Open(dir, openai.Config{Name: "tiny", Slots: 2})
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(openai.Handler(openai.Limits{}, m))
	defer server.Close()
	r, err := server.Client().Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(
		`{"model": "tiny", "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 5, "temperature": 0}`))
	if err != nil {
		panic(err)
	}
	defer r.Body.Close()
	var answer struct {
		Choices []struct {
			Reason string `json:"finish_reason"`
		}
		Usage map[string]int
	}
	if err := json.NewDecoder(r.Body).Decode(&answer); err != nil {
		panic(err)
	}
	fmt.Println(r.Status, answer.Choices[0].Reason, answer.Usage["completion_tokens"])
	// Output: 200 OK length 5
}
