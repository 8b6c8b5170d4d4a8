package grpc_test

import (
	"os"
	"strings"
	"testing"
)

// docs/serving.md shows parts of the example.
func TestGuide(t *testing.T) {
	page, err := os.ReadFile("../../docs/serving.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, ok := strings.Cut(string(source), "\t// server\n")
	code, _, ok2 := strings.Cut(code, "\t// end\n")
	server, client, ok3 := strings.Cut(code, "\t// client\n")
	if !ok || !ok2 || !ok3 {
		t.Fatal("the example has no marks")
	}
	for _, part := range []string{server, client} {
		want := "```go\n" + strings.ReplaceAll(strings.TrimPrefix(part, "\t"), "\n\t", "\n") + "```\n"
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/serving.md does not have\n%s", want)
		}
	}
}
