package dev.pail.bench;

import dev.pail.ShardFormat;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A table of {@link People} with indexes on city and age, empty at first. Each query passes on the id and the document of every row
 * that it finds, in any order and form. For one thread.
 */
interface PeopleTable extends AutoCloseable {
    /** A database to measure. */
    enum Contestant {
        V0("v0"),
        V1("v1"),
        H2("H2");

        private final String title;

        Contestant(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        PeopleTable empty() {
            return switch (this) {
                case V0 -> new PailPeople(ShardFormat.v0());
                case V1 -> new PailPeople(ShardFormat.v1());
                case H2 -> new H2People();
            };
        }
    }

    /** Puts all documents, as one change. */
    void load(List<String> lines);

    /** The row with an id. */
    void get(String id, BiConsumer<String, Object> found);

    /** Those in a city, by its index. */
    void inCity(String city, BiConsumer<String, Object> found);

    /** Those who are at least so old and younger than something, by the index of ages. */
    void aged(int from, int before, BiConsumer<String, Object> found);

    /** Finds the rows with a number of points. The points have no index. */
    void withPoints(int points, BiConsumer<String, Object> found);

    @Override
    void close();
}
