package kumite.whitecastle;

import java.util.List;
import java.util.stream.IntStream;
import referee.v1.WhiteCastle.WhiteCastleColour;
import referee.v1.WhiteCastle.WhiteCastleEnd;
import referee.v1.WhiteCastle.WhiteCastleSpace;
import referee.v1.WhiteCastle.WhiteCastleView;

/** Which die to take, and where to place it. */
final class Dice {
    /** Values of the eight die spaces of the board, and of the rows of the domain. */
    private static final int[] VALUES = {3, 3, 3, 4, 4, 5, 5, 1, 6, 6, 6};
    private static final int ROOMS = 5;
    private static final int OUTSIDE_1 = 5;
    private static final int OUTSIDE_2 = 6;
    private static final int WELL = 7;
    private static final int DOMAIN = 8;
    /** Worth of what cannot be done. */
    private static final double IMPOSSIBLE = Double.NEGATIVE_INFINITY;

    private final Components components;
    private final WhiteCastleView view;
    private final Judge judge;
    private final int seat;

    Dice(Components components, WhiteCastleView view, Judge judge, int seat) {
        this.components = components;
        this.view = view;
        this.judge = judge;
        this.seat = seat;
    }

    /** What it is worth to take a die, with the best place for it. */
    double take(WhiteCastleColour colour, WhiteCastleEnd end) {
        boolean left = end == WhiteCastleEnd.WHITE_CASTLE_END_LEFT;
        int bridge = colour.getNumber() - 1;
        int value = left ? view.getBridgeLeft(bridge) : view.getBridgeRight(bridge);
        double best = IntStream.range(0, VALUES.length)
                .filter(space -> open(space, colour))
                .mapToDouble(space -> place(space, colour, value))
                .reduce(IMPOSSIBLE, Math::max);
        return left ? best + judge.lantern() : best;
    }

    double place(WhiteCastleSpace space, WhiteCastleColour colour, int value) {
        return place(space.getNumber() - 1, colour, value);
    }

    private double place(int space, WhiteCastleColour colour, int value) {
        int coins = value - covered(space);
        if (judge.held(Judge.COIN) + coins < 0) {
            return IMPOSSIBLE;
        }
        return judge.price(Judge.COIN, coins) + action(space, colour);
    }

    private double action(int space, WhiteCastleColour colour) {
        if (space < ROOMS) {
            return judge.room(space, colour);
        }
        return switch (space) {
            case OUTSIDE_1 -> Math.max(main("gardener"), main("courtier"));
            case OUTSIDE_2 -> Math.max(main("courtier"), main("warrior"));
            case WELL -> main("well");
            default -> judge.domain(space - DOMAIN);
        };
    }

    private double main(String action) {
        return judge.effects(components.effects(action));
    }

    /** Whether a die of a colour may go to a space. */
    private boolean open(int space, WhiteCastleColour colour) {
        if (space >= DOMAIN) {
            int row = space - DOMAIN;
            return row == colour.getNumber() - 1 && view.getClans(seat).getDice(row) == 0;
        }
        int most = view.getSeats() <= 2 ? 1 : 2;
        return space == WELL
                || view.getSpaceSizes(space) < most && (space >= ROOMS || judge.opens(space, colour));
    }

    /** The value that a die covers: that of the last die there, or of the space itself. */
    private int covered(int space) {
        if (space >= WELL || view.getSpaceSizes(space) == 0) {
            return VALUES[space];
        }
        List<Integer> sizes = view.getSpaceSizesList().subList(0, space + 1);
        return view.getSpaceValues(sizes.stream().mapToInt(Integer::intValue).sum() - 1);
    }
}
