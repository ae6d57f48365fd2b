long cents(double x);
long name_len(const char *s);
