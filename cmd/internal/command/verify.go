package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-nx/nx/internal/expect"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/stablehlo"
)

// verifyFile reads and verifies the parts of a file. Those with expected-error
// comments must be rejected, the others accepted.
func (c *checker) verifyFile(ctx context.Context, path string) verdict {
	text, err := c.readText(ctx, path)
	if err != nil {
		return failure(path, err)
	}
	v := verdict{Path: path, Passed: true}
	if model.Binary(text) {
		p, err := model.Read(ctx, path, text)
		if err == nil {
			err = p.Module.VerifyContext(ctx)
		}
		if err != nil {
			return failure(path, err)
		}
		return v
	}
	for _, part := range stablehlo.Split(path, text) {
		expected := expect.Parse(string(part.Text))
		rejection := verifyPart(ctx, part)
		switch {
		case len(expected) == 0 && rejection != nil:
			return failure(path, rejection)
		case len(expected) == 0:
			continue
		case rejection == nil:
			return failure(path, fmt.Errorf("%s:%d: accepted, but it must be rejected: %s",
				path, expected[0].Line+part.Line0, expected[0].Text))
		}
		if v.Place == nil {
			v.Place = &rejections{}
		}
		v.Place.Rejected++
		if expect.Met(expected, errorLines(part, rejection)) {
			v.Place.AtLine++
		}
	}
	return v
}

func verifyPart(ctx context.Context, part *stablehlo.Source) error {
	m, err := stablehlo.ParseSourceContext(ctx, part)
	if err != nil {
		return err
	}
	return m.VerifyContext(ctx)
}

// errorLines returns the lines of the violations, counted in the part.
func errorLines(part *stablehlo.Source, err error) []int {
	var list *stablehlo.Error
	if !errors.As(err, &list) {
		return nil
	}
	var lines []int
	for _, d := range list.Diagnostics {
		if d.Pos > 0 {
			line, _ := part.LineCol(d.Pos)
			lines = append(lines, line-part.Line0)
		}
	}
	return lines
}
