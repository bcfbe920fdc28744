package dev.pail.table.index;

import dev.pail.table.FieldForm;
import dev.pail.table.document.LowerCase;
import dev.pail.table.document.Values;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of indexes that there are: another one is added here. */
public final class IndexKinds {
    /** The index on values as they are. */
    private static final IndexKind VALUE = new IndexKind() {
        @Override
        public Stream<Object> values(Object found) {
            return Stream.of(found);
        }

        @Override
        public boolean any(@Nullable Object found, Predicate<Object> condition) {
            // As above, without a stream.
            return found != null && condition.test(found);
        }
    };

    /** The index on the lower case of texts, and on other values as they are. Rule T19. */
    private static final IndexKind LOWER =
            found -> Stream.of(found instanceof String text ? LowerCase.of(text) : found);

    /** The index on the items of a list. Rule T20. */
    private static final IndexKind ITEMS = found -> found instanceof List<?> list
            ? list.stream().map(item -> (Object) item).filter(Values::isScalar)
            : Stream.empty();

    private IndexKinds() {}

    /** The kind for a form of a field. */
    public static IndexKind of(FieldForm form) {
        return switch (form) {
            case VALUE -> VALUE;
            case LOWER -> LOWER;
            case ITEMS -> ITEMS;
        };
    }
}
