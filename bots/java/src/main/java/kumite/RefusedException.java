package kumite;

/** The referee refuses the bot, or there is none: trying again is no use. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
        super(message);
    }
}
