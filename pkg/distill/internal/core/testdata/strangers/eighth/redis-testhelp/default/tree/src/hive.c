#include "hive.h"

int hive_frames(int boxes) { return boxes * 10; }

int hive_honey(int frames, int full) {
    return (frames - full) * 2;
}

int hive_winter(int kilos) { return kilos >= 15; }
