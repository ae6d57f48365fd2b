static int take(int n) { return n - 1; }
