package kumite.whitecastle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import org.junit.jupiter.api.Test;
import referee.v1.Play.GameInfo;
import referee.v1.WhiteCastle.WhiteCastleComponents;

class ComponentsTest {
    private static final String FILE =
            """
            [[steward]]
            id = "S1"
            rows = [
              { kind = "dark", effect = [{op="pay", res="seal", n=1, then=[{op="courtier"}]}] },
              { kind = "light", effect = [{op="gain", res="iron", n=2}, {op="lantern"}] },
            ]
            lantern = {op="gain", res="coin", n=1}

            [[domain_row]]
            id = "domain_coral"
            base = {op="gain", res="food", n=1}
            slots = [{op="gain", res="coin", n=2}, {op="lantern"}]

            [castle_points]
            gate = 1
            floor1 = 3
            floor2 = 6
            floor3 = 10

            [time_track]
            gates = { 6 = 1 }
            points = [0, 0, 0, 0, 0, 0, 3]

            [costs]
            audience_coins = 2
            climb_pearls = { 1 = 2, 2 = 5 }
            """;

    private static final Effect LANTERN = new Effect("lantern", "", 1, List.of());
    private static final Effect COURTIER = new Effect("courtier", "", 1, List.of());

    private final Components components;

    ComponentsTest() throws JsonProcessingException {
        components = new Components(GameInfo.newBuilder()
                .setComponentsToml(FILE)
                .setWhiteCastle(WhiteCastleComponents.newBuilder().addCards("S1").addEffects("S1:0:then"))
                .build());
    }

    @Test
    void rowsOfCardsAreFoundByName() {
        Effect iron = new Effect("gain", "iron", 2, List.of());

        assertEquals(List.of(iron, LANTERN), components.effects("S1:1"));
        assertEquals(List.of(new Effect("pay", "seal", 1, List.of(COURTIER))), components.effects("S1:0"));
        assertFalse(components.light("S1", 0));
        assertTrue(components.light("S1", 1));
    }

    @Test
    void whatPaymentsBuyHasANameOfItsOwn() {
        assertEquals(List.of(COURTIER), components.pending(0));
    }

    @Test
    void everyMemberThatLeftTheDomainUncoversMore() {
        Effect food = new Effect("gain", "food", 1, List.of());
        Effect coins = new Effect("gain", "coin", 2, List.of());

        assertEquals(List.of(food), components.effects("domain_coral:0"));
        assertEquals(List.of(food, coins, LANTERN), components.effects("domain_coral:2"));
    }

    @Test
    void tracksAndCostsAreRead() {
        assertEquals(1, components.gate(6));
        assertEquals(0, components.gate(5));
        assertEquals(3, components.timePoints(6));
        assertEquals(10, components.floorPoints(components.topFloor()));
        assertEquals(5, components.climbPearls(components.highestClimb()));
        assertEquals(2, components.audienceCoins());
    }
}
