package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.table.document.Values;
import dev.pail.testkit.Randomness;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Counts, sums, least and greatest values, averages. */
class SummaryTest {
    private static final FieldPath N = FieldPath.parse("n");

    private static Table table(String... documents) {
        TableBatch batch = Tables.of(Tables.of(Pail.create(new MemoryBlockStore(), ShardFormat.v1()))
                        .create("t")
                        .pail())
                .batch();
        for (int i = 0; i < documents.length; i++) {
            batch.put("t", "row " + i, Document.parse(documents[i]));
        }
        return batch.commit().table("t");
    }

    private static Summary of(String... numbers) {
        String[] documents = new String[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            documents[i] = "{\"n\":" + numbers[i] + "}";
        }
        return table(documents).summary(Filter.all(), N);
    }

    private static String sum(String... numbers) {
        return of(numbers).sum().json();
    }

    private static String average(String... numbers) {
        return of(numbers).average().orElseThrow().json();
    }

    @Test
    void sumsAreExact_Q5() {
        assertThat(sum("1", "2", "-4")).isEqualTo("-1");
        assertThat(sum("0.1", "0.2")).isEqualTo("0.3");
        assertThat(sum("1", "0.5", "2.5")).isEqualTo("4");
        assertThat(sum("9223372036854775807", "1")).isEqualTo("9223372036854775808");
        assertThat(sum("9223372036854775807", "9223372036854775807", "9223372036854775807"))
                .isEqualTo("27670116110564327421");
        assertThat(sum("-9223372036854775808", "-1", "-9223372036854775808")).isEqualTo("-18446744073709551617");
        assertThat(sum("9223372036854775807", "9223372036854775807", "-9223372036854775807", "-9223372036854775807"))
                .isEqualTo("0");
        assertThat(sum("1e30", "1", "-1e30")).isEqualTo("1");
        assertThat(sum("123456789012345678901234567890", "1")).isEqualTo("1.23456789012345678901234567891e+29");
        assertThat(average("1", "2")).isEqualTo("1.5");
        assertThat(average("9007199254740993", "9007199254740993")).isEqualTo("9007199254740993");
        assertThat(average("1", "0", "0")).isEqualTo("0." + "3".repeat(34));
        assertThat(average("2", "0", "0")).isEqualTo("0." + "6".repeat(33) + "7");
    }

    @Test
    void onlyValuesCount_Q5() {
        Summary mixed = table(
                        "{\"n\":2}",
                        "{\"n\":\"9\"}",
                        "{\"n\":null}",
                        "{\"n\":true}",
                        "{\"n\":[1]}",
                        "{\"n\":{\"n\":1}}",
                        "{\"n\":1.5}",
                        "{}")
                .summary(Filter.all(), N);
        assertThat(mixed.rows()).isEqualTo(8);
        assertThat(mixed.numbers()).isEqualTo(2);
        assertThat(mixed.sum()).isEqualTo(Scalar.parse("3.5"));
        assertThat(mixed.average()).contains(Scalar.parse("1.75"));
        assertThat(mixed.min()).contains(Scalar.of(true));
        assertThat(mixed.max()).contains(Scalar.of("9"));
        for (Summary none : List.of(of(), of("null", "[]", "{}"))) {
            assertThat(none.sum()).isEqualTo(Scalar.of(0));
            assertThat(none.average()).isEmpty();
            assertThat(none.min()).isEmpty();
            assertThat(none.max()).isEmpty();
        }
    }

    @Test
    void sumsOfAnySizeAreRefusedAndOtherValuesAreThere_Q5() {
        for (String odd : List.of("1e2047", "-1e1000000", "1e-2050")) {
            Summary summary = of("1", odd, "\"x\"");
            assertThat(summary.numbers()).isEqualTo(2);
            assertThat(summary.max()).contains(Scalar.of("x"));
            for (ThrowingCallable each : List.<ThrowingCallable>of(summary::sum, summary::average)) {
                assertThatThrownBy(each)
                        .as(odd)
                        .isInstanceOf(TableException.class)
                        .hasMessageContaining("row 1")
                        .hasMessageContaining("\"n\"");
            }
        }
        assertThat(sum("1e2046", "1e-2049", "-1e2046")).isEqualTo("1e-2049");
    }

