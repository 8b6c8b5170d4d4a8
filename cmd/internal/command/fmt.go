package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/internal/atomicfile"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/internal/onnx"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// formatter is the state of one nx fmt.
type formatter struct {
	*Streams
	write        bool
	generic      bool
	dropComments bool
	noLocations  bool
	lowering
	portable string // a version of StableHLO, "" for text
	out      string // a file, "" for standard output
}

func newFmt(s *Streams) *cobra.Command {
	f := &formatter{Streams: s}
	pretty := false
	cmd := &cobra.Command{
		Use:   "fmt [flags] FILE…",
		Short: "Print programs in canonical form",
		Long: `Fmt reads programs, verifies them and prints them in canonical form, by default
the pretty one. Parts separated by "// -----" stay separate. "-" reads standard
input. With -w the files are rewritten in place, each completely or not at all.

Comments at the head of a file or part are kept; those inside are not. So -w
does not rewrite a file with comments inside and reports it, unless --drop-comments
is set.

Programs that are not text (models of ONNX, portable artifacts, exports of JAX,
bundles of torch_xla) are printed as text, a model of ONNX for the sizes of its
inputs, with the names of its nodes as locations. With --portable a program is written as a portable
artifact instead, which StableHLO of that version and all later ones can read.`,
		Example: examples(
			"nx fmt model.mlir",
			"nx fmt --generic model.mlir > generic.mlir",
			"nx fmt -w *.mlir",
			"nx fmt --no-locations model.bc",
			"nx fmt --portable 1.9.0 -o model.bc model.mlir",
			"python export.py | nx fmt -"),
		Args:              wantArgs(1, -1, `files, or "-"`),
		ValidArgsFunction: mlirFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := exclude(cmd, "generic", "pretty"); err != nil {
				return err
			}
			for _, other := range []string{"generic", "pretty", "write", "drop-comments"} {
				if err := exclude(cmd, "portable", other); err != nil {
					return err
				}
			}
			if err := exclude(cmd, "write", "out"); err != nil {
				return err
			}
			if (f.portable != "" || f.out != "") && len(args) != 1 {
				return fmt.Errorf("fmt: --portable and --out take one file, got %d", len(args))
			}
			return f.run(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.write, "write", "w", false, "rewrite the files in place")
	flags.BoolVar(&f.generic, "generic", false, `print the generic form: "stablehlo.add"(%0, %1) : …`)
	flags.BoolVar(&pretty, "pretty", false, "print the pretty form (the default)")
	flags.BoolVar(&f.noLocations, "no-locations", false, "omit the locations of ops: loc(…)")
	flags.StringVar(&f.portable, "portable", "", "write a portable artifact for this `version` of StableHLO: 1.9.0")
	flags.StringVarP(&f.out, "out", "o", "", "write to this `file` instead of standard output")
	flags.BoolVar(&f.dropComments, "drop-comments", false, "allow -w to rewrite files whose comments are dropped")
	addSizeFlag(cmd, &f.lowering)
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
	if f.portable != "" {
		return f.writePortable(ctx, path)
	}
	p, text, err := f.read(ctx, path)
	if err != nil {
		return err
	}
	opts := stablehlo.PrintOptions{Generic: f.generic, Locations: !f.noLocations}
	switch {
	case f.out != "":
		return fileError("write", f.out, atomicfile.Write(f.out, func(w io.Writer) error { return p.print(w, opts) }))
	case !f.write || path == "-":
		return written(p.print(f.Streams.out, opts))
	case text == nil:
		return fmt.Errorf("%s: not rewritten: the file must be text: print it, or write it with --portable", path)
	}
	if p.dropped > 0 && !f.dropComments {
		return fmt.Errorf("%s: not rewritten: %d comments inside it would be dropped: add --drop-comments to allow that",
			path, p.dropped)
	}
	if same := (&difference{want: text}); p.print(same, opts) == nil && len(same.want) == 0 {
		return nil
	}
	return fileError("write", path, atomicfile.Write(path, func(w io.Writer) error { return p.print(w, opts) }))
}

// read reads a file; its text is nil if the file is not text.
func (f *formatter) read(ctx context.Context, path string) (p *commented, text []byte, err error) {
	if onnx.IsFile(path) {
		p, err := f.readModel(ctx, path, f.lowering)
		if err != nil {
			return nil, nil, err
		}
		return &commented{modules: []*stablehlo.Module{p.Module}, heads: [][][]byte{nil}}, nil, nil
	}
	if !model.IsFolder(path) {
		if text, err = f.readText(ctx, path); err != nil {
			return nil, nil, err
		}
		if !model.Binary(text) {
			p, err = readCommented(ctx, path, text)
			return p, text, err
		}
	}
	m, err := f.readProgram(ctx, path, text)
	if err != nil {
		return nil, nil, err
	}
	return &commented{modules: []*stablehlo.Module{m}, heads: [][][]byte{nil}}, nil, nil
}

// readProgram reads and verifies a program of any form.
func (f *formatter) readProgram(ctx context.Context, path string, data []byte) (*stablehlo.Module, error) {
	var p *model.Program
	var err error
	if data == nil {
		p, err = model.Open(ctx, path)
	} else {
		p, err = model.Read(ctx, path, data)
	}
	if err != nil {
		return nil, err
	}
	return p.Module, verified(ctx, path, p.Module)
}

// writePortable writes a program as a portable artifact.
func (f *formatter) writePortable(ctx context.Context, path string) error {
	version, err := portable.ParseVersion(f.portable)
	if err != nil {
		return fmt.Errorf("fmt: --portable: %w", err)
	}
	m, err := f.readModule(ctx, path, f.lowering)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error {
		return portable.Write(w, m, portable.WriteOptions{Version: version, NoLocations: f.noLocations})
	}
	if f.out == "" {
		err = write(f.Streams.out)
	} else {
		err = atomicfile.Write(f.out, write)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// commented is a file of programs with the comments at their heads.
type commented struct {
	modules []*stablehlo.Module
	heads   [][][]byte
	dropped int // the comments elsewhere
}

func readCommented(ctx context.Context, path string, text []byte) (*commented, error) {
	p := &commented{}
	for _, part := range stablehlo.Split(path, text) {
		m, err := stablehlo.ParseSourceContext(ctx, part)
		if err == nil {
			err = m.VerifyContext(ctx)
		}
		if err != nil {
			return nil, err
		}
		head, inside := comments(part.Text)
		p.modules, p.heads = append(p.modules, m), append(p.heads, head)
		p.dropped += inside
	}
	return p, nil
}

// print writes the canonical form.
func (p *commented) print(w io.Writer, opts stablehlo.PrintOptions) error {
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
		if err := stablehlo.Print(w, m, opts); err != nil {
			return err
		}
	}
	return nil
}

// difference is a writer that takes only the text it wants.
type difference struct {
	want []byte // the remaining text
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
