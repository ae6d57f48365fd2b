int distance(int x, int y);
int cell(int x, int y, int width);
