module github.com/go-nx/nx

go 1.26.0

require (
	github.com/ebitengine/purego v0.11.3
	github.com/schollz/progressbar/v3 v3.17.1 // later ones link net/http
	github.com/spf13/cobra v1.10.2
	golang.org/x/image v0.30.0
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.47.0
	golang.org/x/tools v0.52.0
)

require github.com/spf13/pflag v1.0.9

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)

tool github.com/go-nx/nx/cmd/defn
