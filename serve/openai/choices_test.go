package openai

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/transformers"
)

// TestChoices: each of several choices, whole or streamed, is what a request for it by itself gets.
func TestChoices(t *testing.T) {
	server := httptest.NewServer(Handler(Limits{}, open(t, false, Config{Name: "tiny", Slots: 2})))
	defer server.Close()
	const path = "/v1/completions"
	body := func(prompt string, seed int, more string) string {
		return fmt.Sprintf(`{"prompt":%s,"seed":%d,"temperature":1,"max_tokens":20%s}`, prompt, seed, more)
	}
	var want []string
	for i, prompt := range []string{`"Hello"`, `"Hello"`, `"Once"`, `"Once"`} {
		text, _, _ := ask(t, server, path, body(prompt, 5+i, ""))
		want = append(want, text)
	}
	status, answer := post(t, server, path, body(`["Hello","Once"]`, 5, `,"n":2`))
	r := parse(t, answer)
	if status != http.StatusOK || len(r.Choices) != 4 || r.Usage.Total != 9+r.Usage.Completion {
		t.Fatalf("%d %s", status, answer)
	}
	for i, c := range r.Choices {
		if c.Text != want[i] {
			t.Errorf("choice %d is %q, by itself %q", i, c.Text, want[i])
		}
	}
	_, stream := post(t, server, path, body(`["Hello","Once"]`, 5, `,"n":2,"stream":true`))
	streamed, ended := make([]string, 4), 0
	for lines := bufio.NewScanner(strings.NewReader(stream)); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: {")
		if !ok {
			continue
		}
		var part struct {
			Choices []struct {
				Index  int
				Text   string
				Finish *string `json:"finish_reason"`
			}
		}
		if err := json.Unmarshal([]byte("{"+data), &part); err != nil {
			t.Fatal(err)
		}
		for _, c := range part.Choices {
			if streamed[c.Index] += c.Text; c.Finish != nil {
				ended++
			}
		}
	}
	if !reflect.DeepEqual(streamed, want) || ended != 4 || !strings.HasSuffix(stream, "data: [DONE]\n\n") {
		t.Errorf("streamed %q, %d ends, want %q", streamed, ended, want)
	}
}

// logProbs are those of an answer with text, and of a chat.
type logProbs struct {
	Tokens  []string
	Probs   []float64            `json:"token_logprobs"`
	Top     []map[string]float64 `json:"top_logprobs"`
	Offsets []int                `json:"text_offset"`
	Content []struct {
		Token string
		Prob  float64 `json:"logprob"`
		Bytes []int
		Top   []struct {
			Token string
			Prob  float64 `json:"logprob"`
		} `json:"top_logprobs"`
	}
}

func logProbsOfAnswer(t *testing.T, answer string) (text string, l logProbs) {
	t.Helper()
	var r struct {
		Choices []struct {
			Text     string
			Message  struct{ Content string }
			LogProbs logProbs
		}
	}
	if err := json.Unmarshal([]byte(answer), &r); err != nil || len(r.Choices) != 1 {
		t.Fatalf("%v: %s", err, answer)
	}
	return r.Choices[0].Text + r.Choices[0].Message.Content, r.Choices[0].LogProbs
}

