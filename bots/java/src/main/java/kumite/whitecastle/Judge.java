package kumite.whitecastle;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import referee.v1.WhiteCastle.WhiteCastleClan;
import referee.v1.WhiteCastle.WhiteCastleColour;
import referee.v1.WhiteCastle.WhiteCastleFrame;
import referee.v1.WhiteCastle.WhiteCastleView;

/** What things are worth to a clan in one position, in points. */
final class Judge {
    static final int FOOD = 0;
    static final int IRON = 1;
    static final int PEARL = 2;
    static final int COIN = 3;
    static final int VP = 4;
    static final int SEAL = 5;
    private static final Map<String, Integer> GOODS =
            Map.of("food", FOOD, "iron", IRON, "pearl", PEARL, "coin", COIN, "vp", VP, "seal", SEAL);
    /** What a good is worth while there are turns to use it, and at the end. */
    private static final double[] EARLY = {0.75, 0.7, 0.9, 0.4, 1.0, 0.6};
    private static final double[] LATE = {0.2, 0.2, 0.2, 0.15, 1.0, 0.15};
    private static final int[] MOST = {7, 7, 7, Integer.MAX_VALUE, Integer.MAX_VALUE, 5};

    private static final int ROUNDS = 3;
    private static final int TURNS_PER_ROUND = 3;
    private static final int ROOMS = 5;
    private static final int STEWARD_ROOMS = 3;
    /** How deep effects within effects are looked at, and what those below are taken for. */
    private static final int DEEPEST = 2;
    private static final double DEEP = 1.0;
    /** What a step on the time track is worth beyond the points it brings. */
    private static final double STEP = 0.4;
    /** What a courtier at the gate may still gain, and how many more may come to the castle. */
    private static final double PROSPECT = 1.5;
    /** How likely a garden is activated at the end of a round. */
    private static final double AWAKE = 0.6;

    private final Components components;
    private final WhiteCastleView view;
    private final WhiteCastleClan clan;
    private final double near;

    Judge(Components components, WhiteCastleView view, int seat) {
        this.components = components;
        this.view = view;
        clan = view.getClans(seat);
        near = Math.min(1.0, turnsLeft(seat) / (double) TURNS_PER_ROUND);
    }

    /** Turns that a clan has not begun yet. */
    private int turnsLeft(int seat) {
        int done = TURNS_PER_ROUND * (view.getRound() - 1);
        WhiteCastleFrame whole = view.getStack(0);
        if (whole.getKind().equals("turns")) {
            int clans = view.getOrderCount();
            done += (whole.getNumbers(0) - view.getOrderList().indexOf(seat) + clans - 1) / clans;
        } else if (!whole.getKind().equals("draft")) {
            done += TURNS_PER_ROUND;
        }
        return ROUNDS * TURNS_PER_ROUND - done;
    }

    int held(int good) {
        return clan.getGoods(good);
    }

    /** One unit of a good; one that there is no room for is worth nothing. */
    double good(int good) {
        return held(good) >= MOST[good] ? 0 : LATE[good] + (EARLY[good] - LATE[good]) * near;
    }

    /** One unit to spend. */
    private double price(int good) {
        return LATE[good] + (EARLY[good] - LATE[good]) * near;
    }

    double price(int good, int amount) {
        return amount * price(good);
    }

    double effects(List<Effect> effects) {
        return effects(effects, 0);
    }

    private double effects(List<Effect> effects, int depth) {
        return effects.stream().mapToDouble(effect -> effect(effect, depth)).sum();
    }

