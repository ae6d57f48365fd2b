module example.org/tram

go 1.22