// TestLogProbs compares log-probabilities with those of the whole text by the network: they do not depend on sampling.
func TestLogProbs(t *testing.T) {
	m := open(t, false, Config{Name: "tiny"})
	server := httptest.NewServer(Handler(Limits{}, m))
	defer server.Close()
	ids := []int32{72, 105}
	body := `{"prompt":[72,105],"max_tokens":12,"temperature":0.5,"top_p":0.9,"seed":3,"logprobs":4,"frequency_penalty":0.1`
	_, answer := post(t, server, "/v1/completions", body+"}")
	text, l := logProbsOfAnswer(t, answer)
	if n := len(l.Tokens); n == 0 || len(l.Probs) != n || len(l.Top) != n || len(l.Offsets) != n {
		t.Fatal(answer)
	}
	for i, token := range l.Tokens {
		out, err := m.text.Network.Forward(transformers.Inputs{InputIDs: nx.FromSlice(ids, nx.Shape{1, len(ids)})})
		if err != nil {
			t.Fatal(err)
		}
		logs := nx.Data[float64](nx.LogSoftmax(out.Logits.At(0, -1)))
		// The token is one of those with this text; all bytes above 127 have the same.
		best := int32(-1)
		for id, x := range logs {
			if m.tokenText(id) == token && math.Abs(x-l.Probs[i]) < 1e-4 {
				best = int32(id)
			}
		}
		if best < 0 {
			t.Fatalf("token %d is %q with %v: no such token has this log-probability", i, token, l.Probs[i])
		}
		if n := len(l.Top[i]); n < 1 || n > 5 || l.Top[i][token] != l.Probs[i] {
			t.Errorf("token %d: %v", i, l.Top[i])
		}
		ids = append(ids, best)
	}
	if l.Offsets[0] != 0 || text == "" {
		t.Errorf("the offsets of %q are %v", text, l.Offsets)
	}

	chat := hello + `,"logprobs":true,"top_logprobs":3`
	_, answer = post(t, server, "/v1/chat/completions", chat+"}")
	_, whole := logProbsOfAnswer(t, answer)
	if len(whole.Content) == 0 || len(whole.Content[0].Top) != 3 ||
		whole.Content[0].Top[0].Prob < whole.Content[0].Prob {
		t.Fatal(answer)
	}
	for _, c := range whole.Content {
		if known := !strings.Contains(c.Token, "\ufffd"); known != (c.Bytes != nil) {
			t.Errorf("the bytes of %q are %v", c.Token, c.Bytes)
		}
	}
	var streamed logProbs
	_, stream := post(t, server, "/v1/chat/completions", chat+`,"stream":true}`)
	for lines := bufio.NewScanner(strings.NewReader(stream)); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: {"); ok {
			_, l := logProbsOfAnswer(t, "{"+data)
			streamed.Content = append(streamed.Content, l.Content...)
		}
	}
	if !reflect.DeepEqual(streamed, whole) {
		t.Errorf("streamed %v, whole %v", streamed, whole)
	}
}

// TestBias: a bias makes one token the only one, a penalty for its frequency another one in turn.
func TestBias(t *testing.T) {
	server := httptest.NewServer(Handler(Limits{}, open(t, false, Config{Name: "tiny"})))
	defer server.Close()
	body := `{"prompt":"x","max_tokens":60,"temperature":0,"logit_bias":{"97":100,"98":80}`
	for more, want := range map[string]string{"": strings.Repeat("a", 60), `,"frequency_penalty":2`: "b"} {
		if text, _, _ := ask(t, server, "/v1/completions", body+more+"}"); !strings.Contains(text, want) ||
			strings.Trim(text, "ab") != "" {
			t.Errorf("%s: %q, want %q", more, text, want)
		}
	}
}

// FuzzRequest sends requests of any bytes: the answer is JSON, or events, and no error of the server.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{`{"prompt":"x","max_tokens":3}`, `{"prompt":[1,2],"logprobs":2,"max_tokens":2,"n":2}`,
		`{"messages":[{"role":"user","content":"Hi"}],"max_tokens":3,"stream":true}`,
		`{"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}],"logprobs":true,"max_tokens":1}`,
		`{"prompt":["a","b"],"stop":["c"],"temperature":0.1,"top_p":0.5,"top_k":3,"seed":-1,"max_tokens":2}`,
		`{"prompt":"x","logit_bias":{"3":-100},"presence_penalty":2,"frequency_penalty":-2,"max_tokens":4}`,
		`{"input":["a",""]}`, `{"stream_options":{"include_usage":true},"stream":true,"prompt":"","max_tokens":1}`} {
		for path := range uint8(4) {
			f.Add(path, []byte(body))
		}
	}
	decoder, encoder := f.TempDir(), f.TempDir()
	models := []*Model{}
	for dir, write := range map[string]func(dir string) error{decoder: writeDecoder, encoder: writeEncoder} {
		if err := write(dir); err != nil {
			f.Fatal(err)
		}
		m, err := Open(dir, Config{Name: "", Context: 64})
		if err != nil {
			f.Fatal(err)
		}
		models = append(models, m)
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		paths := []string{"/v1/completions", "/v1/chat/completions", "/v1/embeddings"}
		for _, m := range models {
			w := httptest.NewRecorder()
			r := httptest.NewRequest("POST", paths[int(which)%len(paths)], strings.NewReader(string(body)))
			Handler(Limits{}, m).ServeHTTP(w, r)
			answer := w.Body.String()
			stream := strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")
			if w.Code >= 500 || !stream && !json.Valid([]byte(answer)) ||
				stream && !strings.HasSuffix(answer, "data: [DONE]\n\n") {
				t.Errorf("%s: %d %s", body, w.Code, answer)
			}
		}
	})
}
