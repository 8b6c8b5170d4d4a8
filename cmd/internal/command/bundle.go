package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/atomicfile"
	"github.com/go-nx/nx/internal/model"
	nxonnx "github.com/go-nx/nx/internal/onnx"
	"github.com/go-nx/nx/internal/payload"
	"github.com/go-nx/nx/serve"
)

// bundling is the state of one nx bundle.
type bundling struct {
	*serving
	output, base string
	noCode       bool
}

func newBundle(s *Streams) *cobra.Command {
	b := &bundling{serving: &serving{Streams: s}}
	cmd := &cobra.Command{
		Use:   "bundle [flags] MODEL… -o PROGRAM",
		Short: "Write a program that serves models when it starts",
		Long: `Bundle writes one executable that has the models, files of tokenizers that are beside them, and their
compiled code inside, and that serves them, as nx serve does, when it starts. It needs no other file, no folder
that can be written to, and no environment. A MODEL is what nx serve takes; of a folder with versions it is the
largest. The flags of nx serve that are given here are the defaults of the program, which has them, too.

The program is a copy of this one, or of --base: an nx that was built for another system or processor. It is
started once to compile, if it can run here; otherwise, and where the processor is of another kind, it compiles
when it starts, and says so. Its length and SHA-256 are checked before it listens: PROGRAM models lists what is
inside.`,
		Example: examples(
			"nx bundle model.onnx -o server && ./server --addr :8080",
			"nx bundle --batch 8 --size sequence=16,64,128 bert.onnx -o server",
			"GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go build -o nx-arm64 github.com/go-nx/nx/cmd/nx\n"+
				"  nx bundle --base nx-arm64 model.onnx -o server"),
		Args:              wantArgs(1, 1000, "at least one model"),
		ValidArgsFunction: mlirFiles,
	}
	f := cmd.Flags()
	f.StringVarP(&b.output, "output", "o", "", "the `file` of the program")
	f.StringVar(&b.base, "base", "", "the `program` nx of another target (this one)")
	f.BoolVar(&b.noCode, "no-code", false, "leave compiled code out: it is compiled when the program starts")
	b.ofModels(f)
	b.ofServer(f)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return b.run(cmd.Context(), f, args) }
	return cmd
}

func (b *bundling) run(ctx context.Context, f *pflag.FlagSet, paths []string) error {
	if b.output == "" {
		return errors.New("bundle: want the file of the program: -o server")
	}
	if err := b.mayWrite(); err != nil {
		return err
	}
	log := slog.New(slog.DiscardHandler)
	models, err := b.declare(paths, log) // checks the flags and the names
	if err != nil {
		return err
	}
	base, err := b.readBase()
	if err != nil {
		return err
	}
	m, files, err := b.collect(ctx, paths)
	if err != nil {
		return err
	}
	m.Flags = b.defaults(f)
	if !b.noCode {
		code, why, err := b.compile(ctx, base, m, files)
		switch {
		case err != nil:
			return err
		case why != "":
			if err := b.load(ctx, models, log); err != nil { // it must not fail there for the first time
				return err
			}
			fmt.Fprintf(b.err, "%s: no compiled code inside: %s\n", b.name, why)
		}
		files = append(files, code...)
		m.Code = len(code)
		for _, f := range code {
			m.CodeBytes += int64(len(f.Data))
		}
	}
	err = atomicfile.WriteExecutable(b.output, func(w io.Writer) error { return writeBundle(w, base, m, files) })
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	return b.summary(m)
}

// mayWrite refuses to replace a file that is not a bundle.
func (b *bundling) mayWrite() error {
	f, err := os.Open(b.output)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	defer f.Close()
	if _, err := payload.Open(f); errors.Is(err, payload.ErrNone) {
		return fmt.Errorf("bundle: %s is there, and is not a bundle: remove it, or give another name", b.output)
	}
	return nil
}

// readBase returns the program that the bundle is a copy of.
func (b *bundling) readBase() ([]byte, error) {
	name := b.base
	if name == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("bundle: reading this program: %w: name it with --base", err)
		}
		name = self
	}
	data, err := os.ReadFile(name)
	if err == nil {
		data, err = payload.Base(data)
	}
	if err != nil {
		return nil, fmt.Errorf("bundle: --base %s: %w", name, err)
	}
	if dynamic(data) {
		fmt.Fprintf(b.err, "%s: %s needs libraries of its system: build it with CGO_ENABLED=0 for containers without\n",
			b.name, name)
	}
	return data, nil
}

// defaults returns the flags that were given, as defaults of the program.
func (b *bundling) defaults(f *pflag.FlagSet) map[string][]string {
	out := map[string][]string{}
	f.Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "output", "base", "no-code", "name", "weights", "help":
			return
		case "bind":
			for name, value := range b.bound {
				out[flag.Name] = append(out[flag.Name], name+"="+value)
			}
			slices.Sort(out[flag.Name])
		case "size":
			out[flag.Name] = b.sizes
		default:
			out[flag.Name] = []string{flag.Value.String()}
		}
	})
	return out
}

