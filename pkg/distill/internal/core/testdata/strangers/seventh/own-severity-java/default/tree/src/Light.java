public class Light {
    static int range(int metres) {
        return metres / 5 * 3;
    }

    static int flashes(int seconds, int period) {
        return seconds / period + 1;
    }

    static String colour(int bearing) {
        if (bearing > 180) {
            throw new IllegalArgumentException("no bearing " + bearing);
        }
        return bearing < 90 ? "red" : "white";
    }
}
