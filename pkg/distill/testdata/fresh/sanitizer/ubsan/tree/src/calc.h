int scale(int a);
