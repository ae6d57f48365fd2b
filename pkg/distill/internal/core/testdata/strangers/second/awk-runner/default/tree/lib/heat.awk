function heat(m) { return m * 9 }
