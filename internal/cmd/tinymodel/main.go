// Command tinymodel writes folders of small models of text: DIR/decoder and DIR/encoder with random weights, and
// DIR/greeter, which greets whatever one says. They are for tests of programs that serve such models.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/go-nx/nx/internal/tinymodel"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: tinymodel DIR")
	}
	for name, write := range map[string]func(dir string) error{
		"decoder": func(dir string) error { return tinymodel.WriteText(dir, true) },
		"encoder": tinymodel.WriteEncoder,
		"greeter": tinymodel.WriteGreeter,
	} {
		dir := filepath.Join(os.Args[1], name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			log.Fatal(err)
		}
		if err := write(dir); err != nil {
			log.Fatal(err)
		}
	}
}
