package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/transformers"
)

func writeDecoder(dir string) error { return tinymodel.WriteText(dir, true) }

func writeEncoder(dir string) error { return tinymodel.WriteEncoder(dir) }

// open opens a small model of text, or an encoder.
func open(t *testing.T, encoder bool, c Config) *Model {
	t.Helper()
	dir := t.TempDir()
	write := writeDecoder
	if encoder {
		write = writeEncoder
	}
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	m, err := Open(dir, c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// post sends a request and returns the status and the answer.
func post(t *testing.T, server *httptest.Server, path, body string) (status int, answer string) {
	t.Helper()
	r, err := server.Client().Post(server.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	return r.StatusCode, string(data)
}

// reply is what tests read of an answer, or of a part of one.
type reply struct {
	Choices []struct {
		Text           string
		Message, Delta struct{ Role, Content string }
		Finish         *string `json:"finish_reason"`
	}
	Usage *struct {
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
	}
	Data  []struct{ Embedding json.RawMessage }
	Error *struct{ Message, Type, Param, Code string }
}

func parse(t *testing.T, answer string) (r reply) {
	t.Helper()
	if err := json.Unmarshal([]byte(answer), &r); err != nil {
		t.Errorf("%v: %s", err, answer)
	}
	return r
}

// ask returns the text of an answer.
func ask(t *testing.T, server *httptest.Server, path, body string) (text, finish string, tokens int) {
	t.Helper()
	status, answer := post(t, server, path, body)
	r := parse(t, answer)
	if status != http.StatusOK || len(r.Choices) != 1 || r.Usage == nil || r.Choices[0].Finish == nil {
		t.Errorf("%d %s", status, answer)
		return "", "", 0
	}
	return r.Choices[0].Text + r.Choices[0].Message.Content, *r.Choices[0].Finish, r.Usage.Completion
}

const hello = `{"messages":[{"role":"user","content":"Hello"}],"temperature":1.2,"top_p":0.95,"seed":5,"max_tokens":30`

func TestStreamedText(t *testing.T) {
	server := httptest.NewServer(Handler(Limits{}, open(t, false, Config{Name: "tiny"})))
	defer server.Close()
	for path, body := range map[string]string{"/v1/chat/completions": hello,
		"/v1/completions": `{"model":"tiny","prompt":"Hello","seed":5,"temperature":1,"max_tokens":30`} {
		text, finish, tokens := ask(t, server, path, body+"}")
		if text == "" {
			t.Fatalf("%s: no text", path)
		}
		status, stream := post(t, server, path, body+`,"stream":true,"stream_options":{"include_usage":true}}`)
		streamed, parts := "", 0
		var ended reply
		lines := bufio.NewScanner(strings.NewReader(stream))
		for lines.Scan() {
			line, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok || line == "[DONE]" {
				continue
			}
			r := parse(t, line)
			if len(r.Choices) == 0 {
				ended.Usage = r.Usage
				continue
			}
			streamed += r.Choices[0].Text + r.Choices[0].Delta.Content
			ended.Choices = r.Choices
			parts++
		}
		whole := strings.HasSuffix(stream, "\ndata: [DONE]\n\n")
		if status != http.StatusOK || streamed != text || parts < 3 || !whole ||
			ended.Usage == nil || ended.Usage.Completion != tokens || *ended.Choices[0].Finish != finish {
			t.Errorf("%s: %d %s\nwant the text %q", path, status, stream, text)
		}
		// A string of the text ends it.
		stop := text[len(text)/2:]
		for !(stop[0] < 0x80) { // the beginning of a character
			stop = stop[1:]
		}
		quoted, _ := json.Marshal(stop[:1])
		short, reason, _ := ask(t, server, path, body+`,"stop":`+string(quoted)+"}")
		if want := text[:strings.Index(text, stop[:1])]; short != want || reason != "stop" {
			t.Errorf("%s: with the stop %s: %q, %s; want %q", path, quoted, short, reason, want)
		}
	}
}

// Requests that share slots get the answers that each gets by itself.
func TestConcurrentRequests(t *testing.T) {
	server := httptest.NewServer(Handler(Limits{}, open(t, false, Config{Slots: 3})))
	defer server.Close()
	var want [8]string
	body := func(i int) string {
		return strings.Replace(hello, `"seed":5`, `"seed":`+string(rune('1'+i)), 1) + "}"
	}
	for i := range want {
		want[i], _, _ = ask(t, server, "/v1/chat/completions", body(i))
	}
	var group sync.WaitGroup
	for i := range want {
		group.Go(func() {
			if got, _, _ := ask(t, server, "/v1/chat/completions", body(i)); got != want[i] {
				t.Errorf("request %d: %q, by itself %q", i, got, want[i])
			}
		})
	}
	group.Wait()
	if want[0] == want[1] {
		t.Errorf("two seeds give %q", want[0])
	}
}

// A client that leaves frees its slot, whether it has one or waits; no goroutine remains.
func TestClientsThatLeave(t *testing.T) {
	before := runtime.NumGoroutine()
	m := open(t, false, Config{Slots: 1, Queue: 1})
	server := httptest.NewServer(Handler(Limits{}, m))
	m.slots <- struct{}{} // a request that runs
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r, err := http.NewRequestWithContext(ctx, "POST", server.URL+"/v1/chat/completions",
			strings.NewReader(hello+"}"))
		if err != nil {
			t.Error(err)
			return
		}
		if a, err := server.Client().Do(r); err == nil {
			t.Errorf("answered with %s", a.Status)
			a.Body.Close()
		}
	}()
	for m.waiting.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	if status, answer := post(t, server, "/v1/chat/completions", hello+"}"); status != http.StatusServiceUnavailable {
		t.Errorf("with a full queue: %d %s", status, answer)
	}
	cancel()
	<-ended
	for m.waiting.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	<-m.slots
	// One that leaves after the first part.
	ctx, cancel = context.WithCancel(context.Background())
	w := &leaver{ResponseRecorder: httptest.NewRecorder(), leave: cancel}
	r := httptest.NewRequestWithContext(ctx, "POST", "/v1/chat/completions", strings.NewReader(hello+`,"stream":true}`))
	Handler(Limits{}, m).ServeHTTP(w, r)
	if strings.Contains(w.Body.String(), "[DONE]") || len(m.slots) != 0 {
		t.Errorf("after the client has left: %d slots, %s", len(m.slots), w.Body)
	}
	if text, _, _ := ask(t, server, "/v1/chat/completions", hello+"}"); text == "" {
		t.Error("no answer after the others")
	}
	server.Close()
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			stacks = stacks[:runtime.Stack(stacks, true)]
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks)
		}
	}
}