// manifest describes a bundle: the file manifest.json of the payload.
type manifest struct {
	Format  int                 `json:"format"` // 1
	Version string              `json:"nx"`     // that made it
	Flags   map[string][]string `json:"flags,omitempty"`
	Models  []bundled           `json:"models"`
	// Code is the number of programs in the folder "code", CodeBytes their size.
	Code      int   `json:"code"`
	CodeBytes int64 `json:"codeBytes"`
}

// bundled is a model.
type bundled struct {
	Name    string        `json:"name"`
	Version string        `json:"version"`
	Path    string        `json:"path"`
	Weights []string      `json:"weights,omitempty"`
	Files   []bundledFile `json:"files"`
}

// bundledFile is a file of a model, whose name is that in the payload.
type bundledFile struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`

	from string
}

const manifestName = "manifest.json"

// collect lists the files of all models.
func (b *bundling) collect(ctx context.Context, paths []string) (*manifest, []payload.File, error) {
	m := &manifest{Format: 1, Version: currentVersion().Sources()}
	seen := map[string]bool{}
	for i, source := range paths {
		s := serve.Source{Path: source}
		if i < len(b.names) {
			s.Name = b.names[i]
		}
		name, err := serve.NewRepository().Declare(s)
		if err == nil && seen[name] {
			err = fmt.Errorf("there are two models %q: give one of them another name with --name", name)
		}
		seen[name] = true
		var one bundled
		if err == nil {
			one, err = bundleModel(ctx, name, source, b.weights)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("bundle: %w", err)
		}
		m.Models = append(m.Models, one)
	}
	var list []payload.File
	for i := range m.Models {
		for k := range m.Models[i].Files {
			f := &m.Models[i].Files[k]
			if err := f.digest(); err != nil {
				return nil, nil, fmt.Errorf("bundle: %w", err)
			}
			open := func() (io.ReadCloser, error) { return os.Open(f.from) }
			list = append(list, payload.File{Name: f.Name, Open: open})
		}
	}
	return m, list, nil
}

// digest reads the file.
func (f *bundledFile) digest() error {
	in, err := os.Open(f.from)
	if err != nil {
		return err
	}
	defer in.Close()
	h := sha256.New()
	if f.Size, err = io.Copy(h, in); err != nil {
		return err
	}
	f.SHA256 = hex.EncodeToString(h.Sum(nil))
	return nil
}

// bundleModel lists the files of a model: its own, those that it names, those of weights, and those of a tokenizer.
func bundleModel(ctx context.Context, name, source string, weights []string) (bundled, error) {
	file, version, err := serve.Source{Path: source}.Newest()
	if err != nil {
		return bundled{}, err
	}
	root := path.Join("models", name)
	out := bundled{Name: name, Version: version, Path: root}
	add := func(to, from string) {
		if !slices.ContainsFunc(out.Files, func(f bundledFile) bool { return f.Name == to }) {
			out.Files = append(out.Files, bundledFile{Name: to, from: from})
		}
	}
	info, err := os.Stat(file)
	if err != nil {
		return bundled{}, err
	}
	versioned := filepath.Clean(file) != filepath.Clean(source)
	folder := filepath.Dir(file)
	switch {
	case info.IsDir(): // a bundle of torch_xla, for which Newest returns the path as it is
		if err := addFolder(root, file, add); err != nil {
			return bundled{}, err
		}
		folder = file
	case versioned:
		out.addBeside(root, source, add)
		root = path.Join(root, version)
	default:
		out.Path = path.Join(root, filepath.Base(file))
	}
	if !info.IsDir() {
		add(path.Join(root, filepath.Base(file)), file)
		external, err := externalFiles(file)
		if err != nil {
			return bundled{}, err
		}
		for _, e := range external {
			add(path.Join(root, e), filepath.Join(folder, filepath.FromSlash(e)))
		}
	}
	out.addBeside(root, folder, add)
	for i, w := range weights {
		to := path.Join("models", name, "weights", fmt.Sprint(i))
		list, err := weightFiles(ctx, w)
		if err != nil {
			return bundled{}, err
		}
		for _, f := range list {
			rel, err := filepath.Rel(filepath.Dir(w), f)
			if err != nil {
				return bundled{}, err
			}
			add(path.Join(to, filepath.ToSlash(rel)), f)
		}
		out.Weights = append(out.Weights, path.Join(to, filepath.Base(w)))
	}
	for _, f := range out.Files {
		if !fs.ValidPath(f.Name) || strings.ContainsAny(f.Name, "\\:\x00") {
			return bundled{}, fmt.Errorf("%s: the name cannot be that of a file in a bundle", f.from)
		}
	}
	return out, nil
}

// addFolder adds all files below a folder.
func addFolder(to, folder string, add func(to, from string)) error {
	return filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Stat(name) // follows links to files
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(folder, name)
		add(path.Join(to, filepath.ToSlash(rel)), name)
		return err
	})
}

// tokenizerFiles are the names of files that the libraries of Hugging Face and SentencePiece write beside a model.
var tokenizerFiles = []string{"tokenizer.json", "tokenizer_config.json", "tokenizer.model", "spiece.model",
	"sentencepiece.bpe.model", "special_tokens_map.json", "added_tokens.json", "vocab.json", "vocab.txt", "merges.txt",
	"chat_template.jinja", "config.json", "generation_config.json", "preprocessor_config.json", "labels.txt"}

// addBeside adds the files of a tokenizer in a folder.
func (b *bundled) addBeside(to, folder string, add func(to, from string)) {
	for _, name := range tokenizerFiles {
		from := filepath.Join(folder, name)
		if info, err := os.Stat(from); err == nil && info.Mode().IsRegular() {
			add(path.Join(to, name), from)
		}
	}
}

// externalFiles lists the files that a model of ONNX names.
func externalFiles(file string) ([]string, error) {
	if !nxonnx.IsFile(file) {
		return nil, nil
	}
	f, err := onnx.Open(file)
	if err != nil {
		return nil, err
	}
	list, err := f.Model.ExternalPaths()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return list, nil
}

// weightFiles lists a file of weights, and those that it names if it is an index.
func weightFiles(ctx context.Context, file string) ([]string, error) {
	arrays, done, err := model.OpenArrays(ctx, file)
	if err != nil {
		return nil, err
	}
	defer done()
	list := []string{file}
	for _, a := range arrays {
		if !slices.Contains(list, a.File) {
			list = append(list, a.File)
		}
	}
	return list, nil
}

// compile starts the bundle without code, which compiles the models and writes their code to a folder. Why says why
// there is none.
func (b *bundling) compile(ctx context.Context, base []byte, m *manifest, list []payload.File) (code []payload.File,
	why string, err error) {
	work, err := os.MkdirTemp(filepath.Dir(b.output), ".bundle-*")
	if err != nil {
		return nil, "", fmt.Errorf("bundle: %w", err)
	}
	defer os.RemoveAll(work)
	if work, err = filepath.Abs(work); err != nil {
		return nil, "", fmt.Errorf("bundle: %w", err)
	}
	program, folder := filepath.Join(work, "program"), filepath.Join(work, "code")
	if filepath.Ext(b.output) == ".exe" {
		program += ".exe"
	}
	err = atomicfile.WriteExecutable(program, func(w io.Writer) error { return writeBundle(w, base, m, list) })
	if err != nil {
		return nil, "", fmt.Errorf("bundle: %w", err)
	}
	c := exec.CommandContext(ctx, program, "compile", folder)
	var messages strings.Builder
	c.Stderr = &messages
	if err := c.Start(); err != nil {
		return nil, fmt.Sprintf("the program does not run here (%v)", reasonOf(err)), nil
	}
	if err := c.Wait(); err != nil {
		text := strings.TrimSpace(messages.String())
		if text == "" {
			text = err.Error()
		}
		return nil, "", fmt.Errorf("bundle: compiling: %s", strings.TrimPrefix(text, "program: "))
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, "", fmt.Errorf("bundle: %w", err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, "", fmt.Errorf("bundle: %w", err)
		}
		code = append(code, payload.Bytes("code/"+e.Name(), data))
	}
	if len(code) == 0 {
		why = "sizes that vary are known with a request: --size name=16,64,128 rounds them up"
	}
	return code, why, nil
}

// reasonOf is the innermost error.
func reasonOf(err error) error {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err
}

// writeBundle writes the program.
func writeBundle(w io.Writer, base []byte, m *manifest, files []payload.File) error {
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return payload.Write(w, base, append([]payload.File{payload.Bytes(manifestName, append(text, '\n'))}, files...))
}

// summary prints what the program has inside.
func (b *bundling) summary(m *manifest) error {
	info, err := os.Stat(b.output)
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	var total int64
	for _, one := range m.Models {
		for _, f := range one.Files {
			total += f.Size
		}
	}
	_, err = fmt.Fprintf(b.out, "%s: %s, with %s of %s and %s of compiled code\n", b.output,
		binaryBytes(float64(info.Size())), plural(len(m.Models), "model"), binaryBytes(float64(total)),
		binaryBytes(float64(m.CodeBytes)))
	return written(err)
}

// dynamic reports whether a program is one of ELF that names an interpreter, which loads libraries.
func dynamic(program []byte) bool {
	const interp, header64 = 3, 64
	if len(program) < header64 || string(program[:6]) != "\x7fELF\x02\x01" {
		return false
	}
	u := func(at, n int) (v uint64) {
		for i := n - 1; i >= 0; i-- {
			v = v<<8 | uint64(program[at+i])
		}
		return v
	}
	at, size, count := u(32, 8), u(54, 2), u(56, 2)
	for range count {
		if at > uint64(len(program)-4) {
			return false
		}
		if u(int(at), 4) == interp {
			return true
		}
		at += size
	}
	return false
}