    @Test
    void groupsAreInTheOrderOfValuesAndNumbersThatAreEqualAreOne_Q5() {
        Table table = table(
                "{\"g\":1,\"n\":1}",
                "{\"g\":\"a\",\"n\":2}",
                "{\"n\":4}",
                "{\"g\":1.0,\"n\":8}",
                "{\"g\":null,\"n\":16}",
                "{\"g\":[],\"n\":32}",
                "{\"g\":\"a\"}");
        List<Summary.Group> groups = table.summaries(Filter.all(), FieldPath.parse("g"), Optional.of(N));
        assertThat(groups.stream()
                        .map(group -> group.value().map(Scalar::json).orElse("") + " "
                                + group.summary().rows() + " " + group.summary().sum())
                        .toList())
                .containsExactly("null 1 16", "1 2 9", "\"a\" 2 2", " 2 36");
        assertThat(table.summaries(Filter.parse("n > 100"), FieldPath.parse("g"), Optional.empty()))
                .isEmpty();
        assertThat(table.summaries(Filter.parse("exists g"), FieldPath.parse("g"), Optional.empty()).stream()
                        .map(group -> group.summary().rows())
                        .toList())
                .containsExactly(1L, 2L, 2L, 1L);
    }

    @Test
    void countsReadNoDocuments() {
        Table table = table("{}", "{\"n\":1}");
        Pail unread = table.pail().in(new OtherReads(table.pail().blocks(), cid -> {
            if (table.rows().anyMatch(row -> row.cid().equals(cid))) {
                throw new AssertionError("a document is read");
            }
            return table.pail().blocks().get(cid);
        }));
        assertThat(Tables.of(unread).table("t").count(Filter.all())).isEqualTo(2);
        assertThat(table.count(Filter.parse("exists n"))).isEqualTo(1);
    }

