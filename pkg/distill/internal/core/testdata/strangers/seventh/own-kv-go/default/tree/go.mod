module example.org/till

go 1.22
