package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/internal/translate"
)

// lower prints the graph of a definition as StableHLO.
func lower(ctx context.Context, args []string, out, errs io.Writer) int {
	fs := flag.NewFlagSet("defn lower", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	c := translate.Call{Settings: map[string]string{}, Match: matchNames, Key: model.Key, IsReal: isReal}
	fs.Func("args", "the `types` of tensors, \"t=f32[3][4] n=s32\", or without names in the order of the parameters",
		func(s string) error {
			for _, word := range strings.Fields(s) {
				a, err := parseArg(word)
				if err != nil {
					return err
				}
				c.Args = append(c.Args, a)
			}
			return nil
		})
	fs.Func("set", "a parameter that is not a tensor, or a field: `name=expression` of Go", func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return errors.New("want name=expression")
		}
		c.Settings[name] = value
		return nil
	})
	fs.BoolVar(&c.Grad, "grad", false, "the derivatives of the sum of all results instead of these")
	fs.Func("wrt", "differentiate with respect to these `tensors`: names with commas between them", func(s string) error {
		c.Wrt = append(c.Wrt, strings.Split(s, ",")...)
		return nil
	})
	usage := func() {
		fmt.Fprintln(errs, "usage: defn lower [flags] ./FOLDER.FUNC | PACKAGE.FUNC | ./FOLDER.TYPE.METHOD")
		fs.SetOutput(errs)
		fs.PrintDefaults()
	}
	fs.Usage = func() {}
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		usage()
		return 0
	case err != nil:
		fmt.Fprintln(errs, "defn:", err)
		return 2
	case fs.NArg() != 1:
		fmt.Fprintf(errs, "defn: lower: want one definition, got %d arguments: \"defn lower -h\" shows how\n", fs.NArg())
		return 2
	case len(c.Wrt) > 0 && !c.Grad:
		fmt.Fprintln(errs, "defn: --wrt is for --grad")
		return 2
	}
	dir, err := os.Getwd()
	if err == nil {
		var text string
		if text, err = graph(ctx, dir, fs.Arg(0), c, errs); err == nil {
			_, err = io.WriteString(out, text)
		}
	}
	if err != nil {
		fail(errs, err)
		return 1
	}
	return 0
}

// graph builds the graph of a definition: it runs the program of it.
func graph(ctx context.Context, dir, name string, c translate.Call, errs io.Writer) (text string, err error) {
	p, err := translate.ProgramOf(dir, name, c)
	if err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp("", "defn-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for i, file := range slices.Sorted(maps.Keys(p.Files)) {
		path := filepath.Join(temp, strconv.Itoa(i)+".go")
		if err := os.WriteFile(path, p.Files[file], 0o600); err != nil {
			return "", err
		}
		overlay.Replace[file] = path
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	overlaid, result := filepath.Join(temp, "overlay.json"), filepath.Join(temp, "result")
	if err := os.WriteFile(overlaid, list, 0o600); err != nil {
		return "", err
	}
	// The go command keeps what it links, so that another shape, or the same call again, does not link again.
	args := append([]string{"run", "-overlay", overlaid, p.Package, result}, p.Args...)
	run := exec.CommandContext(ctx, "go", args...)
	run.Dir = dir
	var said strings.Builder
	run.Stdout, run.Stderr = errs, &said
	failed := run.Run()
	answer, err := os.ReadFile(result)
	if err != nil && failed == nil {
		failed = err
	}
	if failed != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", errors.New(p.Message(said.String(), failed))
	}
	io.WriteString(errs, said.String())
	status, text, _ := strings.Cut(short(string(answer)), "\n")
	if status != "ok" {
		return "", errors.New(text)
	}
	return text, nil
}

// parseArg parses t=f32[3][4], t=f32[3,4], or a type only.
func parseArg(word string) (a translate.Arg, err error) {
	a.Type = word
	if i := strings.LastIndexByte(word, '='); i >= 0 {
		a.Name, a.Type = word[:i], word[i+1:]
	}
	a.Type = strings.ReplaceAll(a.Type, "][", ",")
	name, sizes, ok := strings.Cut(a.Type, "[")
	if _, err := dtype.Parse(name); err != nil {
		return a, fmt.Errorf("%q: want a type such as f32[3][4]: %w", word, err)
	}
	if !ok {
		return a, nil
	}
	sizes, ok = strings.CutSuffix(sizes, "]")
	for s := range strings.SplitSeq(sizes, ",") {
		if n, err := strconv.Atoi(s); ok && (err != nil || n < 0) && sizes != "" {
			ok = false
		}
	}
	if !ok {
		return a, fmt.Errorf("%q: want a type such as f32[3][4]", word)
	}
	return a, nil
}

func isReal(typ string) bool {
	name, _, _ := strings.Cut(typ, "[")
	d, err := dtype.Parse(name)
	return err == nil && d.IsFloat()
}

// matchNames finds the names of parameters as nx does for those of programs.
func matchNames(params, names []string) (at []int, unused []string) {
	list := make([]model.Param, len(params))
	for i, n := range params {
		list[i].Name = n
	}
	return model.Match(list, "arg", names)
}