    /** The slow twin: all documents in memory, and decimals of any size. */
    @Test
    void generatedRowsAreSummedUpAsInMemory_Q5() {
        Generated generated = new Generated(Randomness.seed("SummaryTest.generated"));
        int count = Randomness.times(600, 5_000);
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            documents.add(Document.parse(generated.json(i)));
        }
        Table table = table(documents.stream().map(Document::json).toArray(String[]::new));
        List<Table> tables = List.of(table, table.createIndex(FieldPath.parse("age")));
        for (String field : List.of("age", "total", "location.lat", "address.city", "open", "email", "tags")) {
            FieldPath path = FieldPath.parse(field);
            for (String text : List.of("exists kind", "age >= 30", "age < 10 or age > 80", "not exists age")) {
                Filter filter = Filter.parse(text);
                List<Scalar> values = documents.stream()
                        .filter(filter::accepts)
                        .flatMap(document -> document.get(path).stream())
                        .toList();
                for (Table each : tables) {
                    assertSummary(each.summary(filter, path), values);
                    TreeMap<Scalar, Long> groups = new TreeMap<>();
                    values.forEach(value -> groups.merge(value, 1L, Long::sum));
                    assertThat(each.summaries(filter, path, Optional.empty()).stream()
                                    .filter(group -> group.value().isPresent())
                                    .map(group -> group.value().orElseThrow() + " "
                                            + group.summary().rows())
                                    .toList())
                            .isEqualTo(groups.entrySet().stream()
                                    .map(group -> group.getKey() + " " + group.getValue())
                                    .toList());
                }
            }
        }
    }

    private static void assertSummary(Summary summary, List<Scalar> values) {
        List<BigDecimal> numbers = values.stream()
                .filter(value -> value.value instanceof Number)
                .map(value -> Values.decimal((Number) value.value).toBigDecimal())
                .toList();
        BigDecimal sum = numbers.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(summary.numbers()).isEqualTo(numbers.size());
        assertThat(summary.sum()).isEqualTo(Scalar.of(sum));
        assertThat(summary.average())
                .isEqualTo(
                        numbers.isEmpty()
                                ? Optional.empty()
                                : Optional.of(Scalar.of(
                                        sum.divide(BigDecimal.valueOf(numbers.size()), MathContext.DECIMAL128))));
        List<Scalar> ordered =
                values.stream().filter(value -> value.value != Values.NULL).toList();
        assertThat(summary.min()).isEqualTo(ordered.stream().min(Comparator.naturalOrder()));
        assertThat(summary.max()).isEqualTo(ordered.stream().max(Comparator.naturalOrder()));
    }

    /** With an index and without one, as sorting says. */
    @Test
    void percentilesAreThoseOfSortedValues_Q7() {
        Random random = Randomness.random(Randomness.seed("SummaryTest"));
        String[] values = {"null", "true", "1", "1.5", "-2", "7", "\"a\"", "\"b\""};
        for (int round = 0; round < 50; round++) {
            String[] documents = new String[random.nextInt(40)];
            for (int i = 0; i < documents.length; i++) {
                documents[i] = random.nextInt(8) == 0 ? "{}" : "{\"n\":" + values[random.nextInt(values.length)] + "}";
            }
            Table table = table(documents);
            Table indexed = table.createIndex(N);
            List<Scalar> sorted = table.rows()
                    .flatMap(row -> row.document().get(N).stream())
                    .filter(value -> !value.json().equals("null"))
                    .sorted()
                    .toList();
            for (String percent : List.of("0", "0.1", "33.3", "50", "75", "99.9", "100")) {
                BigDecimal asked = new BigDecimal(percent);
                double place = Math.ceil(sorted.size() * asked.doubleValue() / 100) - 1;
                Optional<Scalar> expected =
                        sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get((int) Math.max(0, place)));
                assertThat(table.percentile(Filter.all(), N, asked)).isEqualTo(expected);
                assertThat(indexed.percentile(Filter.all(), N, asked)).isEqualTo(expected);
            }
            assertThat(table.count(Filter.all())).isEqualTo(documents.length);
        }
    }

    @Test
    void aPercentageIsFrom0To100_Q7() {
        Table table = table("{\"n\":1}", "{\"n\":3}");
        assertThat(table.percentile(Filter.parse("n > 1"), N, BigDecimal.ZERO)).contains(Scalar.of(3));
        for (String wrong : List.of("-0.1", "100.1")) {
            assertThatThrownBy(() -> table.percentile(Filter.all(), N, new BigDecimal(wrong)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a percentage is from 0 to 100, not " + wrong);
        }
    }

    /** It reads the shards to one entry and its row. */
    @Test
    void aPercentileOfAnIndexReadsOneRow_Q7() {
        AtomicInteger reads = new AtomicInteger();
        TableBatch batch = Tables.of(table().createIndex(N).pail()).batch();
        for (int i = 0; i < 1000; i++) {
            batch.put("t", "row " + i, Document.parse("{\"n\":" + i + "}"));
        }
        Pail pail = batch.commit().pail();
        BlockStore counting = new OtherReads(pail.blocks(), cid -> {
            reads.incrementAndGet();
            return pail.blocks().get(cid);
        });
        Table read = Tables.of(pail.in(counting)).table("t");
        assertThat(read.percentile(Filter.all(), N, BigDecimal.valueOf(50))).contains(Scalar.of(499));
        reads.set(0);
        assertThat(read.percentile(Filter.all(), N, BigDecimal.valueOf(90))).contains(Scalar.of(899));
        assertThat(reads).hasValue(1);
    }
}
