package kumite.whitecastle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import referee.v1.Play.GameInfo;
import referee.v1.WhiteCastle.WhiteCastleComponents;

/** What the cards, tiles and boards of The White Castle show: the component file, under the numbers of the wire. */
final class Components {
    /** A garden card. */
    record Garden(int food, int points, List<Effect> effect) {}

    /** A training yard; its tiles show their action side, their reward side, or one of each. */
    record Yard(int iron, int value, List<String> sides) {}

    private final WhiteCastleComponents names;
    private final Map<String, List<Effect>> effects = new HashMap<>();
    private final Map<String, JsonNode> cards = new HashMap<>();
    private final Map<String, Garden> gardens = new HashMap<>();
    private final List<Yard> yards = new ArrayList<>();
    private final Map<Integer, Integer> gates = new HashMap<>();
    private final List<Integer> timePoints = new ArrayList<>();
    private final List<Integer> floorPoints = new ArrayList<>();
    private final JsonNode costs;

    /** Reads what a referee says of the game. */
    Components(GameInfo game) throws JsonProcessingException {
        names = game.getWhiteCastle();
        JsonNode file = new TomlMapper().readTree(game.getComponentsToml());
        for (String kind : List.of("steward", "diplomat", "starting_action", "starting_resource", "decree")) {
            file.path(kind).forEach(this::readCard);
        }
        for (JsonNode garden : file.path("garden")) {
            List<Effect> effect = Effect.list(garden.path("effect"));
            effects.put(id(garden), effect);
            gardens.put(id(garden), new Garden(garden.path("food").asInt(), garden.path("points").asInt(), effect));
        }
        for (JsonNode yard : file.path("yard")) {
            List<String> sides = new ArrayList<>();
            yard.path("tile_sides").forEach(side -> sides.add(side.asText()));
            yards.add(new Yard(yard.path("iron").asInt(), yard.path("value").asInt(), sides));
        }
        for (JsonNode tile : file.path("yard_tile")) {
            effects.put(id(tile) + ":action", Effect.list(tile.path("action")));
            effects.put(id(tile) + ":reward", Effect.list(tile.path("reward")));
        }
        file.path("die_tile").forEach(tile -> effects.put(id(tile), Effect.list(tile.path("reward"))));
        file.path("daimyo").forEach(card -> readRows(id(card), card.path("slots")));
        file.path("domain_row").forEach(this::readDomainRow);
        file.at("/time_track/gates").fields().forEachRemaining(gate ->
                gates.put(Integer.valueOf(gate.getKey()), gate.getValue().asInt()));
        file.at("/time_track/points").forEach(points -> timePoints.add(points.asInt()));
        for (String floor : List.of("gate", "floor1", "floor2", "floor3")) {
            floorPoints.add(file.path("castle_points").path(floor).asInt());
        }
        costs = file.path("costs");
        for (String action : List.of("courtier", "gardener", "warrior", "lantern", "well")) {
            effects.put(action, List.of(new Effect(action, "", 1, List.of())));
        }
        effects.putAll(bought());
    }

    private void readCard(JsonNode card) {
        cards.put(id(card), card);
        if (card.has("gain")) {
            effects.put(id(card), Effect.list(card.path("gain")));
        }
        for (int row = 0; row < card.path("rows").size(); row++) {
            effects.put(id(card) + ":" + row, Effect.list(card.path("rows").get(row).path("effect")));
        }
    }

    private void readRows(String id, JsonNode rows) {
        for (int row = 0; row < rows.size(); row++) {
            effects.put(id + ":" + row, Effect.list(rows.get(row)));
        }
    }

    /** A row of the domain brings its base, and more for each member that has left it. */
    private void readDomainRow(JsonNode row) {
        List<Effect> visible = new ArrayList<>(Effect.list(row.path("base")));
        effects.put(id(row) + ":0", List.copyOf(visible));
        for (int away = 1; away <= row.path("slots").size(); away++) {
            visible.addAll(Effect.list(row.path("slots").get(away - 1)));
            effects.put(id(row) + ":" + away, List.copyOf(visible));
        }
    }

    /** What payments buy, under names of their own. */
    private Map<String, List<Effect>> bought() {
        Map<String, List<Effect>> found = new HashMap<>();
        effects.forEach((name, parts) -> parts.stream()
                .filter(part -> part.op().equals("pay"))
                .forEach(part -> found.put(name + ":then", part.then())));
        return found;
    }

    private static String id(JsonNode component) {
        return component.path("id").asText();
    }

    /** The effects of a name; none of an unknown one. */
    List<Effect> effects(String name) {
        return effects.getOrDefault(name, List.of());
    }

    /** Pending effect number so-and-so. */
    List<Effect> pending(int number) {
        return effects(names.getEffects(number));
    }

    String card(int number) {
        return names.getCards(number);
    }

    /** What the back of a card brings. */
    List<Effect> lantern(int number) {
        return Effect.list(cards.get(card(number)).path("lantern"));
    }

    /** Whether a row of a castle card is a light one. */
    boolean light(String card, int row) {
        return cards.get(card).path("rows").path(row).path("kind").asText().equals("light");
    }

    int rows(String card) {
        return cards.get(card).path("rows").size();
    }

    /** The row of an action card that serves a row of the domain. */
    List<Effect> domainAction(int card, int domainRow) {
        int row = cards.get(card(card)).path("domain_block").path(domainRow).asInt(domainRow);
        return effects(card(card) + ":" + row);
    }

    Garden garden(int number) {
        return gardens.get(names.getGardens(number));
    }

    Yard yard(int number) {
        return yards.get(number);
    }

    int yards() {
        return yards.size();
    }

    String yardTile(int number) {
        return names.getYardTiles(number);
    }

    List<Effect> dieTile(int number) {
        return effects(names.getDieTiles(number));
    }

    List<Effect> favour(int daimyo, int slot) {
        return effects(names.getDaimyos(daimyo) + ":" + slot);
    }

    /** The room of a tile space, from 0. */
    int tileRoom(int tile) {
        return names.getTileRoomsValue(tile) - 1;
    }

    int tileRow(int tile) {
        return names.getTileRows(tile);
    }

    int tiles() {
        return names.getTileRoomsCount();
    }

    /** Seals that it costs to enter a space of the time track. */
    int gate(int space) {
        return gates.getOrDefault(space, 0);
    }

    /** Points for standing on a space of the time track. */
    int timePoints(int space) {
        return timePoints.get(space);
    }

    int lastSpace() {
        return timePoints.size() - 1;
    }

    /** Points for a courtier at the gate (0) or on a floor. */
    int floorPoints(int floor) {
        return floorPoints.get(floor);
    }

    int topFloor() {
        return floorPoints.size() - 1;
    }

    /** Pearls for a climb by so many floors. */
    int climbPearls(int floors) {
        return costs.path("climb_pearls").path(String.valueOf(floors)).asInt();
    }

    /** The most floors that one climb can make. */
    int highestClimb() {
        return costs.path("climb_pearls").size();
    }

    int audienceCoins() {
        return costs.path("audience_coins").asInt();
    }
}
