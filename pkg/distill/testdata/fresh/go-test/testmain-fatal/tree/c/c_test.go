package c

import (
	"log"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("PATH") != "" {
		log.Fatal("c: the database is down")
	}
	os.Exit(m.Run())
}
func TestC(t *testing.T) {}
