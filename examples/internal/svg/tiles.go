package svg

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
)

// Tile is a square picture of grey values, from 0 for white to 1 for black, row by row.
type Tile struct {
	Caption string
	Pixels  []float32
	Side    int
}

// WriteTiles writes a file with tiles in rows of a number of columns.
func WriteTiles(path, title string, columns int, tiles []Tile) error {
	const size, gap, top = 72, 12, 34
	step := size + gap + 12 // with a caption
	rows := (len(tiles) + columns - 1) / columns
	var b strings.Builder
	fmt.Fprintf(&b,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n"+
			"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"20\" font-size=\"15\">%s</text>\n",
		columns*(size+gap)+gap, top+rows*step+gap, gap, title)
	for i, t := range tiles {
		img := image.NewGray(image.Rect(0, 0, t.Side, t.Side))
		for j, v := range t.Pixels {
			img.SetGray(j%t.Side, j/t.Side, color.Gray{Y: uint8(255 * (1 - min(1, max(0, v))))})
		}
		var data bytes.Buffer
		if err := png.Encode(&data, img); err != nil {
			return err
		}
		x, y := gap+i%columns*(size+gap), top+i/columns*step
		fmt.Fprintf(&b, "<image x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" style=\"image-rendering:pixelated\" "+
			"href=\"data:image/png;base64,%s\"/>\n<text x=\"%d\" y=\"%d\">%s</text>\n", x, y, size, size,
			base64.StdEncoding.EncodeToString(data.Bytes()), x, y+size+12, t.Caption)
	}
	b.WriteString("</svg>\n")
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
