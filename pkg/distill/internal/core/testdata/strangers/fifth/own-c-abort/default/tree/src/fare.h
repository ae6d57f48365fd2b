int fare(int zones, int age);
int change(int paid, int price);
