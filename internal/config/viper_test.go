package config

import (
	"strings"
	"testing"

	"github.com/spf13/viper"
)

// TestValuesThatViperMisreads shows why files and variables are read before viper
// layers them (decision 0016). A case that fails here is code of ours that can go.
func TestValuesThatViperMisreads(t *testing.T) {
	t.Run("a wrong key", func(t *testing.T) {
		v := viper.New()
		v.SetConfigType("yaml")
		if err := v.ReadConfig(strings.NewReader("atempts: 3\n")); err != nil {
			t.Errorf("viper tells of it now: %v", err)
		}
	})
	t.Run("a variable that is no number", func(t *testing.T) {
		t.Setenv("BOOTY_ATTEMPTS", "three")
		v := viper.New()
		v.SetDefault("attempts", 5)
		if err := v.BindEnv("attempts", "BOOTY_ATTEMPTS"); err != nil {
			t.Fatal(err)
		}
		if got := v.GetInt("attempts"); got != 0 {
			t.Errorf("viper no longer makes zero of it: %d", got)
		}
	})
}
