package dev.pail.content.lines;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The merge of two lists of lines that were made from one. Has the same text and the same conflicts as {@code git merge-file} with its
 * defaults. Immutable.
 *
 * @param parts in order; two conflicts are not next to each other
 */
public record TextMerge(List<Part> parts) {
    /** The most lines of a text that is merged in a value. The time of a merge grows with their number, and with its square root. */
    public static final int MOST_LINES = 50_000;

    /** Conflicts with at most this many lines between them are one. */
    private static final int FEW = 3;

    public TextMerge {
        parts = List.copyOf(parts);
    }

    /**
     * Some lines of the result, or a conflict.
     *
     * @param isConflict whether both sides changed these lines in different ways
     * @param ours the lines of our side; without a conflict, those of the result
     * @param theirs the lines of their side; without a conflict, the same ones
     */
    public record Part(boolean isConflict, List<String> ours, List<String> theirs) {
        public Part {
            ours = List.copyOf(ours);
            theirs = List.copyOf(theirs);
        }
    }

    /** The lines of the result, if there is no conflict. */
    public Optional<List<String>> merged() {
        return conflicts() > 0
                ? Optional.empty()
                : Optional.of(
                        parts.stream().flatMap(part -> part.ours().stream()).toList());
    }

    /** In how many places both sides changed the same lines in different ways. */
    public int conflicts() {
        return (int) parts.stream().filter(Part::isConflict).count();
    }

    /**
     * Merges three lists of lines.
     *
     * @param base what both sides were made from
     */
    public static TextMerge of(List<String> base, List<String> ours, List<String> theirs) {
        List<Edit> left = LineDiff.all(base, ours);
        List<Edit> right = LineDiff.all(base, theirs);
        List<Region> narrow = new ArrayList<>();
        for (Region region : new Pairing(ours, theirs).of(left, right, base.size())) {
            narrow.addAll(narrowed(region, ours, theirs));
        }
        return new TextMerge(parts(joined(narrow, ours), ours, theirs));
    }

    private enum Kind {
        OURS,
        THEIRS,
        /** Both changed it in the same way. */
        SAME,
        CONFLICT
    }

    /** A run of lines that one side or both changed, in both sides. */
    private record Region(Kind kind, int from, int to, int otherFrom, int otherTo) {
        /** This and a later one, with all between them. */
        Region upTo(Region later) {
            return new Region(kind == later.kind ? kind : Kind.CONFLICT, from, later.to, otherFrom, later.otherTo);
        }
    }

    /** Pairs the changes of both sides. Changes that touch are one region. Rule VM15. */
    private static final class Pairing {
        private final List<String> ours;
        private final List<String> theirs;
        private final List<Region> regions = new ArrayList<>();

        Pairing(List<String> ours, List<String> theirs) {
            this.ours = ours;
            this.theirs = theirs;
        }

        List<Region> of(List<Edit> left, List<Edit> right, int base) {
            int i = 0;
            int j = 0;
            while (i < left.size() || j < right.size()) {
                // Behind the last change of a side, its lines are those of the base.
                Edit mine = i < left.size() ? left.get(i) : new Edit(base, base, ours.size(), ours.size());
                Edit other = j < right.size() ? right.get(j) : new Edit(base, base, theirs.size(), theirs.size());
                if (j == right.size() || (i < left.size() && mine.beforeTo() < other.beforeFrom())) {
                    int shift = other.afterFrom() - other.beforeFrom();
                    add(new Region(
                            Kind.OURS,
                            mine.afterFrom(),
                            mine.afterTo(),
                            mine.beforeFrom() + shift,
                            mine.beforeTo() + shift));
                    i++;
                } else if (i == left.size() || other.beforeTo() < mine.beforeFrom()) {
                    int shift = mine.afterFrom() - mine.beforeFrom();
                    add(new Region(
                            Kind.THEIRS,
                            other.beforeFrom() + shift,
                            other.beforeTo() + shift,
                            other.afterFrom(),
                            other.afterTo()));
                    j++;
                } else {
                    if (!isSame(mine, other)) {
                        add(conflict(mine, other));
                    }
                    int ends = Integer.compare(mine.beforeTo(), other.beforeTo());
                    i += ends <= 0 ? 1 : 0;
                    j += ends >= 0 ? 1 : 0;
                }
            }
            return regions;
        }

