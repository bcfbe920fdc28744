package dev.pail.table.index;

import dev.pail.Pail;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The tables that a version declares, by name and by number. */
public final class Declarations {
    public final Pail pail;
    public final SortedMap<String, TableInfo> tables = new TreeMap<>();

    /** Names of keys with a malformed declaration, or with one that cannot be read, each with the reason. */
    public final SortedMap<String, String> unreadable = new TreeMap<>();

    private final Map<Integer, SortedSet<String>> numbers = new TreeMap<>();

    private Declarations(Pail pail) {
        this.pail = pail;
    }

    public static Declarations of(Pail pail) {
        Declarations found = new Declarations(pail);
        TableInfo.forEach(
                pail,
                info -> {
                    found.tables.put(info.name, info);
                    found.numbers
                            .computeIfAbsent(info.number, number -> new TreeSet<>())
                            .add(info.name);
                },
                (key, error) ->
                        found.unreadable.put(String.valueOf(TableInfo.name(key)), String.valueOf(error.getMessage())));
        return found;
    }

    /** The names of the tables with a number: several, if a merge gave it to them (spec rule T2). */
    public SortedSet<String> named(int number) {
        return numbers.getOrDefault(number, Collections.emptySortedSet());
    }

    @Nullable
    public TableInfo table(String name) {
        return tables.get(name);
    }

    public boolean isShared(int number) {
        return named(number).size() > 1;
    }
}
