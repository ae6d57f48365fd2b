package main

import "example.com/shop"

func main() {
	var s string = shop.Total(nil)
	shop.Last()
}
