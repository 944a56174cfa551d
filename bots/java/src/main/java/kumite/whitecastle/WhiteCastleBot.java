package kumite.whitecastle;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import kumite.Bot;
import referee.v1.Play.Ask;
import referee.v1.Play.GameInfo;
import referee.v1.WhiteCastle.WhiteCastleColour;
import referee.v1.WhiteCastle.WhiteCastleFrame;
import referee.v1.WhiteCastle.WhiteCastleMember;
import referee.v1.WhiteCastle.WhiteCastleOption;
import referee.v1.WhiteCastle.WhiteCastleView;

/**
 * Plays The White Castle by what the typed view shows: it prices goods and effects in points, and takes the option that
 * is worth most. It does not look past the option, gives seals away for nothing but the last points, and thinks nothing
 * of the other players.
 */
public final class WhiteCastleBot implements Bot {
    private final Bot otherwise;
    private Components components;

    /** Plays everything else as another bot does. */
    public WhiteCastleBot(Bot otherwise) {
        this.otherwise = otherwise;
    }

    @Override
    public boolean learns() {
        return true;
    }

    @Override
    public void learn(List<GameInfo> games) {
        for (GameInfo game : games) {
            try {
                components = game.hasWhiteCastle() ? new Components(game) : components;
            } catch (JsonProcessingException error) {
                throw new IllegalArgumentException("the components of " + game.getName() + " are no TOML", error);
            }
        }
    }

    @Override
    public int decide(Ask ask, RandomGenerator luck) {
        if (!ask.hasWhiteCastle() || components == null) {
            return otherwise.decide(ask, luck);
        }
        List<WhiteCastleOption> options = ask.getWhiteCastle().getOptionsList();
        Question question = new Question(components, ask.getWhiteCastle().getView(), ask.getKind(), ask.getSeat());
        double[] worths = options.stream().mapToDouble(question::worth).toArray();
        return IntStream.range(0, worths.length)
                .reduce((best, i) -> worths[i] > worths[best] ? i : best)
                .orElseGet(() -> otherwise.decide(ask, luck));
    }

    /** One question, and what its options are worth. */
    private static final class Question {
        private static final double NEVER = -1;
        private static final double FIRST = 100;
        private static final Set<String> GAINS = Set.of("gain", "gain_any", "lantern", "well");

        private final Components components;
        private final WhiteCastleView view;
        private final String kind;
        private final Judge judge;
        private final Dice dice;
        private final WhiteCastleFrame frame;

        Question(Components components, WhiteCastleView view, String kind, int seat) {
            this.components = components;
            this.view = view;
            this.kind = kind;
            judge = new Judge(components, view, seat);
            dice = new Dice(components, view, judge, seat);
            frame = view.getStack(view.getStackCount() - 1);
        }

        double worth(WhiteCastleOption option) {
            return switch (option.getVerb()) {
                case WHITE_CASTLE_VERB_EXCHANGE -> exchange(option);
                case WHITE_CASTLE_VERB_PAY -> pay();
                case WHITE_CASTLE_VERB_SEALS -> 1;
                case WHITE_CASTLE_VERB_INFLUENCE -> judge.held(Judge.SEAL) >= 4 ? 2 : 0;
                case WHITE_CASTLE_VERB_PAIR -> pair(option.getIndex());
                case WHITE_CASTLE_VERB_DIE -> dice.take(option.getColour(), option.getEnd());
                case WHITE_CASTLE_VERB_SPACE -> dice.place(
                        option.getSpace(), WhiteCastleColour.forNumber(frame.getNumbers(1) + 1), frame.getNumbers(2));
                case WHITE_CASTLE_VERB_ACT -> act(frame.getNumbers(1 + option.getIndex()));
                case WHITE_CASTLE_VERB_MAIN -> judge.effects(components.effects(action(option.getMember())));
                case WHITE_CASTLE_VERB_GARDEN -> garden(option.getGarden());
                case WHITE_CASTLE_VERB_YARD -> judge.yard(option.getYard());
                case WHITE_CASTLE_VERB_AUDIENCE -> judge.audience();
                case WHITE_CASTLE_VERB_CLIMB -> judge.climb(option.getFloor(), option.getFloors(), room(option));
                case WHITE_CASTLE_VERB_LIGHT -> judge.effects(
                        components.effects(components.card(frame.getNumbers(1)) + ":" + option.getRow()));
                case WHITE_CASTLE_VERB_SLOT -> judge.effects(components.favour(view.getDaimyo(), option.getIndex()));
                case WHITE_CASTLE_VERB_ROW -> judge.row(room(option), option.getRow(), 1);
                case WHITE_CASTLE_VERB_DOMAIN -> judge.domain(option.getColour().getNumber() - 1);
                case WHITE_CASTLE_VERB_RESOURCE -> resource(option.getGood().getNumber() - 1);
                default -> 0; // to decline, stop or go on; a room for the rival
            };
        }

        /** Seals are kept, but at the very end two of them for a resource that reaches a step of the score. */
        private double exchange(WhiteCastleOption option) {
            int amount = judge.held(option.getGood().getNumber() - 1);
            boolean scores = kind.equals("final_exchange") && (amount == 2 || amount == 6);
            return scores ? 1 : NEVER;
        }

        private double pay() {
            if (kind.equals("pay_gate")) {
                return judge.influence(frame.getNumbers(1));
            }
            double bought = judge.effects(components.pending(frame.getNumbers(1)));
            return bought - judge.price(frame.getNumbers(2), frame.getNumbers(3));
        }

        private double pair(int number) {
            return judge.effects(components.effects(components.card(view.getOfferResources(number))));
        }

        /** Gains come before actions, which they may pay for. */
        private double act(int effect) {
            List<Effect> parts = components.pending(effect);
            boolean gains = parts.stream().map(Effect::op).allMatch(GAINS::contains);
            return judge.effects(parts) + (gains ? FIRST : 0);
        }

        private double garden(int number) {
            return kind.equals("rival_garden") ? -components.garden(number).points() : judge.garden(number);
        }

        /** A resource is wanted the more, the less of it there is. */
        private double resource(int good) {
            return judge.good(good) / (1 + 0.1 * judge.held(good));
        }

        private static int room(WhiteCastleOption option) {
            return option.getSpace().getNumber() - 1;
        }

        private static String action(WhiteCastleMember member) {
            return switch (member) {
                case WHITE_CASTLE_MEMBER_COURTIER -> "courtier";
                case WHITE_CASTLE_MEMBER_GARDENER -> "gardener";
                case WHITE_CASTLE_MEMBER_WARRIOR -> "warrior";
                default -> "";
            };
        }
    }
}
