int total(int n);
