package xla

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
)

// ClientOptions configure a client.
type ClientOptions struct {
	// Platform is "cuda", "rocm", "tpu", "host", the name of another platform that the
	// environment returns a plugin for, or the path of a plugin. The client's own name if empty.
	Platform string `json:"platform"`
	// DefaultDeviceID is the device of programs that do not name one.
	DefaultDeviceID int `json:"default_device_id"`
	// Preallocate allocates most of the memory of the devices at once, which makes allocation faster, and
	// leaves no memory for other programs.
	Preallocate bool `json:"preallocate"`
	// MemoryFraction is how much of the memory of a GPU the client takes at most; the plugin's
	// own default if 0.
	MemoryFraction float64 `json:"memory_fraction"`
	// AutomaticTransfers allows programs to be called with tensors of other clients, such as package cpu: each
	// call copies them to the device, and frees the copies afterwards. Without it such a call is an error, as
	// implicit copies make programs slow.
	AutomaticTransfers bool `json:"automatic_transfers"`
	// CreateOptions are passed to the plugin unchanged, and override those that follow from the other fields:
	// strings, bool, int64, []int64, float32.
	CreateOptions map[string]any `json:"create_options"`
}

// names are the clients that there are without a configuration, in the order in which
// the client "xla" tries them, before package cpu.
var names = []string{"cuda", "rocm", "tpu", "host"}

// clients holds the configuration and the clients that were started.
var clients = struct {
	sync.Mutex
	options   map[string]ClientOptions
	preferred []string
	open      map[string]*Client
	started   bool
	env       error // of the file that NX_XLA_CONFIG names
}{options: map[string]ClientOptions{}, preferred: append(slices.Clone(names), "cpu"), open: map[string]*Client{}}

func init() {
	for _, name := range names {
		register(name)
	}
	backend.Register("xla", Preferred)
	if path := os.Getenv("NX_XLA_CONFIG"); path != "" {
		clients.env = configureFromFile(path)
	}
}

func register(name string) {
	clients.options[name] = ClientOptions{Platform: name}
	backend.Register(name, func() (backend.Client, error) { return opened(Open(name)) })
}

// opened keeps a nil client from becoming an interface that is not nil.
func opened(c *Client, err error) (backend.Client, error) {
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Configure sets the options of clients by name: those named cuda, rocm, tpu and host exist without it. It
// must come before the first use of a client. A file named by the environment variable NX_XLA_CONFIG does the
// same: a JSON object with an object of options for each client.
//
//	err := xla.Configure(map[string]xla.ClientOptions{
//		"cuda": {MemoryFraction: 0.5},
//		"mine": {Platform: "/opt/mine/pjrt_plugin.so"},
//	})
func Configure(configuration map[string]ClientOptions) error {
	clients.Lock()
	defer clients.Unlock()
	if clients.started {
		return errors.New("xla: Configure must come before the first use of a client: call it in main or in an init function")
	}
	for _, name := range slices.Sorted(maps.Keys(configuration)) {
		o := configuration[name]
		if err := o.check(name); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(configuration)) {
		if _, known := clients.options[name]; !known {
			if slices.Contains(backend.Names(), name) {
				return fmt.Errorf("xla: Configure: the name %q is in use by another backend", name)
			}
			register(name)
		}
		o := configuration[name]
		if o.Platform == "" {
			o.Platform = name
		}
		clients.options[name] = o
	}
	return nil
}

func (o ClientOptions) check(name string) error {
	switch {
	case name == "":
		return errors.New("xla: Configure: the name of a client must not be empty")
	case o.MemoryFraction < 0 || o.MemoryFraction > 1:
		return fmt.Errorf("xla: Configure: client %s: the memory fraction must be from 0 to 1, got %v",
			name, o.MemoryFraction)
	case o.DefaultDeviceID < 0:
		return fmt.Errorf("xla: Configure: client %s: the default device must not be negative, got %d", name, o.DefaultDeviceID)
	}
	return nil
}

func configureFromFile(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("xla: NX_XLA_CONFIG: %w", err)
	}
	var configuration map[string]ClientOptions
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&configuration); err != nil {
		return fmt.Errorf("xla: NX_XLA_CONFIG: %s: %w", path, err)
	}
	for _, o := range configuration {
		for name, v := range o.CreateOptions {
			o.CreateOptions[name] = fromJSON(v)
		}
	}
	return Configure(configuration)
}

// fromJSON makes integers of the numbers that JSON has, where they are.
func fromJSON(v any) any {
	switch v := v.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
		return float32(v)
	case []any:
		var list []int64
		for _, x := range v {
			if n, ok := fromJSON(x).(int64); ok {
				list = append(list, n)
			}
		}
		return list
	}
	return v
}

// Open returns a client, started on first use: there is one of each name in a process. The plugin of its
// platform is searched
//
//   - in the options of the client, if their platform is a path;
//   - in PJRT_NAMES_AND_LIBRARY_PATHS, which is "cuda:/a/plugin.so,other:/b.so";
//   - for a TPU in TPU_LIBRARY_PATH;
//   - in the folders of PJRT_PLUGIN_LIBRARY_PATH, as pjrt_c_api_cuda_plugin.so;
//   - in the user's folder of plugins, nx/pjrt in the user's cache folder;
//   - in the site-packages of Python: of the active environment, of PYTHONPATH, the user's and
//     the system's.
//
// Errors: a [*NotFoundError] when no plugin is found, an [*Error] when the plugin finds no device, or an error
// that names the file when it cannot be loaded as a plugin.
func Open(name string) (*Client, error) {
	clients.Lock()
	defer clients.Unlock()
	if clients.env != nil {
		return nil, clients.env
	}
	clients.started = true
	if c := clients.open[name]; c != nil {
		return c, nil
	}
	options, ok := clients.options[name]
	if !ok {
		return nil, fmt.Errorf("xla: the client %q is not configured: the clients are %v", name,
			slices.Sorted(maps.Keys(clients.options)))
	}
	c, err := start(name, options)
	if err != nil {
		return nil, err
	}
	clients.open[name] = c
	return c, nil
}

// Prefer reports in which order [Preferred] tries the clients: cuda, rocm, tpu, host, cpu without it, of
// which cpu is package cpu, which is always there.
func Prefer(names ...string) {
	clients.Lock()
	defer clients.Unlock()
	clients.preferred = slices.Clone(names)
}

// Preferred returns the first client of [Prefer] that can be started, as NX_CLIENT=xla does. If it falls back
// to package cpu, a warning names the clients that failed; if the list does not end in cpu, the error joins
// those of all clients.
func Preferred() (backend.Client, error) {
	clients.Lock()
	order := slices.Clone(clients.preferred)
	_, named := clients.options["cpu"]
	clients.Unlock()
	var all []error
	for i, name := range order {
		if name == "cpu" && !named {
			if i > 0 {
				slog.Warn("xla: using package cpu, as none of the preferred clients starts: see nx-xla list",
					"tried", strings.Join(order[:i], ", "))
			}
			return cpu.Default(), nil
		}
		c, err := Open(name)
		if err == nil {
			return c, nil
		}
		all = append(all, err)
	}
	return nil, errors.Join(all...)
}

// Clients returns the names of the clients that are configured, in order.
func Clients() []string {
	clients.Lock()
	defer clients.Unlock()
	return slices.Sorted(maps.Keys(clients.options))
}
