package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"example.org/tram/fare"
)

func want(have, want int) error {
	if have != want {
		return fmt.Errorf("have %d, want %d", have, want)
	}
	return nil
}

func try(name string, f func() error) (ok bool) {
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			fmt.Printf("[CRASH] %s (%.1fms)\n\tpanic: %v\n%s\n", name, time.Since(start).Seconds()*1e3, p, debug.Stack())
		}
	}()
	if err := f(); err != nil {
		fmt.Printf("[WRONG] %s (%.1fms)\n\t%v\n", name, time.Since(start).Seconds()*1e3, err)
		return false
	}
	fmt.Printf("[RIGHT] %s (%.1fms)\n", name, time.Since(start).Seconds()*1e3)
	return true
}

func main() {
	right, all := 0, 0
	run := func(name string, f func() error) {
		all++
		if try(name, f) {
			right++
		}
	}
	run("one zone", func() error { return want(fare.Price(1), 100) })
	run("four zones", func() error { return want(fare.Price(4), 350) })
	run("first zone of a new ticket", func() error { return want((&fare.Ticket{}).First(), 0) })
	run("three zones", func() error { return want(fare.Price(3), 300) })
	fmt.Printf("%d of %d right\n", right, all)
	if right < all {
		os.Exit(1)
	}
}
