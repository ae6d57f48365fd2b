int sum(int n);
