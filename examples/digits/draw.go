package main

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// draw writes a picture: the loss of each epoch on the left, the misread test
// images on the right.
func draw(path string, losses []float64, test dataset, predicted []int32) error {
	curve, err := lossCurve(losses)
	if err != nil {
		return err
	}
	var wrong []int
	for i, p := range predicted {
		if p != test.labels[i] {
			wrong = append(wrong, i)
		}
	}
	const width, height = 24 * vg.Centimeter, 11 * vg.Centimeter
	img := vgimg.New(width, height)
	canvas := vgdraw.New(img)
	curve.Draw(vgdraw.Crop(canvas, 0, -width/2, 0, 0))
	right := vgdraw.Crop(canvas, width/2, 0, 0, 0)
	title := plot.New()
	title.Title.Text = fmt.Sprintf("%d of %d test images misread", len(wrong), test.len())
	title.HideAxes()
	title.Draw(right)
	drawImages(vgdraw.Crop(right, 0, 0, 0, -vg.Centimeter), wrong, test, predicted)

	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = vgimg.PngCanvas{Canvas: img}.WriteTo(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

func lossCurve(losses []float64) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "Training loss"
	p.X.Label.Text = "epoch"
	p.Y.Label.Text = "cross-entropy"
	p.Y.Scale = plot.LogScale{}
	p.Y.Tick.Marker = plot.LogTicks{Prec: -1}
	points := make(plotter.XYs, len(losses))
	for i, l := range losses {
		points[i] = plotter.XY{X: float64(i + 1), Y: math.Max(l, 1e-9)}
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return nil, err
	}
	line.Color = color.RGBA{R: 0x1f, G: 0x77, B: 0xb4, A: 0xff}
	line.Width = vg.Points(1.5)
	p.Add(plotter.NewGrid(), line)
	return p, nil
}

// drawImages draws up to 20 images in a grid, each with its label and its prediction.
func drawImages(c vgdraw.Canvas, indices []int, test dataset, predicted []int32) {
	const columns, rows = 5, 4
	tiles := vgdraw.Tiles{Cols: columns, Rows: rows, PadX: 6, PadY: 4, PadRight: 8, PadBottom: 8}
	for n, i := range indices[:min(len(indices), columns*rows)] {
		p := plot.New()
		p.Title.Text = fmt.Sprintf("%d read as %d", test.labels[i], predicted[i])
		p.Title.TextStyle.Font.Size = 8
		p.HideAxes()
		p.Add(plotter.NewImage(grey(test.image(i)), 0, 0, 8, 8))
		p.Draw(tiles.At(c, n%columns, n/columns))
	}
}

// grey returns an image of 8×8 grey values, dark on light.
func grey(values []float32) image.Image {
	const scale = 8 // crisp squares
	img := image.NewGray(image.Rect(0, 0, 8*scale, 8*scale))
	for y := range 8 * scale {
		for x := range 8 * scale {
			img.SetGray(x, y, color.Gray{Y: uint8(255 * (1 - values[y/scale*8+x/scale]))})
		}
	}
	return img
}
