package dev.pail.cli.command.history;

import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Draws the graph of a history beside a list of events. In the list, each event comes before those that it follows. Each line of
 * history keeps a column of its own.
 */
final class Graph {
    private static final char LINE = '│';
    private static final char GAP = ' ';

    /** How many columns are shown. Those behind them leave room for the text. */
    private static final int MOST_COLUMNS = 16;

    private static final String MORE = "…";

    /** The event that each column leads to; null for a column that is free. */
    private final List<@Nullable Cid> columns = new ArrayList<>();

    private final Consumer<String> out;
    private final UnaryOperator<String> style;

    /**
     * @param out takes the lines
     * @param style gives the lines of history their color
     */
    Graph(Consumer<String> out, UnaryOperator<String> style) {
        this.out = out;
        this.style = style;
    }

    /**
     * Draws an event.
     *
     * @param parents the events that it follows
     * @param text stands beside it
     */
    void draw(Cid event, Collection<Cid> parents, String text) {
        TreeSet<Integer> leading = new TreeSet<>();
        for (int i = 0; i < columns.size(); i++) {
            if (event.equals(columns.get(i))) {
                leading.add(i);
            }
        }
        int column = leading.isEmpty() ? free() : leading.first();
        columns.set(column, event);
        if (leading.size() > 1) {
            out.accept(style.apply(shown(connection(column, leading, '┴', '╯', '╰'))));
            leading.tailSet(column, false).forEach(joined -> columns.set(joined, null));
            trim();
        }
        int mark = Math.min(column, MOST_COLUMNS - 1);
        out.accept(lines(0, mark) + "* " + lines(mark + 1, columns.size()) + text);
        follow(column, parents);
    }

    /** The columns of a line without an event of theirs, as far as they are shown. */
    private String lines(int from, int to) {
        StringBuilder line = new StringBuilder();
        for (int i = from; i < Math.min(to, MOST_COLUMNS); i++) {
            line.append(columns.get(i) == null ? GAP : LINE).append(GAP);
        }
        String more = to > MOST_COLUMNS && columns.size() > MOST_COLUMNS ? MORE + GAP : "";
        return line.toString().isBlank() ? line + more : style.apply(line.toString()) + more;
    }

    /** A line, as far as its columns are shown. */
    private static String shown(String line) {
        return line.length() <= 2 * MOST_COLUMNS ? line : line.substring(0, 2 * MOST_COLUMNS) + MORE;
    }

    /** Leads a column to the first of these events, and new ones to the others. */
    private void follow(int column, Collection<Cid> parents) {
        columns.set(column, null);
        TreeSet<Integer> leading = new TreeSet<>();
        for (Cid parent : parents) {
            int to = leading.isEmpty() ? column : free();
            columns.set(to, parent);
            leading.add(to);
        }
        if (leading.size() > 1) {
            out.accept(style.apply(shown(connection(column, leading, '┬', '╮', '╭'))));
        }
        trim();
    }

    private void trim() {
        while (!columns.isEmpty() && columns.get(columns.size() - 1) == null) {
            columns.remove(columns.size() - 1);
        }
    }

    private int free() {
        int free = columns.indexOf(null);
        if (free >= 0) {
            return free;
        }
        columns.add(null);
        return columns.size() - 1;
    }

    /** A line that connects a column with others. */
    private String connection(int column, NavigableSet<Integer> connected, char within, char right, char left) {
        int first = connected.first();
        int last = connected.last();
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            boolean inside = i > first && i < last;
            char mark;
            if (i == column) {
                mark = i == first ? '├' : i == last ? '┤' : '┼';
            } else if (connected.contains(i)) {
                mark = i == first ? left : i == last ? right : within;
            } else if (columns.get(i) == null) {
                mark = inside ? '─' : GAP;
            } else {
                mark = inside ? '┼' : LINE;
            }
            line.append(mark).append(i >= first && i < last ? '─' : GAP);
        }
        return line.toString().stripTrailing();
    }
}
