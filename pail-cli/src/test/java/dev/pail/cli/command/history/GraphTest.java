package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Shell;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories as they are drawn. An event is a letter; those that it follows are behind it. */
class GraphTest {
    private static Cid cid(char event) {
        return Cid.parse(Shell.cid((int) event));
    }

    private static String draw(String... events) {
        List<String> lines = new ArrayList<>();
        Graph graph = new Graph(lines::add, text -> text);
        Arrays.stream(events)
                .forEach(event -> graph.draw(
                        cid(event.charAt(0)),
                        event.chars().skip(1).mapToObj(c -> cid((char) c)).toList(),
                        event.substring(0, 1)));
        return String.join("\n", lines) + "\n";
    }

    @Test
    void aLine() {
        assertThat(draw("cb", "ba", "a")).isEqualTo("* c\n* b\n* a\n");
    }

    /** A text stays where it can be read, however many lines of history there are. */
    @Test
    void manyLinesAreCut() {
        String[] events = new String[40];
        for (int i = 0; i < events.length; i++) {
            events[i] = "" + (char) ('0' + i) + 'z';
        }
        events[0] = "0abcdefghijklmnopqrstuv";
        String[] lines = draw(events).split("\n");
        assertThat(lines[2]).isEqualTo("│ ".repeat(15) + "* … 1");
        assertThat(lines).allMatch(line -> line.length() <= 36);
    }

    @Test
    void aForkAndAJoin() {
        assertThat(draw("dbc", "ba", "ca", "a")).isEqualTo("""
                        * d
                        ├─╮
                        * │ b
                        │ * c
                        ├─╯
                        * a
                        """);
    }

    @Test
    void aHistoryThatEndsLeavesItsColumnToTheNext() {
        assertThat(draw("eabc", "a", "bc", "dc", "c")).isEqualTo("""
                        * e
                        ├─┬─╮
                        * │ │ a
                          * │ b
                        * │ │ d
                        ├─┴─╯
                        * c
                        """);
    }

    @Test
    void aLineThatIsCrossed() {
        assertThat(draw("fab", "hx", "ba", "a", "x")).isEqualTo("""
                        * f
                        ├─╮
                        │ │ * h
                        │ * │ b
                        ├─╯ │
                        *   │ a
                            * x
                        """);
        assertThat(draw("fa", "hx", "ga", "a", "x")).isEqualTo("""
                        * f
                        │ * h
                        │ │ * g
                        ├─┼─╯
                        * │ a
                          * x
                        """);
    }
}
