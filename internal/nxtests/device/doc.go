// Package device has the tests of package nx that are about devices: transfers, clients,
// meshes and sharded tensors.
package device
