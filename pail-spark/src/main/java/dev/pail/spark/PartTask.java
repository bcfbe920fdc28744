package dev.pail.spark;

import dev.pail.KeyNotAllowedException;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** Builds and writes the pail of one partition, whose keys are sorted. */
final class PartTask implements FlatMapFunction<Iterator<Tuple2<String, byte[]>>, BuiltPart> {
    private static final long serialVersionUID = 1;

    private final PailTarget target;
    private final BuildOptions options;

    PartTask(PailTarget target, BuildOptions options) {
        this.target = target;
        this.options = options;
    }

    @Override
    public Iterator<BuiltPart> call(Iterator<Tuple2<String, byte[]>> sorted) {
        if (!sorted.hasNext()) {
            return Collections.emptyIterator();
        }
        try (Repository repository = target.open()) {
            PartBuilder builder = new PartBuilder(repository.blocks(), options.format());
            String refused = put(sorted, builder);
            // All blocks are durable before the root is known outside of this task.
            BuiltPart part = refused == null ? BuiltPart.of(builder.finish()) : BuiltPart.refused(refused);
            return List.of(part).iterator();
        }
    }

    /** Puts all entries; returns a key that is refused, or null. */
    private @Nullable String put(Iterator<Tuple2<String, byte[]>> sorted, PartBuilder builder) {
        Tuple2<String, byte[]> first = sorted.next();
        String key = first._1();
        Cid value = Cid.fromBytes(first._2());
        try {
            while (sorted.hasNext()) {
                Tuple2<String, byte[]> next = sorted.next();
                Cid cid = Cid.fromBytes(next._2());
                if (!next._1().equals(key)) {
                    builder.put(key, value);
                    key = next._1();
                    value = cid;
                } else if (options.duplicates() == DuplicateKeys.REFUSE) {
                    return key;
                } else {
                    boolean isLess = cid.compareTo(value) < 0;
                    value = isLess == (options.duplicates() == DuplicateKeys.LEAST_VALUE) ? cid : value;
                }
            }
            builder.put(key, Objects.requireNonNull(value));
            return null;
        } catch (KeyNotAllowedException e) {
            return key;
        }
    }
}
