//go:build unix

package command

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// certificate writes a certificate for 127.0.0.1 with its key, and returns a client that trusts it.
func certificate(t *testing.T) (cert, key string, client *http.Client) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der},
		key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(trusted)
	return cert, key, &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
}

// TestServeFlags: HTTPS, profiles on another port, a log of JSON with the id of a request, and a bound for the time of
// a header.
func TestServeFlags(t *testing.T) {
	cert, key, client := certificate(t)
	defer client.CloseIdleConnections()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	c := exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--pprof", "127.0.0.1:0", "--json-log",
		"--header-timeout", "300ms", "--tls-cert", cert, "--tls-key", key, classifier)
	c.Env, c.Stderr = append(os.Environ(), asProcess+"=1"), log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill() // it has ended if all is well
	text := func() []byte {
		b, err := os.ReadFile(log.Name())
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for range 1200 {
		if bytes.Contains(text(), []byte(`"msg":"ready"`)) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	found := regexp.MustCompile(`"address":"(https?://[^"]*)"`).FindAllSubmatch(text(), -1)
	if len(found) != 2 || !strings.HasPrefix(string(found[0][1]), "https://127.0.0.1:") {
		t.Fatalf("the log: %s", text())
	}
	address := string(found[0][1])
	r, err := http.NewRequest("GET", address+"/v2/health/ready", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Request-Id", "seven")
	a, err := client.Do(r)
	if err != nil || a.StatusCode != 200 || a.Header.Get("X-Request-Id") != "seven" {
		t.Fatalf("%v %v", a, err)
	}
	a.Body.Close()
	got := request(t, "GET", string(found[1][1])+"goroutine?debug=1", "")
	if !strings.Contains(got, "goroutine profile") {
		t.Errorf("the profile %.100s", got)
	}
	if a, err := client.Get(address + "/debug/pprof/"); err != nil || a.StatusCode != 404 {
		t.Errorf("profiles on the port of the models: %v %v", a, err)
	}
	config := client.Transport.(*http.Transport).TLSClientConfig
	conn, err := tls.Dial("tcp", strings.TrimPrefix(address, "https://"), config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nX: "); err != nil {
		t.Fatal(err)
	}
	conn.SetReadDeadline(time.Now().Add(30 * time.Second))
	if _, err := io.ReadAll(conn); err != nil {
		t.Errorf("a header without end: %v", err)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	seen := false
	for line := range bytes.Lines(text()) {
		var fields map[string]any
		if err := json.Unmarshal(line, &fields); err != nil {
			t.Errorf("not JSON: %s", line)
		}
		seen = seen || fields["id"] == "seven" && fields["status"] == 200.0 && fields["path"] == "/v2/health/ready"
	}
	if !seen {
		t.Errorf("no line of the request: %s", text())
	}
}
