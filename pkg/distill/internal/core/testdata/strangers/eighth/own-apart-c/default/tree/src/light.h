int light_range(int metres);
int light_flashes(int seconds, int period);
int light_bearing(int degrees);
