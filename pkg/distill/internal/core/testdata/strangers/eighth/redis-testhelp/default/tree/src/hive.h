int hive_frames(int boxes);
int hive_honey(int frames, int full);
int hive_winter(int kilos);