    private double effect(Effect effect, int depth) {
        if (depth > DEEPEST) {
            return DEEP;
        }
        int amount = effect.amount();
        return switch (effect.op()) {
            case "gain" -> amount * good(GOODS.getOrDefault(effect.subject(), VP));
            case "gain_any" -> amount * Math.max(good(PEARL), Math.max(good(FOOD), good(IRON)));
            case "influence" -> influence(amount);
            case "lantern" -> lantern(depth);
            case "well" -> well(depth);
            case "pay" -> payment(effect, depth);
            case "courtier" -> courtier(depth);
            case "gardener" -> IntStream.range(0, view.getGardensCount())
                    .mapToDouble(i -> garden(view.getGardens(i), depth + 1))
                    .reduce(0, Math::max);
            case "warrior" -> IntStream.range(0, components.yards())
                    .mapToDouble(yard -> yard(yard, depth + 1))
                    .reduce(0, Math::max);
            case "castle_row" -> castleRow(effect.subject(), depth + 1);
            case "castle_light" -> IntStream.range(0, ROOMS)
                    .mapToDouble(room -> light(room, depth + 1))
                    .reduce(0, Math::max);
            case "domain" -> IntStream.range(0, 3).mapToDouble(row -> domain(row, depth + 1)).reduce(0, Math::max);
            default -> 0;
        };
    }

    private double payment(Effect effect, int depth) {
        int good = GOODS.getOrDefault(effect.subject(), COIN);
        if (held(good) < effect.amount()) {
            return 0;
        }
        return Math.max(0, effects(effect.then(), depth + 1) - price(good, effect.amount()));
    }

    /** Steps on the time track, as far as the seals open its gates. */
    double influence(int steps) {
        int space = clan.getTime();
        int seals = held(SEAL);
        for (int i = 0; i < steps && space < components.lastSpace(); i++) {
            int cost = components.gate(space + 1);
            if (cost > seals) {
                break;
            }
            seals -= cost;
            space++;
        }
        int points = components.timePoints(space) - components.timePoints(clan.getTime());
        return points + STEP * (space - clan.getTime()) - price(SEAL, held(SEAL) - seals);
    }

    double lantern() {
        return lantern(0);
    }

    private double lantern(int depth) {
        return clan.getLanternList().stream()
                .mapToDouble(card -> effects(components.lantern(card), depth + 1))
                .sum();
    }

    private double well(int depth) {
        double tiles = view.getWellTilesList().stream()
                .mapToDouble(tile -> effects(components.dieTile(tile), depth + 1))
                .sum();
        return good(SEAL) + tiles;
    }

    private double courtier(int depth) {
        double climb = 0;
        for (int floor = 0; floor < components.topFloor(); floor++) {
            int most = Math.min(components.highestClimb(), components.topFloor() - floor);
            for (int floors = 1; floors <= most; floors++) {
                boolean possible = onFloor(floor) > 0 && held(PEARL) >= components.climbPearls(floors);
                climb = Math.max(climb, possible ? rise(floor, floors, depth) : 0);
            }
        }
        return Math.max(0, audience()) + climb;
    }

    private int onFloor(int floor) {
        List<Integer> court = clan.getCourtList();
        return switch (floor) {
            case 0 -> court.get(0);
            case 1 -> sum(court.subList(1, 1 + STEWARD_ROOMS));
            case 2 -> sum(court.subList(1 + STEWARD_ROOMS, 1 + ROOMS));
            default -> court.get(1 + ROOMS);
        };
    }

    /** A courtier that goes to the gate, with its prospects there. */
    double audience() {
        int coins = components.audienceCoins();
        boolean possible = clan.getHome(0) > 0 && held(COIN) >= coins;
        return possible ? components.floorPoints(0) + PROSPECT * near - price(COIN, coins) : 0;
    }

    /** A climb whose room is not chosen yet. */
    private double rise(int floor, int floors, int depth) {
        int to = floor + floors;
        double points = components.floorPoints(to) - components.floorPoints(floor);
        points -= price(PEARL, components.climbPearls(floors));
        if (floor == 0) {
            points += warriors();
        }
        return to == components.topFloor() ? points + lantern(depth) + near : points + DEEP;
    }

    /** A climb to a room, or to floor 3 where the room is -1. */
    double climb(int floor, int floors, int room) {
        double card = room < 0 ? 0 : light(room, 1) - DEEP;
        return rise(floor, floors, 0) + card;
    }

