tr a-z A-Z | tr "\t" " "
