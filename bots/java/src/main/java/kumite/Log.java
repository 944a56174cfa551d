package kumite;

/** Lines for people. */
final class Log {
    private Log() {}

    static void line(String format, Object... values) {
        System.err.println("kumite: " + String.format(format, values));
    }
}
