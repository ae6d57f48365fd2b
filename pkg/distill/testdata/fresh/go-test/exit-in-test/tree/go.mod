module example.com/mill

go 1.24
