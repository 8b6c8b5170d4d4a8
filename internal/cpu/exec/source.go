package exec

import (
	"context"
	"slices"

	"github.com/go-nx/nx/internal/cpu/program"
)

// Source is where memory of an argument comes from that may become unreadable, such as a mapped file. Check returns an
// error once it is.
type Source interface{ Check() error }

type sourcesKey struct{}

// WithSources returns a context in which runs check the source of an argument before each node that reads it; it is nil
// for memory that stays.
func WithSources(ctx context.Context, ofArguments []Source) context.Context {
	return context.WithValue(ctx, sourcesKey{}, ofArguments)
}

// setSources takes the sources of a run's arguments from its context.
func (in *instance) setSources(ctx context.Context) {
	in.sources = nil
	list, _ := ctx.Value(sourcesKey{}).([]Source)
	for i, s := range list {
		if s != nil {
			if in.sources == nil {
				in.sources = map[int]Source{}
			}
			in.sources[in.x.prog.Main.Args[i]] = s
		}
	}
}

// checkSources checks those of some arguments, each once.
func (in *instance) checkSources(arguments []int) error {
	var checked Source
	for _, a := range arguments {
		s := in.sources[a]
		if s == nil || s == checked {
			continue
		}
		if err := s.Check(); err != nil {
			return err
		}
		checked = s
	}
	return nil
}

// argumentsOf returns the arguments of the program that nodes read.
func (x *Executable) argumentsOf(nodes []program.Node) (out []int) {
	for _, n := range nodes {
		for _, b := range n.Reads() {
			root := x.layout.Root[b]
			if slices.Contains(x.prog.Main.Args, root) && !slices.Contains(out, root) {
				out = append(out, root)
			}
		}
	}
	return out
}
