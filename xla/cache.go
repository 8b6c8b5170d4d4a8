package xla

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"

	"github.com/go-nx/nx/internal/diskcache"
	"github.com/go-nx/nx/internal/pjrt"
)

// cacheLimit is the most bytes that the entries of a folder take.
const cacheLimit = 4 << 30

// WithCache returns a client that shares everything with c, but stores compiled programs in a folder: a
// program that was compiled before for the same devices by the same plugin, also by another process, is
// loaded. The folder is created if needed; it must belong to the user and must not be accessible by other
// users. Entries that are damaged, owned by another user, or rejected by the plugin are ignored with one
// warning.
func (c *Client) WithCache(dir string) (*Client, error) {
	cache, err := diskcache.Open(dir, cacheLimit, warnOfCache)
	if err != nil {
		return nil, fmt.Errorf("xla: %w", err)
	}
	with := *c
	with.cache = cache
	return &with, nil
}

func warnOfCache(err error) {
	slog.Warn("xla: the cache of compiled programs fails and is skipped", "error", err)
}

// cacheKey identifies a compilation: the plugin and its version, the devices, options and program.
func (c *Client) cacheKey(p pjrt.Program) string {
	return diskcache.Key(c.identity(), p.Options, p.Code)
}

// identity reports all of a client that compiled programs depend on.
func (c *core) identity() []byte {
	plugin := c.client.Plugin()
	type file struct {
		Size int64
		Time int64
	}
	type described struct {
		ID         int
		Kind       string
		Attributes map[string]any
	}
	id := struct {
		Path, API                 string
		File                      file
		Attributes                map[string]any
		Platform, PlatformVersion string
		Devices                   []described
	}{Path: plugin.Path(), API: plugin.Version().String(), Attributes: plugin.Attributes(),
		Platform: c.client.Platform(), PlatformVersion: c.client.PlatformVersion()}
	if info, err := os.Stat(plugin.Path()); err == nil {
		id.File = file{info.Size(), info.ModTime().UnixNano()}
	}
	for _, d := range c.client.Devices() {
		id.Devices = append(id.Devices, described{d.ID, d.Kind, d.Attributes})
	}
	text, err := json.Marshal(id)
	if err != nil { // a number that JSON cannot represent
		text = fmt.Appendf(nil, "%+v", id)
	}
	return text
}

// fromCache loads an entry, or returns nil if there is no valid one.
func (c *Client) fromCache(key string) *pjrt.Loaded {
	data, ok := c.cache.Get(key)
	if !ok {
		return nil
	}
	x, err := c.client.Load(data)
	if err != nil {
		c.cache.Refuse(c.fail("loading a compiled program", err))
		return nil
	}
	return x
}

// toCache keeps a program.
func (c *Client) toCache(key string, x *pjrt.Loaded) {
	data, err := x.Serialize()
	if err != nil {
		c.cache.Refuse(c.fail("saving a compiled program", err))
		return
	}
	c.cache.Put(key, data)
}
