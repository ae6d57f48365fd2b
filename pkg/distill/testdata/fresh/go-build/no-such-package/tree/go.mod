module example.com/yard

go 1.24
