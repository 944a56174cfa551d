package kumite;

import java.util.random.RandomGenerator;
import referee.v1.Play.Ask;

/** Plays every game, known or not: it needs only the number of options. */
final class RandomBot implements Bot {
    @Override
    public int decide(Ask ask, RandomGenerator luck) {
        return luck.nextInt(ask.getOptionCount());
    }
}