// leaver is a client that leaves when something is sent.
type leaver struct {
	*httptest.ResponseRecorder
	leave func()
}

func (l *leaver) Write(p []byte) (int, error) {
	l.leave()
	return l.ResponseRecorder.Write(p)
}

func TestErrors(t *testing.T) {
	server := httptest.NewServer(Handler(Limits{Body: 4000}, open(t, false, Config{Name: "tiny"})))
	defer server.Close()
	const chat, text = "/v1/chat/completions", "/v1/completions"
	long := strings.Repeat("x", 200)
	for name, c := range map[string]struct {
		path, body string
		status     int
		param      string
	}{
		"not JSON":      {chat, `{`, 400, ""},
		"null":          {chat, `null`, 400, ""},
		"a path":        {"/v1/images", `{}`, 404, ""},
		"too long":      {text, `{"prompt":"` + strings.Repeat("x", 5000) + `"}`, 413, ""},
		"another model": {chat, `{"model":"none"}`, 404, "model"},
		"no messages":   {chat, `{"model":"tiny"}`, 400, "messages"},
		"a role":        {chat, `{"messages":[{"role":"tool","content":"x"}]}`, 400, "messages[0].role"},
		"a picture": {chat, `{"messages":[{"role":"user","content":[{"type":"image_url"}]}]}`, 400,
			"messages[0].content"},
		"no prompt":         {text, `{}`, 400, "prompt"},
		"an empty prompt":   {text, `{"prompt":""}`, 400, "prompt"},
		"no prompts":        {text, `{"prompt":[]}`, 400, "prompt"},
		"many prompts":      {text, `{"prompt":["a","b"],"n":65}`, 400, "prompt"},
		"a token":           {text, `{"prompt":[1,100000]}`, 400, "prompt"},
		"a full context":    {text, `{"prompt":"` + long + `"}`, 400, "prompt"},
		"a full context 2":  {chat, strings.Replace(hello, "Hello", long, 1) + "}", 400, "messages"},
		"n":                 {chat, hello + `,"n":0}`, 400, "n"},
		"many":              {chat, hello + `,"n":1e9}`, 400, "n"},
		"best_of":           {text, `{"prompt":"x","best_of":2}`, 400, "best_of"},
		"echo":              {text, `{"prompt":"x","echo":true}`, 400, "echo"},
		"a penalty":         {chat, hello + `,"presence_penalty":3}`, 400, "presence_penalty"},
		"another penalty":   {chat, hello + `,"frequency_penalty":"x"}`, 400, "frequency_penalty"},
		"log-probabilities": {text, `{"prompt":"x","logprobs":21}`, 400, "logprobs"},
		"of tokens":         {chat, hello + `,"top_logprobs":2}`, 400, "top_logprobs"},
		"of many":           {chat, hello + `,"logprobs":true,"top_logprobs":21}`, 400, "top_logprobs"},
		"a bias":            {chat, hello + `,"logit_bias":{"x":1}}`, 400, "logit_bias"},
		"a bias of none":    {chat, hello + `,"logit_bias":{"100000":1}}`, 400, "logit_bias"},
		"a large bias":      {chat, hello + `,"logit_bias":{"1":101}}`, 400, "logit_bias"},
		"not UTF-8":         {text, "{\"prompt\":\"\xff\"}", 400, ""},
		"a number as stop":  {text, `{"prompt":"x","stop":7}`, 400, "stop"},
		"nested":            {text, `{"prompt":` + strings.Repeat("[", 1500) + "}", 400, ""},
		"a large number":    {text, `{"prompt":"x","max_tokens":1e30}`, 400, "max_tokens"},
		"NaN":               {text, `{"prompt":"x","temperature":NaN}`, 400, ""},
		"a negative top_k":  {text, `{"prompt":"x","top_k":-1}`, 400, "top_k"},
		"a temperature":     {text, `{"prompt":"x","temperature":1e308}`, 400, "temperature"},
		"tools":             {chat, hello + `,"tools":[{}]}`, 400, "tools"},
		"an unknown field":  {chat, hello + `,"zebra":1}`, 400, "zebra"},
		"a type":            {text, `{"prompt":"x","temperature":"hot"}`, 400, "temperature"},
		"a range":           {text, `{"prompt":"x","top_p":0}`, 400, "top_p"},
		"no tokens":         {text, `{"prompt":"x","max_tokens":0}`, 400, "max_tokens"},
		"an empty stop":     {text, `{"prompt":"x","stop":["a",""]}`, 400, "stop"},
		"embeddings":        {"/v1/embeddings", `{"input":"x"}`, 400, "model"},
	} {
		status, answer := post(t, server, c.path, c.body)
		r := parse(t, answer)
		if status != c.status || r.Error == nil || r.Error.Param != c.param || r.Error.Message == "" {
			t.Errorf("%s: %d %s, want %d and %q", name, status, answer, c.status, c.param)
		}
	}
	neutral := `,"n":1,"tools":[],"presence_penalty":0,"user":"me","response_format":{"type": "text"}}`
	if text, _, _ := ask(t, server, chat, hello+neutral); text == "" {
		t.Error("fields that change nothing are refused")
	}
}

