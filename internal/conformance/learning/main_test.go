package learning_test

import (
	"testing"

	"github.com/go-nx/nx/internal/conformance/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
