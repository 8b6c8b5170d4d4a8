package wheels

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

// maxWheel bounds the bytes of a wheel.
const maxWheel = 8 << 30

// fetch downloads a file into a folder and verifies it. It resumes an interrupted download; a valid file that
// exists already is reused.
func fetch(ctx context.Context, f File, folder string) (file string, err error) {
	file = filepath.Join(folder, filepath.Base(f.Name))
	if sum, err := digest(file); err == nil && sum == f.SHA256 {
		return file, nil
	}
	part := file + ".part"
	if err := fetchPart(ctx, f.URL, part); err != nil {
		return "", &Error{Doing: "downloading " + f.Name, From: shown(f.URL), Err: err,
			Hint: "run the command again: it goes on where it ended"}
	}
	sum, err := digest(part)
	if err != nil {
		return "", err
	}
	if sum != f.SHA256 {
		return "",
			errors.Join(&Error{Doing: "checking " + f.Name, From: shown(f.URL), Hint: "it was not installed; try " +
				"again, and if it fails again, do not trust the index", Err: &ChecksumError{f.Name, f.SHA256, sum}},
				os.Remove(part))
	}
	return file, os.Rename(part, file)
}

// fetchPart appends to a file the missing part of the contents of a URL.
func fetchPart(ctx context.Context, address, part string) error {
	out, err := os.OpenFile(part, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	have, err := out.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	watched, watch, stop := withIdleTimeout(ctx)
	defer stop()
	request, err := http.NewRequestWithContext(watched, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return idleCause(watched, err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK: // from the start
		if err := out.Truncate(0); err != nil {
			return err
		}
	case http.StatusRequestedRangeNotSatisfiable: // it is all there, which the digest decides
		return nil
	default:
		return fmt.Errorf("the server answers %s", response.Status)
	}
	if n, err := io.Copy(out, io.LimitReader(watch(response.Body), maxWheel)); err != nil || n == maxWheel {
		return cmp.Or(idleCause(watched, err), fmt.Errorf("it has more than %d bytes", int64(maxWheel)))
	}
	return out.Sync()
}

// digest returns the SHA-256 of a file.
func digest(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
