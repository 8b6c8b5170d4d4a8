// Package svg draws lines, points and bands over axes, as the lessons need them.
package svg

import (
	"fmt"
	"math"
	"os"
	"strings"
)

const (
	width, height = 640.0, 420.0
	margin        = 40.0
)

// Plot is a picture with axes that fit all that is drawn.
type Plot struct {
	title      string
	xlo, xhi   float64
	ylo, yhi   float64
	shapes     []func(b *strings.Builder)
	legend     []string
	legendInks []string
}

// New returns an empty picture.
func New(title string) *Plot {
	return &Plot{title: title, xlo: math.Inf(1), xhi: math.Inf(-1), ylo: math.Inf(1), yhi: math.Inf(-1)}
}

// fit extends the ranges to include points.
func (p *Plot) fit(xs, ys []float64) {
	for i := range xs {
		p.xlo, p.xhi = min(p.xlo, xs[i]), max(p.xhi, xs[i])
		p.ylo, p.yhi = min(p.ylo, ys[i]), max(p.yhi, ys[i])
	}
}

func (p *Plot) at(x, y float64) (float64, float64) {
	return margin + (x-p.xlo)/(p.xhi-p.xlo)*(width-2*margin),
		height - margin - (y-p.ylo)/(p.yhi-p.ylo)*(height-2*margin)
}

func (p *Plot) path(xs, ys []float64) string {
	var b strings.Builder
	for i := range xs {
		x, y := p.at(xs[i], ys[i])
		fmt.Fprintf(&b, "%.1f,%.1f ", x, y)
	}
	return b.String()
}

// Line draws a line through points.
func (p *Plot) Line(name, ink string, xs, ys []float64) {
	p.fit(xs, ys)
	p.name(name, ink)
	p.shapes = append(p.shapes, func(b *strings.Builder) {
		fmt.Fprintf(b, "<polyline points=%q fill=\"none\" stroke=%q stroke-width=\"2\"/>\n", p.path(xs, ys), ink)
	})
}

// Points draws a disc for each point.
func (p *Plot) Points(name, ink string, radius float64, xs, ys []float64) {
	p.fit(xs, ys)
	p.name(name, ink)
	p.shapes = append(p.shapes, func(b *strings.Builder) {
		for i := range xs {
			x, y := p.at(xs[i], ys[i])
			fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" fill=%q/>\n", x, y, radius, ink)
		}
	})
}

// Rings draws a circle around each point.
func (p *Plot) Rings(name, ink string, xs, ys []float64) {
	p.fit(xs, ys)
	p.name(name, ink)
	p.shapes = append(p.shapes, func(b *strings.Builder) {
		for i := range xs {
			x, y := p.at(xs[i], ys[i])
			fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill=\"none\" stroke=%q stroke-width=\"2\"/>\n", x, y, ink)
		}
	})
}

// Band fills the area between two lines over xs.
func (p *Plot) Band(name, ink string, xs, low, high []float64) {
	p.fit(xs, low)
	p.fit(xs, high)
	p.name(name, ink)
	p.shapes = append(p.shapes, func(b *strings.Builder) {
		back, top := make([]float64, len(xs)), make([]float64, len(xs))
		for i := range xs {
			back[i], top[i] = xs[len(xs)-1-i], high[len(xs)-1-i]
		}
		fmt.Fprintf(b, "<polygon points=%q fill=%q/>\n", p.path(xs, low)+p.path(back, top), ink)
	})
}

func (p *Plot) name(name, ink string) {
	p.legend, p.legendInks = append(p.legend, name), append(p.legendInks, ink)
}

// WriteFile writes the picture.
func (p *Plot) WriteFile(path string) error {
	var b strings.Builder
	fmt.Fprintf(&b,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" font-family=\"sans-serif\" font-size=\"12\">\n"+
			"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%g\" y=\"20\" font-size=\"15\">%s</text>\n",
		width, height, margin, p.title)
	for _, draw := range p.shapes {
		draw(&b)
	}
	fmt.Fprintf(&b, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#888\"/>\n", margin, margin,
		width-2*margin, height-2*margin)
	for _, x := range []float64{p.xlo, p.xhi} {
		px, _ := p.at(x, p.ylo)
		fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%.3g</text>\n", px, height-margin+16, x)
	}
	for _, y := range []float64{p.ylo, p.yhi} {
		_, py := p.at(p.xlo, y)
		fmt.Fprintf(&b, "<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n", margin-4, py+4, y)
	}
	for i, name := range p.legend {
		y := margin + 16 + 16*float64(i)
		fmt.Fprintf(&b, "<rect x=\"%g\" y=\"%g\" width=\"10\" height=\"10\" fill=%q/><text x=\"%g\" y=\"%g\">%s</text>\n",
			margin+8, y-9, p.legendInks[i], margin+24, y, name)
	}
	b.WriteString("</svg>\n")
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
