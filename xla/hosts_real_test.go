package xla

import (
	"context"
	"testing"

	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/pjrt"
)

// Programs for the devices of several hosts, each a separate process, compile without devices: with
// collectives between all devices, and between those of a host, or of a row of hosts.
func TestHostsAhead(t *testing.T) {
	topologies := map[string]map[string][2]int{ // hosts, and devices of each
		"cuda": {"h200:1x2x2": {2, 2}, "h200:1x4x1": {4, 1}, "h200:2x2x4": {4, 4}},
		"tpu":  {"v5e:2x4": {2, 4}, "v5e:4x4": {4, 4}, "v5p:2x2x2": {2, 4}},
	}
	forTargets(t, func(t *testing.T, a *ahead) {
		for topology, size := range topologies[a.name] {
			requireHosts(t, a.name, topology, size[0], size[1])
			x, err := CompileFor(context.Background(), a.name, topology, withHosts(t, size[0], size[1]).Module())
			if err != nil {
				t.Errorf("%s: %v", topology, err)
				continue
			}
			if n := size[0] * size[1]; len(x.Devices) != n || x.sharding == nil || x.sharding.Mesh.Devices() != n {
				t.Errorf("%s: compiled for %d devices, spread %v", topology, len(x.Devices), x.sharding)
			}
			saved, err := x.Save()
			if err != nil {
				t.Errorf("%s: %v", topology, err)
			}
			t.Logf("%s: %d bytes for %d hosts of %d devices", topology, len(saved), size[0], size[1])
		}
	})
}

// withHosts is a program with collectives over all devices, over those of a host, and over one of each.
func withHosts(t *testing.T, hosts, devices int) *nx.Lowered {
	t.Helper()
	mesh := shard.Mesh{{Name: "host", Size: hosts}, {Name: "device", Size: devices}}
	f := shard.Map(func(x, w nx.Tensor) (y, s, m, p nx.Tensor) {
		y = shard.AllReduce(nx.Dot(x, w), "device")
		s = shard.AllReduceMean(nx.Sum(x), "host", "device")
		m = shard.ReduceScatter(shard.AllGather(w, 0, "device"), 0, "device")
		p = shard.Permute(y, "host", [2]int{0, 1}, [2]int{1, 0})
		return y, s, m, p
	}, mesh, []shard.Sharding{{"host", "device"}, {"device"}}, []shard.Sharding{{"host"}, {}, {"device"}, {"host"}})
	l, err := nx.Lower(f, nx.Args(nx.Zeros(nx.Shape{32, 48}, nx.F32), nx.Zeros(nx.Shape{48, 8}, nx.F32)))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// requireHosts queries the process of each device of a topology.
func requireHosts(t *testing.T, platform, topology string, hosts, devices int) {
	t.Helper()
	_, plugin, _, err := load(platform, ClientOptions{Platform: platform})
	if err != nil {
		t.Fatal(err)
	}
	name, described, err := describeTopology(platform, topology, "")
	if err != nil {
		t.Fatal(err)
	}
	all, err := plugin.NewTopology(name, described)
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	list, err := all.Devices()
	if err != nil {
		t.Fatal(err)
	}
	of := map[int][]pjrt.Description{}
	for _, d := range list {
		of[d.Process] = append(of[d.Process], d)
	}
	if len(of) != hosts || len(of[0]) != devices || len(list) != hosts*devices {
		t.Errorf("%s: the devices by process are %v", topology, of)
	}
}