// Bad requests leave one beside them alone: it gets the answer that it gets by itself.
func TestBadRequestsBeside(t *testing.T) {
	server := httptest.NewServer(Handler(Limits{}, open(t, false, Config{Slots: 2})))
	defer server.Close()
	body := strings.Replace(hello, `"max_tokens":30`, `"max_tokens":80`, 1)
	want, _, _ := ask(t, server, "/v1/chat/completions", body+"}")
	r, err := server.Client().Post(server.URL+"/v1/chat/completions", "application/json",
		strings.NewReader(body+`,"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	bad := []string{`{`, hello + `,"n":0}`, hello + `,"logit_bias":{"x":1}}`, "{\"messages\":\"\xff\"}",
		strings.Replace(hello, "Hello", strings.Repeat("x", 200), 1) + "}", hello + `,"stop":""}`}
	got := ""
	for lines, i := bufio.NewScanner(r.Body), 0; lines.Scan(); i++ {
		line, ok := strings.CutPrefix(lines.Text(), "data: {")
		if !ok {
			continue
		}
		if part := parse(t, "{"+line); len(part.Choices) == 1 {
			got += part.Choices[0].Delta.Content
		}
		if status, answer := post(t, server, "/v1/chat/completions", bad[i%len(bad)]); status != http.StatusBadRequest {
			t.Errorf("%.80s: %d %s", bad[i%len(bad)], status, answer)
		}
	}
	if got != want || want == "" {
		t.Errorf("the answer beside bad requests is %q, by itself %q", got, want)
	}
}

func TestEmbeddings(t *testing.T) {
	m := open(t, true, Config{Name: "encoder"})
	server := httptest.NewServer(Handler(Limits{}, m))
	defer server.Close()
	texts := []string{"Hello", "a longer text than that of one piece"}
	input, _ := json.Marshal(texts)
	body := `{"model":"encoder","input":` + string(input)
	status, answer := post(t, server, "/v1/embeddings", body+"}")
	floats := parse(t, answer)
	_, answer64 := post(t, server, "/v1/embeddings", body+`,"encoding_format":"base64"}`)
	encoded := parse(t, answer64)
	if status != http.StatusOK || len(floats.Data) != 2 || len(encoded.Data) != 2 {
		t.Fatalf("%d %s %s", status, answer, answer64)
	}
	for i, text := range texts {
		var got []float32
		var in64 []byte
		if json.Unmarshal(floats.Data[i].Embedding, &got) != nil ||
			json.Unmarshal(encoded.Data[i].Embedding, &in64) != nil {
			t.Fatalf("%s %s", answer, answer64)
		}
		want := mean(t, m, text)
		same := len(got) == len(want) && len(in64) == 4*len(want)
		for j := range want {
			same = same && math.Abs(float64(got[j])-want[j]) < 1e-5 &&
				math.Float32frombits(binary.LittleEndian.Uint32(in64[4*j:])) == got[j]
		}
		if !same {
			t.Errorf("%q: %v, %s, want %v", text, got, base64.StdEncoding.EncodeToString(in64), want)
		}
	}
	for _, input := range []string{`"` + strings.Repeat("x", 100) + `"`, `[]`, `[[300]]`,
		`[` + strings.Repeat(`"",`, mostTexts) + `""]`} {
		status, answer = post(t, server, "/v1/embeddings", `{"input":`+input+`}`)
		if r := parse(t, answer); status != http.StatusBadRequest || r.Error == nil || r.Error.Param != "input" {
			t.Errorf("%.40s: %d %s", input, status, answer)
		}
	}
	if status, answer = post(t, server, "/v1/completions", `{"prompt":"x"}`); status != http.StatusBadRequest {
		t.Errorf("a completion of an encoder: %d %s", status, answer)
	}
}

// mean is the mean of the last hidden states of a text, of length 1, without padding.
func mean(t *testing.T, m *Model, text string) []float64 {
	t.Helper()
	prompt, err := m.text.Prompt(text)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]int32, len(prompt))
	for i, id := range prompt {
		ids[i] = int32(id)
	}
	out, err := m.text.Network.Forward(transformers.Inputs{InputIDs: nx.FromSlice(ids, nx.Shape{1, len(ids)})})
	if err != nil {
		t.Fatal(err)
	}
	states, width := nx.Data[float32](out.LastHiddenState), out.LastHiddenState.Shape()[2]
	sum, square := make([]float64, width), 0.0
	for i, x := range states {
		sum[i%width] += float64(x)
	}
	for _, x := range sum {
		square += x * x
	}
	for i := range sum {
		sum[i] /= math.Sqrt(square)
	}
	return sum
}

func TestModels(t *testing.T) {
	server := httptest.NewServer(Handler(Limits{}, open(t, false, Config{Name: "org/tiny"}),
		open(t, true, Config{Name: "b"})))
	defer server.Close()
	for path, want := range map[string]string{"/v1/models": `"id":"org/tiny"`, "/v1/models/org/tiny": `"id":"org/tiny"`,
		"/v1/models/none": "model_not_found"} {
		r, err := server.Client().Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		var data bytes.Buffer
		_, _ = data.ReadFrom(r.Body)
		r.Body.Close()
		if !strings.Contains(data.String(), want) {
			t.Errorf("%s: %s, want %s", path, data.String(), want)
		}
	}
}

// TestGGUF: a file of llama.cpp answers conversations, and has its name.
func TestGGUF(t *testing.T) {
	m, err := Open(filepath.Join("..", "..", "encoding", "gguf", "testdata", "qwen2.gguf"), Config{Slots: 1})
	if err != nil {
		t.Fatal(err)
	}
	if m.Name() != "qwen2" {
		t.Errorf("the name is %q", m.Name())
	}
	server := httptest.NewServer(Handler(Limits{}, m))
	defer server.Close()
	r, err := server.Client().Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(
		`{"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 3, "temperature": 0}`))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK || !strings.Contains(string(body), `"prompt_tokens"`) {
		t.Errorf("%d %s %v", r.StatusCode, body, err)
	}
}

func TestPooling(t *testing.T) {
	for content, want := range map[string]string{`{"pooling_mode_cls_token":true}`: "",
		`{"pooling_mode_mean_tokens":true}`: "", `{"pooling_mode_max_tokens":true}`: "pooling_mode", `{`: "JSON"} {
		dir := t.TempDir()
		if err := tinymodel.WriteEncoder(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, "1_Pooling"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "1_Pooling", "config.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(dir, Config{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", content, err, want)
		}
	}
}
