package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cmd/internal/command"
	"github.com/go-nx/nx/internal/wheels"
	"github.com/go-nx/nx/xla"
)

// bundles are a plugin and the libraries that it needs, of versions that were made for each other.
var bundles = map[string][]wheels.Package{
	"cuda13": wheels.List(`jax-cuda13-pjrt==0.10.2 nvidia-cublas==13.10.0.20 nvidia-cuda-cupti==13.5.25
		nvidia-cuda-nvcc==13.5.37 nvidia-cuda-nvrtc==13.5.37 nvidia-cuda-runtime==13.5.37 nvidia-cudnn-cu13==9.28.1.4
		nvidia-cufft==12.5.0.14 nvidia-cusolver==12.4.1.2 nvidia-cusparse==12.9.4.2 nvidia-nccl-cu13==2.32.3
		nvidia-nvjitlink==13.5.37 nvidia-nvshmem-cu13==3.8.0 nvidia-nvvm==13.5.37`),
	"cuda12": wheels.List(`jax-cuda12-pjrt==0.10.2 nvidia-cublas-cu12==12.9.3.13 nvidia-cuda-cupti-cu12==12.9.79
		nvidia-cuda-nvcc-cu12==12.9.86 nvidia-cuda-nvrtc-cu12==12.9.86 nvidia-cuda-runtime-cu12==12.9.79
		nvidia-cudnn-cu12==9.28.0.42 nvidia-cufft-cu12==11.4.1.4 nvidia-cusolver-cu12==11.7.5.82
		nvidia-cusparse-cu12==12.5.10.65 nvidia-nccl-cu12==2.32.3 nvidia-nvjitlink-cu12==12.9.86
		nvidia-nvshmem-cu12==3.8.0`),
	"rocm7": wheels.List("jax-rocm7-pjrt==0.12.0"),
	"tpu":   wheels.List("libtpu==0.0.52"),
}

// licences are the licences of a bundle that the user accepts.
var licences = map[string]string{
	"tpu":    "libtpu comes with the terms of Google Cloud",
	"cuda13": "the libraries of NVIDIA come with its terms", "cuda12": "the libraries of NVIDIA come with its terms",
}

func newInstall() *cobra.Command {
	var to, index string
	known := strings.Join(slices.Sorted(maps.Keys(bundles)), "|")
	cmd := &cobra.Command{
		Use:   "install " + known,
		Short: "Install a plugin, with the libraries that it needs",
		Long: `Install downloads the Python packages of a plugin and its libraries, and unpacks them
where clients find them; Python itself is not needed. The package index is that of pip's
configuration, or --index-url; without one, pip downloads.

The SHA-256 of each package is checked against the index before use, and recorded in
installed.json. An interrupted download is resumed the next time, and the folder is
replaced atomically: it never holds a part of a bundle. When another process installs
into the same folder, this one waits for it.`,
		Example:   "  nx-xla install cuda13\n  nx-xla install tpu --to /opt/libtpu",
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: slices.Sorted(maps.Keys(bundles)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" {
				dir, err := xla.PluginsFolder()
				if err != nil {
					return command.Failure(fmt.Errorf("%w: name a folder by --to", err))
				}
				to = filepath.Join(dir, args[0])
			}
			if index == "" {
				index = wheels.ConfiguredIndex()
			}
			out := cmd.OutOrStdout()
			if text := licences[args[0]]; text != "" {
				fmt.Fprintln(out, "note:", text)
			}
			progress := func(what string) { fmt.Fprintln(out, what) }
			if err := wheels.Install(cmd.Context(), bundles[args[0]], index, to, progress); err != nil {
				return command.Failure(err)
			}
			fmt.Fprintln(out, "installed into", to)
			return nil
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "the folder (default: where clients search)")
	cmd.Flags().StringVar(&index, "index-url", "", "the index of packages (default: pip's)")
	return cmd
}
