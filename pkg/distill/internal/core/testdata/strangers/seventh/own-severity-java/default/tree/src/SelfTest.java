import java.util.LinkedHashMap;
import java.util.Map;

public class SelfTest {
    interface Check { void run() throws Exception; }

    static void same(Object want, Object got) {
        if (!want.equals(got)) {
            throw new AssertionError("wanted " + want + " but got " + got);
        }
    }

    public static void main(String[] args) {
        Map<String, Check> all = new LinkedHashMap<>();
        all.put("rangeInMiles", () -> same(15, Light.range(25)));
        all.put("flashesPerMinute", () -> same(12, Light.flashes(60, 5)));
        all.put("redSector", () -> same("red", Light.colour(45)));
        all.put("whiteSector", () -> same("white", Light.colour(200)));
        int bad = 0;
        for (Map.Entry<String, Check> e : all.entrySet()) {
            try {
                e.getValue().run();
                System.out.println("INFO  SelfTest - " + e.getKey() + " passed");
            } catch (Throwable t) {
                bad++;
                System.out.println("ERROR SelfTest - " + e.getKey() + " failed: " + t.getMessage());
                for (StackTraceElement s : t.getStackTrace()) {
                    if (s.getClassName().startsWith("Light")) {
                        System.out.println("ERROR SelfTest -   at " + s);
                    }
                }
            }
        }
        System.out.println((bad == 0 ? "INFO " : "ERROR") + " SelfTest - " + (all.size() - bad) + "/" + all.size() + " checks green");
        System.exit(bad == 0 ? 0 : 1);
    }
}
