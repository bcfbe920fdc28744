package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexName;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions: what they let through, how they are written, and which of them indexes answer. */
class FilterTest {
    private static final Document DOCUMENT = Document.parse(
            "{\"age\":30,\"name\":\"Ada O'Neill\",\"none\":null,\"ok\":true,"
                    + "\"tags\":[\"a\",2.0,null],\"address\":{\"city\":\"Oslo\"},\"in\":1,\"a b\":2,\"x`y\":3,\"price\":1.50}");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "age == 30|true",
                "age==30.0|true",
                "age != 30|false",
                "age < 30|false",
                "age <= 30|true",
                "age > 29.9|true",
                "age >= 31|false",
                "age == \"30\"|false",
                "age != \"30\"|true",
                "age < \"a\"|false",
                "age > null|false",
                "missing == null|false",
                "missing != 1|true",
                "none == null|true",
                "none < 1|false",
                "ok == true|true",
                "ok > false|true",
                "ok <= false|false",
                "exists none|true",
                "exists missing|false",
                "not exists missing|true",
                "name starts \"Ada\"|true",
                "name starts 'Ada O''N'|true",
                "age starts \"3\"|false",
                "name contains \"O'N\"|true",
                "name contains 1|false",
                "tags contains 2|true",
                "tags contains null|true",
                "tags contains \"b\"|false",
                "address contains \"city\"|true",
                "address.city in [\"Rome\", \"Oslo\"]|true",
                "age in []|false",
                "age in [1,30]|true",
                "tags == \"a\"|false",
                "tags != \"a\"|true",
                "address == null|false",
                "`in` == 1 and `a b` == 2 and `x``y` == 3|true",
                "price == 1.5|true",
                "age == 1 or age == 30 and ok == false|false",
                "(age == 1 or age == 30) and ok == true|true",
                "NOT (age == 30)|false",
                "not not age == 30|true",
                "name == 'Ada O''Neill'|true",
                "age>=30 and age<40|true",
                "age = 30|true",
                "age=31|false",
                "address.city = 'Oslo' and age=30.0|true"
            })
    void letThrough_Q2_Q3(String text, boolean expected) {
        Filter filter = Filter.parse(text);
        assertThat(filter.accepts(DOCUMENT)).as(text).isEqualTo(expected);
        assertThat(Filter.parse(filter.toString())).isEqualTo(filter);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "##|column 1: a field",
                "age|column 4: ==",
                "age ==|column 7: a value",
                "age == x|column 8: a value",
                "x starts 1|column 10: a text behind starts is expected, not \"1\"",
                "age = = 1|column 7: a value",
                "age =|column 6: a value",
                "age == 1 and|column 13: a field",
                "age == 1 age|column 10: and, or",
                "(age == 1|bracket",
                "age in 1|[ and ]",
                "age in [1|a comma",
                "age == \"x|a value",
                "age == 'x|a closing '",
                "`a|a closing `",
                "and == 1|a field",
                "age == [1]|a value",
                "age starts 1|a text behind starts",
                "a..b == 1|a name is missing"
            })
    void thatAreNoneSayWhere_Q1(String text, String named) {
        assertThatThrownBy(() -> Filter.parse(text))
                .isInstanceOf(TableException.class)
                .hasMessageContaining(named);
    }

    @Test
    void deepOnesAreRefused_Q1() {
        assertThatThrownBy(() -> Filter.parse("(".repeat(100_000))).hasMessageContaining("within each other");
        assertThatThrownBy(() -> Filter.parse("not ".repeat(100_000) + "a == 1"))
                .hasMessageContaining("within each other");
    }

    /** Brackets and not count together: else a hundred of either could be around each of the others. */
    @Test
    void whatIsTakenIsNotTooDeepToBeWritten() {
        for (String deepest : List.of(
                "(".repeat(99) + "a == 1" + ")".repeat(99),
                "not ".repeat(99) + "a == 1",
                "not (not ".repeat(49) + "not (a == 1)" + ")".repeat(49),
                "(a == 1 and not (b == 1 or ".repeat(49) + "(c == 1)" + "))".repeat(49))) {
            Filter filter = Filter.parse(deepest);
            assertThat(Filter.parse(filter.toString())).isEqualTo(filter);
            assertThat(Plan.of(filter, Plan.ranges(filter, List.of()), Plan.Sort.NONE))
                    .asString()
                    .contains("full scan");
            for (String deeper : List.of("not (" + deepest + ")", "(not " + deepest + ")")) {
                assertThatThrownBy(() -> Filter.parse(deeper))
                        .isInstanceOf(TableException.class)
                        .hasMessageContaining("within each other");
            }
        }
        assertThatThrownBy(() -> Filter.parse(("not ".repeat(99) + "(").repeat(99) + "a == 1" + ")".repeat(99)))
                .hasMessageContaining("within each other");
        // One beside the other is not one in the other.
        assertThat(Filter.parse("not (a == 1) and ".repeat(500) + "not not (b == 1)"))
                .isNotNull();
    }

    /** In some rule for upper and lower case, dotless i, dotted I and long s are letters of words, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {"exi\u017fts", "ex\u0131sts", "ex\u0130sts", "exists", "EXISTS", "Not", "\u0131n", "fal\u017fe"})
    void fieldsThatAreAlmostWordsAreWrittenAsTheyAreRead(String name) {
        Filter filter = new Filter.Compare(FieldPath.parse(name), Filter.Comparison.EQUAL, Scalar.of(1));
        assertThat(Filter.parse(filter.toString())).isEqualTo(filter);
    }

    @Test
    void wordsAreOfAnyCase_Q1() {
        assertThat(Filter.parse("NoT eXISTs a AND b STARTS 'x' Or c iN [1] aNd d ContainS 2"))
                .isEqualTo(Filter.parse("not exists a and b starts 'x' or c in [1] and d contains 2"));
    }

    private static FieldForm form(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> FieldForm.LOWER;
            case 1 -> FieldForm.ITEMS;
            default -> FieldForm.VALUE;
        };
    }

    static Filter random(Random random, int depth) {
        FieldPath field = FieldPath.parse(
                List.of("age", "address.city", "total", "kind", "tags", "email", "open", "missing", "location.lat")
                        .get(random.nextInt(9)));
        List<Filter> filters = new ArrayList<>();
        switch (depth > 0 ? random.nextInt(11) : random.nextInt(7)) {
            case 0, 1 -> {
                return new Filter.Compare(field, form(random), comparison(random), value(random));
            }
            case 2 -> {
                List<Scalar> values = new ArrayList<>();
                for (int n = random.nextInt(4); n > 0; n--) {
                    values.add(value(random));
                }
                return new Filter.In(field, form(random), values);
            }
            case 3 -> {
                return new Filter.Contains(field, form(random), value(random));
            }
            case 4 -> {
                return new Filter.Exists(field, form(random));
            }
            case 5 -> {
                return new Filter.Starts(
                        field,
                        form(random),
                        List.of("", "New", "New ", "O", "a\u0001", "P").get(random.nextInt(6)));
            }
            case 6 -> {
                Filter.Comparison low = random.nextBoolean() ? Filter.Comparison.GREATER : Filter.Comparison.AT_LEAST;
                Filter.Comparison high = random.nextBoolean() ? Filter.Comparison.LESS : Filter.Comparison.AT_MOST;
                return new Filter.And(List.of(
                        new Filter.Compare(field, low, value(random)), new Filter.Compare(field, high, value(random))));
            }
            case 7 -> {
                return new Filter.Not(random(random, depth - 1));
            }
            default -> {
                for (int n = 2 + random.nextInt(2); n > 0; n--) {
                    filters.add(random(random, depth - 1));
                }
                return random.nextBoolean() ? new Filter.And(filters) : new Filter.Or(filters);
            }
        }
    }

    private static Filter.Comparison comparison(Random random) {
        return List.of(Filter.Comparison.values()).get(random.nextInt(6));
    }

    private static Scalar value(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> Scalar.of(Generated.CITIES.get(random.nextInt(Generated.CITIES.size())));
            case 1 -> Scalar.of(random.nextBoolean());
            case 2 -> Scalar.ofNull();
            case 3 -> Scalar.of(List.of("person", "order", "vip", "New").get(random.nextInt(4)));
            case 4 -> Scalar.of(random.nextInt(100000) / 100.0 - 500);
            default -> Scalar.of(random.nextInt(100));
        };
    }

    @Test
    void areWrittenAsTheyAreRead() {
        Random random = new Random(Randomness.seed("FilterTest.areWrittenAsTheyAreRead"));
        for (int i = 0; i < 20_000; i++) {
            Filter filter = random(random, 3);
            assertThat(Filter.parse(filter.toString()).toString()).isEqualTo(filter.toString());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "age == 1|index age: == 1",
                "age != 1|full scan",
                "not age == 1|full scan",
                "other == 1|full scan",
                "age > 1 and age <= 5 and other == 2|index age: > 1 and <= 5",
                "age > 1 and address.city == 'Oslo'|index address.city: == \"Oslo\"",
                "age == 1 or address.city starts 'New'|index age: == 1; index address.city: starts \"New\"",
                "age == 1 or other == 1|full scan",
                "(age == 1 or other == 1) and address.city > 'a'|index address.city: > \"a\"",
                "age in [1, 2]|index age: == 1; index age: == 2",
                "exists age|index age: exists",
                "age contains 1|full scan",
                "age > 1 and age in [2, 3]|index age: == 2; index age: == 3"
            })
    void areExplained_Q4(String text, String plan) {
        List<IndexKeys> indexes = Stream.of("age", "address.city")
                .map(field -> new IndexKeys("people", IndexName.of(FieldPath.parse(field))))
                .toList();
        Filter filter = Filter.parse(text);
        assertThat(Plan.of(filter, Plan.ranges(filter, indexes), Plan.Sort.NONE))
                .hasToString(plan + "; filter: " + filter);
    }
}
