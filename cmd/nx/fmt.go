package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/internal/atomicfile"
	"github.com/go-nx/nx/stablehlo"
)

// formatter is the state of one nx fmt.
type formatter struct {
	*streams
	write        bool
	generic      bool
	dropComments bool
}

func newFmt(s *streams) *cobra.Command {
	f := &formatter{streams: s}
	pretty := false
	cmd := &cobra.Command{
		Use:   "fmt [flags] FILE…",
		Short: "Print programs in canonical form",
		Long: `Fmt reads programs, verifies them and prints them in canonical form, by default
the pretty one. Parts separated by "// -----" are kept apart. "-" reads standard
input. With -w the files are rewritten in place, each completely or not at all.

Comments at the head of a file or part are kept; those inside are not. So -w
leaves a file with comments inside as it is and says so, unless --drop-comments
is given.`,
		Example: examples(
			"nx fmt model.mlir",
			"nx fmt --generic model.mlir > generic.mlir",
			"nx fmt -w *.mlir",
			"python export.py | nx fmt -"),
		Args:              wantArgs(1, -1, `files, or "-"`),
		ValidArgsFunction: mlirFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := exclude(cmd, "generic", "pretty"); err != nil {
				return err
			}
			return f.run(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.write, "write", "w", false, "rewrite the files in place")
	flags.BoolVar(&f.generic, "generic", false, `print the generic form: "stablehlo.add"(%0, %1) : …`)
	flags.BoolVar(&pretty, "pretty", false, "print the pretty form (the default)")
	flags.BoolVar(&f.dropComments, "drop-comments", false, "let -w rewrite files whose comments get lost")
	return cmd
}

// run formats all files, those after one that cannot be read too.
func (f *formatter) run(ctx context.Context, args []string) error {
	var errs []error
	for _, path := range args {
		if err := f.file(ctx, path); err != nil {
			errs = append(errs, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return errors.Join(errs...)
}

func (f *formatter) file(ctx context.Context, path string) error {
	text, err := f.readText(ctx, path)
	if err != nil {
		return err
	}
	p, err := readCommented(path, text)
	if err != nil {
		return err
	}
	if !f.write || path == "-" {
		return written(p.print(f.out, f.generic))
	}
	if p.lost > 0 && !f.dropComments {
		return fmt.Errorf("%s: not rewritten: %d comments inside it would be lost: add --drop-comments to lose them", path, p.lost)
	}
	if same := (&difference{want: text}); p.print(same, f.generic) == nil && len(same.want) == 0 {
		return nil
	}
	return cannot("write", path, atomicfile.Write(path, func(w io.Writer) error { return p.print(w, f.generic) }))
}

// commented is a file of programs with the comments at their heads.
type commented struct {
	modules []*stablehlo.Module
	heads   [][][]byte
	lost    int // the comments elsewhere
}

func readCommented(path string, text []byte) (*commented, error) {
	p := &commented{}
	for _, part := range stablehlo.Split(path, text) {
		m, err := stablehlo.ParseSource(part)
		if err == nil {
			err = m.Verify()
		}
		if err != nil {
			return nil, err
		}
		head, inside := comments(part.Text)
		p.modules, p.heads = append(p.modules, m), append(p.heads, head)
		p.lost += inside
	}
	return p, nil
}

// print writes the canonical form.
func (p *commented) print(w io.Writer, generic bool) error {
	for i, m := range p.modules {
		var before bytes.Buffer
		if i > 0 {
			before.WriteString("\n// -----\n\n")
		}
		for _, c := range p.heads[i] {
			before.Write(c)
			before.WriteByte('\n')
		}
		if _, err := w.Write(before.Bytes()); err != nil {
			return err
		}
		if err := stablehlo.Print(w, m, stablehlo.PrintOptions{Generic: generic}); err != nil {
			return err
		}
	}
	return nil
}

// difference is a writer that takes only the text it wants.
type difference struct {
	want []byte // what has not been written yet
}

var errDifferent = errors.New("another text is written")

func (d *difference) Write(b []byte) (int, error) {
	if !bytes.HasPrefix(d.want, b) {
		return 0, errDifferent
	}
	d.want = d.want[len(b):]
	return len(b), nil
}

// comments returns the comments before the first token of a program and the
// number of those after it.
func comments(text []byte) (head [][]byte, inside int) {
	started := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == '/' && i+1 < len(text) && text[i+1] == '/':
			end := len(text)
			if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
				end = i + n
			}
			if started {
				inside++
			} else {
				head = append(head, bytes.TrimRight(text[i:end], " \t\r"))
			}
			i = end
		case c == '"':
			started = true
			i = skipString(text, i)
		default:
			started = true
		}
	}
	return head, inside
}

// skipString returns the index of the quote that ends the string at i.
func skipString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
