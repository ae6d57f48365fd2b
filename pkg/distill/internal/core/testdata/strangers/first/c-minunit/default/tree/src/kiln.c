int heat(int m) { return m * 9; }
