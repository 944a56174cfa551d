package kumite;

import java.util.List;
import java.util.random.RandomGenerator;
import referee.v1.Play.Ask;
import referee.v1.Play.GameInfo;

/** Something that decides. The same object sits at all tables, and is asked one question at a time. */
public interface Bot {
    /**
     * Returns the index of the chosen option, 0 to {@code ask.getOptionCount() - 1}. Luck depends on the seed and the
     * question only: a question that comes again after a break gets the same answer.
     */
    int decide(Ask ask, RandomGenerator luck);

    /** Whether the bot wants to know the games' cards and boards. */
    default boolean learns() {
        return false;
    }

    /** Takes them in, whenever a connection opens. */
    default void learn(List<GameInfo> games) {}
}