    /** The values of all warriors: what one more courtier inside the castle brings at the end. */
    private int warriors() {
        return IntStream.range(0, components.yards())
                .map(yard -> clan.getYards(yard) * components.yard(yard).value())
                .sum();
    }

    double garden(int number) {
        return garden(number, 1);
    }

    private double garden(int number, int depth) {
        Components.Garden garden = components.garden(number);
        if (clan.getHome(1) == 0 || held(FOOD) < garden.food() || clan.getGardensList().contains(number)) {
            return 0;
        }
        double again = AWAKE * Math.max(0, ROUNDS - view.getRound());
        return garden.points() + (1 + again) * effects(garden.effect(), depth) - price(FOOD, garden.food());
    }

    double yard(int number) {
        return yard(number, 1);
    }

    private double yard(int number, int depth) {
        Components.Yard yard = components.yard(number);
        if (clan.getHome(2) == 0 || held(IRON) < yard.iron()) {
            return 0;
        }
        double courtiers = sum(clan.getCourtList()) - clan.getCourt(0) + PROSPECT * near;
        return yard.value() * courtiers + yardTiles(number, depth) - price(IRON, yard.iron());
    }

    /** What the tiles of a yard bring; the view lists the tiles of all yards one after the other. */
    private double yardTiles(int number, int depth) {
        int first = IntStream.range(0, number).map(yard -> components.yard(yard).sides().size()).sum();
        List<String> sides = components.yard(number).sides();
        return IntStream.range(0, sides.size())
                .mapToObj(i -> components.yardTile(view.getYardTiles(first + i)) + ":" + sides.get(i))
                .mapToDouble(name -> effects(components.effects(name), depth))
                .sum();
    }

    private double castleRow(String colour, int depth) {
        return IntStream.range(0, components.tiles())
                .filter(tile -> colour.equals("any") || colour(tile).equals(colour))
                .mapToDouble(tile -> row(components.tileRoom(tile), components.tileRow(tile), depth))
                .reduce(0, Math::max);
    }

    private String colour(int tile) {
        return switch (view.getTileColours(tile)) {
            case WHITE_CASTLE_COLOUR_CORAL -> "coral";
            case WHITE_CASTLE_COLOUR_BLACK -> "black";
            case WHITE_CASTLE_COLOUR_WHITE -> "white";
            default -> "";
        };
    }

    /** A row of the card in a room. */
    double row(int room, int row, int depth) {
        int card = view.getCastle(room);
        return card < 0 ? 0 : effects(components.effects(components.card(card) + ":" + row), depth);
    }

    /** The best light row of the card in a room. */
    private double light(int room, int depth) {
        int card = view.getCastle(room);
        if (card < 0) {
            return 0;
        }
        String name = components.card(card);
        return IntStream.range(0, components.rows(name))
                .filter(row -> components.light(name, row))
                .mapToDouble(row -> effects(components.effects(name + ":" + row), depth))
                .reduce(0, Math::max);
    }

    double domain(int row) {
        return domain(row, 1);
    }

    /** A row of the own domain: 0 coral, 1 black, 2 white. */
    private double domain(int row, int depth) {
        String name = "domain_" + List.of("coral", "black", "white").get(row) + ":" + (5 - clan.getHome(row));
        double action = clan.getAction() < 0 ? 0 : effects(components.domainAction(clan.getAction(), row), depth);
        return effects(components.effects(name), depth) + action;
    }

    /** All rows of a room that face tiles of a colour. */
    double room(int room, WhiteCastleColour colour) {
        return IntStream.range(0, components.tiles())
                .filter(tile -> components.tileRoom(tile) == room && view.getTileColours(tile) == colour)
                .mapToDouble(tile -> row(room, components.tileRow(tile), 1))
                .sum();
    }

    boolean opens(int room, WhiteCastleColour colour) {
        return IntStream.range(0, components.tiles())
                .anyMatch(tile -> components.tileRoom(tile) == room && view.getTileColours(tile) == colour);
    }

    private static int sum(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).sum();
    }
}