        private boolean isSame(Edit mine, Edit other) {
            return mine.beforeFrom() == other.beforeFrom()
                    && mine.beforeTo() == other.beforeTo()
                    && ours.subList(mine.afterFrom(), mine.afterTo())
                            .equals(theirs.subList(other.afterFrom(), other.afterTo()));
        }

        /** All that one of two changes touches, in both sides. */
        private static Region conflict(Edit mine, Edit other) {
            int begins = mine.beforeFrom() - other.beforeFrom();
            int ends = mine.beforeTo() - other.beforeTo();
            return new Region(
                    Kind.CONFLICT,
                    mine.afterFrom() - Math.max(begins, 0),
                    mine.afterTo() + Math.max(-ends, 0),
                    other.afterFrom() - Math.max(-begins, 0),
                    other.afterTo() + Math.max(ends, 0));
        }

        private void add(Region region) {
            int last = regions.size() - 1;
            if (last >= 0 && (region.from <= regions.get(last).to || region.otherFrom <= regions.get(last).otherTo)) {
                regions.set(last, regions.get(last).upTo(region));
            } else {
                regions.add(region);
            }
        }
    }

    /** A conflict without the lines that both sides have in it. Rule VM16. */
    private static List<Region> narrowed(Region region, List<String> ours, List<String> theirs) {
        if (region.kind != Kind.CONFLICT || region.from == region.to || region.otherFrom == region.otherTo) {
            return List.of(region);
        }
        List<Edit> edits =
                LineDiff.all(ours.subList(region.from, region.to), theirs.subList(region.otherFrom, region.otherTo));
        if (edits.isEmpty()) {
            return List.of(new Region(Kind.SAME, region.from, region.to, region.otherFrom, region.otherTo));
        }
        return edits.stream()
                .map(edit -> new Region(
                        Kind.CONFLICT,
                        region.from + edit.beforeFrom(),
                        region.from + edit.beforeTo(),
                        region.otherFrom + edit.afterFrom(),
                        region.otherFrom + edit.afterTo()))
                .toList();
    }

    /** Makes one of two conflicts, if there are few lines between them, or none with a letter or a digit. */
    private static List<Region> joined(List<Region> regions, List<String> ours) {
        List<Region> joined = new ArrayList<>();
        for (Region region : regions) {
            int last = joined.size() - 1;
            if (last >= 0 && isJoined(joined.get(last), region, ours)) {
                joined.set(last, joined.get(last).upTo(region));
            } else {
                joined.add(region);
            }
        }
        return joined;
    }

    private static boolean isJoined(Region before, Region region, List<String> ours) {
        return before.kind == Kind.CONFLICT
                && region.kind == Kind.CONFLICT
                && (region.from - before.to <= FEW
                        || ours.subList(before.to, region.from).stream().noneMatch(TextMerge::hasWord));
    }

    private static boolean hasWord(String line) {
        return line.chars().anyMatch(c -> (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
    }

    private static List<Part> parts(List<Region> regions, List<String> ours, List<String> theirs) {
        List<Part> parts = new ArrayList<>();
        int from = 0;
        for (Region region : regions) {
            if (region.kind == Kind.SAME) {
                continue;
            }
            plain(parts, ours.subList(from, region.from));
            List<String> left = ours.subList(region.from, region.to);
            List<String> right = theirs.subList(region.otherFrom, region.otherTo);
            switch (region.kind) {
                case OURS -> plain(parts, left);
                case THEIRS -> plain(parts, right);
                default -> parts.add(new Part(true, left, right));
            }
            from = region.to;
        }
        plain(parts, ours.subList(from, ours.size()));
        return parts;
    }

    private static void plain(List<Part> parts, List<String> lines) {
        if (!lines.isEmpty()) {
            parts.add(new Part(false, lines, lines));
        }
    }
}
