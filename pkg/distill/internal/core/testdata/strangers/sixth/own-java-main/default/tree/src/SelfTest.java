import java.util.*;

public class SelfTest {
    interface Body { void run() throws Exception; }

    static int passed, failed;

    static void test(String name, Body b) {
        System.out.print(name + " ... ");
        try {
            b.run();
            passed++;
            System.out.println("fine");
        } catch (Throwable t) {
            failed++;
            System.out.println("NOT FINE");
            t.printStackTrace(System.out);
        }
    }

    static void eq(int want, int have) {
        if (want != have) throw new IllegalStateException("want " + want + " but have " + have);
    }

    public static void main(String[] args) {
        test("take leaves the rest", () -> {
            Stock s = new Stock();
            s.put("nail", 5);
            eq(3, s.take("nail", 2));
        });
        test("putting twice adds up", () -> {
            Stock s = new Stock();
            s.put("nail", 5);
            s.put("nail", 5);
            eq(8, s.take("nail", 2));
        });
        test("taking what is not there leaves nothing", () -> {
            eq(0, new Stock().take("screw", 1));
        });
        System.out.println();
        System.out.println("passed: " + passed + "   failed: " + failed);
        if (failed > 0) System.exit(1);
    }
}
