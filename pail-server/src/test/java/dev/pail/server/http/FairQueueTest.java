package dev.pail.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who has the next turn. */
class FairQueueTest {
    @Test
    void sendersTakeTurns_GW22() {
        FairQueue<String> queue = new FairQueue<>();
        for (String each : List.of("a1", "a2", "a3", "b1", "c1", "b2")) {
            queue.add(each.substring(0, 1), each);
        }
        assertThat(queue.size()).isEqualTo(6);
        queue.removeIf("c1"::equals);
        List<String> order = new ArrayList<>();
        while (queue.peek() != null) {
            String next = queue.peek();
            assertThat(queue.poll()).isEqualTo(next);
            order.add(next);
        }
        assertThat(order).containsExactly("a1", "b1", "a2", "b2", "a3");
        assertThat(queue.poll()).isNull();
        assertThat(queue.size()).isZero();
    }

    @Test
    void theSenderWithMostLosesItsNewest_GW25() {
        FairQueue<String> queue = new FairQueue<>();
        queue.add("a", "a1");
        queue.add("a", "a2");
        assertThat(queue.displaceFor("a")).isEmpty();
        assertThat(queue.displaceFor("b")).isEqualTo(Optional.of("a2"));
        assertThat(queue.displaceFor("b")).isEmpty();
        assertThat(queue.size()).isEqualTo(1);
    }
}
