package advice

import (
	"os"
	"testing"

	"github.com/mishap-robotics/mishap/engine/testgc"
)

func TestMain(m *testing.M) {
	testgc.CollectLess()
	os.Exit(m.Run())
}
