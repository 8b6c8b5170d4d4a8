package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/payload"
	"github.com/go-nx/nx/serve"
)

// orBundled is the command line of a bundle if the running program is one.
func (p Program) orBundled() (Program, error) {
	inside, err := payload.OfProcess()
	if inside == nil || err != nil {
		return p, err
	}
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	return Program{name, func(s *Streams) *cobra.Command { return newBundled(s, inside) }}, nil
}

// bundledServer is the state of a bundle that runs.
type bundledServer struct {
	*serving
	inside   *payload.Payload
	manifest manifest
}

// newBundled returns the command line of a bundle.
func newBundled(s *Streams, inside *payload.Payload) *cobra.Command {
	b := &bundledServer{serving: &serving{Streams: s}, inside: inside}
	cmd := &cobra.Command{
		Use:   s.name,
		Short: "Serve the models inside over HTTP by the Open Inference Protocol",
		Long: `This program serves the models inside over HTTP by the Open Inference Protocol (KServe v2), with the
extensions that Triton's clients use. nx bundle has made it.

It listens on this machine only, unless --addr says otherwise, and has no authentication: put a proxy in front.
On SIGTERM it is not ready any more, answers what it has, and ends with 0; a second one ends it at once.`,
		Example: examples(s.name+" --addr :8080", s.name+" models"),
		Args:    wantArgs(0, 0, "no arguments"),
	}
	b.ofServer(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := b.open(); err != nil {
			return err
		}
		// Flags that are given replace the values that others were given for the bundle.
		for _, name := range slices.Sorted(maps.Keys(b.manifest.Flags)) {
			f := cmd.Flags().Lookup(name)
			if f == nil {
				return Failure(fmt.Errorf("the bundle has the unknown flag --%s", name))
			}
			if f.Changed {
				continue
			}
			for _, value := range b.manifest.Flags[name] {
				if err := cmd.Flags().Set(name, value); err != nil {
					return Failure(err)
				}
			}
		}
		return b.start(cmd.Context())
	}
	models := &cobra.Command{
		Use:     "models",
		Short:   "List what is inside, with SHA-256",
		Long:    "Models checks the SHA-256 of what is inside, and lists the files of the models, with theirs.",
		Example: examples(s.name + " models"),
		Args:    wantArgs(0, 0, "no arguments"),
		RunE:    func(*cobra.Command, []string) error { return b.list() },
	}
	compile := &cobra.Command{
		Use:    "compile FOLDER",
		Short:  "Compile the models, and write their code to a folder",
		Hidden: true, // nx bundle runs it
		Args:   wantArgs(1, 1, "a folder"),
		RunE:   func(cmd *cobra.Command, args []string) error { return b.compile(cmd.Context(), args[0]) },
	}
	cmd.AddCommand(models, compile)
	cmd.CompletionOptions.DisableDefaultCmd = true
	return cmd
}

// open checks the payload, and reads what it has.
func (b *bundledServer) open() error {
	if err := b.inside.Verify(); err != nil {
		return Failure(fmt.Errorf("%w: make the bundle, or copy it, again", err))
	}
	text, err := fs.ReadFile(b.inside, manifestName)
	if err == nil {
		err = json.Unmarshal(text, &b.manifest)
	}
	if err == nil && b.manifest.Format != 1 {
		err = fmt.Errorf("%s has the format %d, want 1", manifestName, b.manifest.Format)
	}
	if err != nil {
		return Failure(fmt.Errorf("the bundle is damaged: %w", err))
	}
	for _, m := range b.manifest.Models {
		s := serve.Source{Name: m.Name, Path: m.Path, FS: b.inside}
		if len(m.Weights) > 0 {
			s.Load = append(s.Load, core.Weights(m.Weights...))
		}
		b.sources = append(b.sources, s)
	}
	return nil
}

func (b *bundledServer) start(ctx context.Context) error {
	if b.manifest.Code > 0 {
		code, err := fs.Sub(b.inside, "code")
		if err != nil {
			return Failure(err)
		}
		b.code = &compiledCode{FS: code, inside: b.manifest.Code}
	} else {
		b.code = &compiledCode{FS: noFiles{}}
	}
	return b.run(ctx, nil)
}

// compile loads the models, with the code in a folder.
func (b *bundledServer) compile(ctx context.Context, folder string) error {
	if err := b.open(); err != nil {
		return err
	}
	root := &cobra.Command{}
	b.ofServer(root.Flags())
	for name, values := range b.manifest.Flags {
		for _, value := range values {
			if err := root.Flags().Set(name, value); err != nil {
				return Failure(err)
			}
		}
	}
	b.cache = folder
	if err := os.Mkdir(folder, 0o700); err != nil {
		return Failure(err)
	}
	log := slog.New(slog.DiscardHandler)
	models, err := b.declare(nil, log)
	if err == nil {
		err = b.client(log)
	}
	if err == nil {
		err = b.load(ctx, models, log)
	}
	if err != nil {
		return Failure(err)
	}
	return nil
}

// list prints the models.
func (b *bundledServer) list() error {
	if err := b.open(); err != nil {
		return err
	}
	var t strings.Builder
	for _, m := range b.manifest.Models {
		fmt.Fprintf(&t, "%s, version %s\n", m.Name, m.Version)
		for _, f := range m.Files {
			fmt.Fprintf(&t, "  %s  %s, %s\n", f.SHA256, f.Name, binaryBytes(float64(f.Size)))
		}
	}
	fmt.Fprintf(&t, "compiled code of %s, %s\n", plural(b.manifest.Code, "program"),
		binaryBytes(float64(b.manifest.CodeBytes)))
	for _, name := range slices.Sorted(maps.Keys(b.manifest.Flags)) {
		fmt.Fprintf(&t, "--%s %s\n", name, strings.Join(b.manifest.Flags[name], " "))
	}
	fmt.Fprintf(&t, "all: %s, made by nx %s\n  %x\n", binaryBytes(float64(b.inside.Size())), b.manifest.Version,
		b.inside.Sum())
	_, err := fmt.Fprint(b.out, t.String())
	return written(err)
}

// compiledCode is a file system of compiled code, which counts what it does not have.
type compiledCode struct {
	fs.FS
	inside int // programs
	missed atomic.Int64
	once   atomic.Bool
}

// Open implements fs.FS.
func (c *compiledCode) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		c.missed.Add(1)
	}
	return f, err
}

// report says, once, what had to be compiled.
func (c *compiledCode) report(log *slog.Logger) {
	if c == nil || c.once.Swap(true) {
		return
	}
	n := c.missed.Load()
	switch {
	case n == 0:
		log.Info("nothing was compiled: the code inside is for this processor", "programs", c.inside)
	case c.inside == 0:
		log.Info("compiled, as there is no code inside for this", "programs", n, "tier", cpu.Default().Tier())
	default:
		log.Warn("compiled, as the code inside is for another processor or other sizes", "programs", n, "inside",
			c.inside, "tier", cpu.Default().Tier())
	}
}

// noFiles is an empty file system.
type noFiles struct{}

// Open implements fs.FS.
func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
