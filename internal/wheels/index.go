// Package wheels installs Python packages into folders, without Python: the plugins of XLA are distributed in
// such packages. A file is verified against the SHA-256 of its index before use.
package wheels

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// Package is a package of a version.
type Package struct{ Name, Version string }

func (p Package) String() string { return p.Name + " " + p.Version }

// List reads packages of versions, as "a==1.0 b==2.1".
func List(text string) (all []Package) {
	for _, one := range strings.Fields(text) {
		name, version, _ := strings.Cut(one, "==")
		all = append(all, Package{name, version})
	}
	return all
}

// File is a wheel: a package for some machines, as one file.
type File struct{ Name, URL, SHA256 string }

// Error reports what could not be done, with what, and what to do.
type Error struct {
	Doing string // "downloading jax-cuda13-pjrt 0.10.2"
	From  string // the address or file
	Hint  string
	Err   error
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s from %s: %v", e.Doing, e.From, e.Err)
	if e.Hint != "" {
		text += "\n    hint: " + e.Hint
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ChecksumError is the error of a file whose checksum differs from its index.
type ChecksumError struct{ File, Want, Got string }

func (e *ChecksumError) Error() string {
	return fmt.Sprintf("%s was tampered with, or damaged on its way: its SHA-256 is %s, the index says %s",
		e.File, e.Got, e.Want)
}

// maxPage bounds the page of a package in an index.
const maxPage = 64 << 20

// find returns the wheel of a package for a machine ("x86_64") in an index of the form of PEP 503
// or PEP 691.
func find(ctx context.Context, index string, p Package, machine string) (File, error) {
	page := strings.TrimSuffix(index, "/") + "/" + url.PathEscape(normal(p.Name)) + "/"
	fail := func(err error) (File, error) {
		return File{}, &Error{Doing: "looking up " + p.String(), From: shown(page), Err: err,
			Hint: "name another index by --index-url, or in pip's configuration (pip config set global.index-url URL)"}
	}
	body, kind, err := get(ctx, page)
	if err != nil {
		return fail(err)
	}
	files, err := listed(body, kind, page)
	if err != nil {
		return fail(err)
	}
	for _, f := range files {
		if !f.fits(p, machine) {
			continue
		}
		if len(f.SHA256) != 64 {
			return fail(fmt.Errorf("the index has no SHA-256 of %s, so that it cannot be checked", f.Name))
		}
		return f, nil
	}
	return fail(fmt.Errorf("no wheel of version %s for %s is among %d files", p.Version, machine, len(files)))
}

// get returns a page and its media type.
func get(ctx context.Context, page string) (body []byte, kind string, err error) {
	ctx, watch, stop := withIdleTimeout(ctx)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Accept", "application/vnd.pypi.simple.v1+json, text/html;q=0.5")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, "", idleCause(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, "", fmt.Errorf("the server answers %s", response.Status)
	}
	body, err = io.ReadAll(io.LimitReader(watch(response.Body), maxPage))
	return body, response.Header.Get("Content-Type"), idleCause(ctx, err)
}

var anchor = regexp.MustCompile(`(?is)<a\s[^>]*href\s*=\s*["']([^"']+)["'][^>]*>`)

// listed returns the files of a page.
func listed(body []byte, kind, page string) (files []File, err error) {
	base, err := url.Parse(page)
	if err != nil {
		return nil, err
	}
	if strings.Contains(kind, "json") {
		var list struct {
			Files []struct {
				Filename, URL string
				Hashes        map[string]string
			}
		}
		if err := json.Unmarshal(body, &list); err != nil {
			return nil, err
		}
		for _, f := range list.Files {
			at, err := base.Parse(f.URL)
			if err != nil {
				return nil, err
			}
			files = append(files, File{f.Filename, at.String(), f.Hashes["sha256"]})
		}
		return files, nil
	}
	for _, m := range anchor.FindAllSubmatch(body, -1) {
		at, err := base.Parse(html.UnescapeString(string(m[1])))
		if err != nil {
			return nil, err
		}
		sum, _ := strings.CutPrefix(at.Fragment, "sha256=")
		at.Fragment = ""
		files = append(files, File{path.Base(at.Path), at.String(), sum})
	}
	return files, nil
}

// fits reports whether a file is the wheel of a package for a machine and any Python 3.
func (f File) fits(p Package, machine string) bool {
	rest, isWheel := strings.CutSuffix(f.Name, ".whl")
	parts := strings.Split(rest, "-")
	if !isWheel || len(parts) < 5 || normal(parts[0]) != normal(p.Name) || parts[1] != p.Version {
		return false
	}
	python, abi, platform := parts[len(parts)-3], parts[len(parts)-2], parts[len(parts)-1]
	return strings.Contains(python, "py3") && abi == "none" &&
		(platform == "any" || strings.Contains(platform, "linux") && strings.HasSuffix(platform, "_"+machine))
}

var separators = regexp.MustCompile(`[-_.]+`)

// normal returns the one spelling of a name (PEP 503).
func normal(name string) string { return strings.ToLower(separators.ReplaceAllString(name, "-")) }

// shown returns an address without the password that it may hold.
func shown(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "an invalid URL"
	}
	return u.Redacted()
}
