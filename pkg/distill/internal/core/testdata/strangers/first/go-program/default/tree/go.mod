module pottery

go 1.26
