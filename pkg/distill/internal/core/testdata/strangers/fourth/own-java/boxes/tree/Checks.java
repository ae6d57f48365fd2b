import java.util.*;
public class Checks {
    static int total(int[][] items) { int t = 0; for (int[] i : items) t += i[0]; return t; }
    static int change(int paid, int due) { if (paid < due) throw new IllegalArgumentException("paid too little: " + paid); return paid - due; }
    interface Check { void run() throws Exception; }
    static void equal(Object want, Object got) { if (!want.equals(got)) throw new RuntimeException("should be " + want + " but is " + got); }
    public static void main(String[] a) {
        Map<String, Check> all = new LinkedHashMap<>();
        all.put("change_of_ten", () -> equal(6, change(10, 4)));
        all.put("three_of_a_kind", () -> equal(300, total(new int[][] {{100, 3}})));
        all.put("too_little", () -> equal(0, change(3, 4)));
        int broken = 0;
        for (var e : all.entrySet()) {
            try { e.getValue().run(); System.out.println("| " + e.getKey() + " | GREEN |"); }
            catch (Exception x) {
                broken++;
                System.out.println("| " + e.getKey() + " | RED   |");
                x.printStackTrace(System.out);
            }
        }
        System.out.println("GREEN " + (all.size() - broken) + " RED " + broken);
        System.exit(broken);
    }
}
