package dev.pail.cli.command.history;

import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Draws the graph of a history beside a list of events. In the list, each event comes before those that it follows. Each line of
 * history keeps a column of its own.
 */
final class Graph {
    private static final char LINE = '│';
    private static final char GAP = ' ';

    /** The event that each column leads to; null for a column that is free. */
    private final List<@Nullable Cid> columns = new ArrayList<>();

    private final Consumer<String> out;

    /** @param out takes the lines */
    Graph(Consumer<String> out) {
        this.out = out;
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
            out.accept(connection(column, leading, '┴', '╯', '╰'));
            leading.tailSet(column, false).forEach(joined -> columns.set(joined, null));
            trim();
        }
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            line.append(i == column ? '*' : columns.get(i) == null ? GAP : LINE).append(GAP);
        }
        out.accept(line + text);
        follow(column, parents);
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
            out.accept(connection(column, leading, '┬', '╮', '╭'));
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
