package onnx

// imageRows are ops of images: ops_resize.go has those on static grids,
// ops_grid.go and ops_roi.go those on grids and boxes that are computed.
func imageRows() []row {
	return []row{
		single("Resize", resize),
		single("Upsample", upsample),
		single("GridSample", gridSample),
		single("AffineGrid", affineGrid),
		single("RoiAlign", roiAlign),
		single("MaxRoiPool", maxRoiPool),
		single("Col2Im", columnsToImage),
	}
}
