package kumite.whitecastle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that a card, tile or space brings, as the component file writes it.
 *
 * @param op what it does: "gain", "influence", "pay", "courtier"...
 * @param subject the good of a gain or a payment, or the colour of a castle row; empty where there is none
 * @param amount how much
 * @param then what a payment buys
 */
record Effect(String op, String subject, int amount, List<Effect> then) {
    /** An effect, or a list of effects that belong together. */
    static List<Effect> list(JsonNode node) {
        if (!node.isArray()) {
            return List.of(of(node));
        }
        List<Effect> effects = new ArrayList<>();
        node.forEach(part -> effects.add(of(part)));
        return List.copyOf(effects);
    }

    private static Effect of(JsonNode node) {
        return new Effect(
                node.path("op").asText(),
                node.path("res").asText(node.path("colour").asText("")),
                node.path("n").asInt(1),
                node.has("then") ? list(node.get("then")) : List.of());
    }
}
