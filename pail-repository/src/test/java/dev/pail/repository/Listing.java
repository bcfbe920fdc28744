package dev.pail.repository;

import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.LogEntry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All that a version has, or a log. */
public final class Listing {
    private Listing() {}

    public static Map<String, Cid> entries(Pail pail) {
        Map<String, Cid> entries = new TreeMap<>();
        try (Stream<Entry> all = pail.entries()) {
            all.forEach(entry -> entries.put(entry.key(), entry.value()));
        }
        return entries;
    }

    public static List<LogEntry> log(Repository repository, String branch) {
        try (Stream<LogEntry> log = repository.history().log(branch)) {
            return log.toList();
        }
    }
}
