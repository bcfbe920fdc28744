package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.testkit.Randomness;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas as JSON Schema, in and out. */
class JsonSchemaTest {
    private static final int SCHEMAS = Randomness.times(300, 10_000);

    private static Schema read(String json) {
        Schema.Imported read = Schema.ofJsonSchema(json);
        assertThat(read.notKept()).isEmpty();
        return read.schema();
    }

    @Test
    void aSchemaIsWrittenAndReadAgain_T18() {
        Schema schema = Schema.of(List.of(
                        Column.parse("id text required"),
                        Column.parse("age integer null default 1"),
                        Column.parse("address.city text required"),
                        Column.parse("since timestamp"),
                        Column.parse("born date"),
                        Column.parse("photo bytes"),
                        Column.parse("tags list"),
                        Column.parse("any json")))
                .check(Filter.parse("not exists age or age == null or age >= 0"))
                .check(Filter.parse("not exists address.city or address.city in ['Oslo', 'Rome']"))
                .check(Filter.parse("exists age or exists tags"))
                .key(FieldPath.parse("id"))
                .closed();
        String json = schema.jsonSchema();
        assertThat(json)
                .isEqualTo("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","
                        + "\"properties\":{\"id\":{\"type\":\"string\"},"
                        + "\"age\":{\"type\":[\"integer\",\"null\"],\"default\":1,\"minimum\":0},"
                        + "\"any\":{},\"born\":{\"type\":\"string\",\"format\":\"date\"},"
                        + "\"tags\":{\"type\":\"array\"},"
                        + "\"photo\":{\"type\":\"string\",\"contentEncoding\":\"base64\"},"
                        + "\"since\":{\"type\":\"string\",\"format\":\"date-time\"},"
                        + "\"address\":{\"type\":\"object\",\"properties\":"
                        + "{\"city\":{\"type\":\"string\",\"enum\":[\"Oslo\",\"Rome\"]}},"
                        + "\"required\":[\"city\"],\"additionalProperties\":false}},"
                        + "\"required\":[\"id\",\"address\"],\"additionalProperties\":false,"
                        + "\"x-pail-key\":\"id\",\"x-pail-check\":[\"exists age or exists tags\"]}");
        assertThat(read(json)).isEqualTo(schema);
    }

    @Test
    void annotationsAreNamed_T18() {
        Schema.Imported read = Schema.ofJsonSchema("{\"type\":\"object\",\"title\":\"t\",\"$id\":\"i\",\"properties\":"
                + "{\"a\":{\"description\":\"d\",\"examples\":[1],\"type\":\"integer\"},\"b\":true}}");
        assertThat(read.notKept()).containsExactly("$id", "description", "examples", "title");
        assertThat(read.schema()).isEqualTo(Schema.of(List.of(Column.parse("a integer"), Column.parse("b json"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|it is no object",
                "{|not JSON",
                "{}|its type is not \"object\"",
                "{\"type\":\"object\",\"$schema\":\"http://json-schema.org/draft-04/schema#\"}|its $schema",
                "{\"type\":\"object\",\"patternProperties\":{}}|the keyword \"patternProperties\" is not supported",
                "{\"type\":\"object\",\"minimum\":1}|the keyword \"minimum\"",
                "{\"type\":\"object\",\"\\u001b[31m\":1}|the keyword \"\\u{1b}[31m\"",
                "{\"type\":\"object\",\"properties\":[]}|properties is an object",
                "{\"type\":\"object\",\"properties\":{\"\":{}}}|a property has an empty name",
                "{\"type\":\"object\",\"properties\":{\"a\":false}}|in the field \"a\", it is an object or true",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"text\"}}}|its type is one of",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":null}}}|its type is one of",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":[\"null\",\"null\"]}}}|its type is one of",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":[\"string\",\"integer\"]}}}|its type is one",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"x\"}}}|the keyword \"pattern\"",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"format\":\"email\"}}}|\"date-time\"",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\",\"format\":\"date\"}}}|\"format\"",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"minimum\":1}}}|\"minimum\"",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\",\"minimum\":\"1\"}}}|minimum is a number",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[]}}}|enum has a value",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[[]]}}}|enum has texts",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":{}}}}|\"items\"",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"properties\":{}}}}|\"properties\"",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"default\":1}}}|its default is 1",
                "{\"type\":\"object\",\"required\":[\"a\"]}|the required field \"a\" is not in properties",
                "{\"type\":\"object\",\"required\":\"a\"}|required is a list",
                "{\"type\":\"object\",\"additionalProperties\":{}}|additionalProperties is true or false",
                "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"a\":{\"type\":\"object\",\"properties\":{\"b\":{}}}}}|is not the same",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\",\"additionalProperties\":false}}}|there are no properties",
                "{\"type\":\"object\",\"x-pail-check\":[1]}|x-pail-check is a list of filters",
                "{\"type\":\"object\",\"x-pail-check\":[\"age >\"]}|not a filter",
                "{\"type\":\"object\",\"x-pail-key\":1}|x-pail-key is the path",
            })
    void whatIsNotSupportedIsRefusedByName_T18(String json, String message) {
        assertThatThrownBy(() -> Schema.ofJsonSchema(json))
                .isInstanceOf(TableException.class)
                .hasMessageContaining(message);
    }

    @Test
    void deepAndLongSchemasAreRefusedOrRead_T18() {
        for (String key : List.of("properties", "items", "x")) {
            String start = "{\"type\":\"object\",\"" + key + "\":{\"a\":";
            String deep = start.repeat(200) + "{}" + "}}".repeat(200);
            assertThatThrownBy(() -> Schema.ofJsonSchema(deep)).isInstanceOf(TableException.class);
            String deeper = start.repeat(100_000) + "{}" + "}}".repeat(100_000);
            assertThatThrownBy(() -> Schema.ofJsonSchema(deeper)).isInstanceOf(TableException.class);
        }
        String many = IntStream.range(0, 5_000)
                .mapToObj(i -> "\"f" + i + "\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":" + i + "}")
                .collect(Collectors.joining(","));
        Schema schema = read("{\"type\":\"object\",\"properties\":{" + many + "}}");
        assertThat(schema.columns()).hasSize(5_000);
        assertThat(schema.checks()).hasSize(10_000);
        assertThatThrownBy(schema::checkDeclarable).hasMessageContaining("1000 columns");
    }

    /** A document fits the schema that is read as it fits the one that was written. */
    @Test
    void schemasThatAreReadAgainMeanTheSame_T15_T18() {
        Random random = Randomness.random("JsonSchemaTest");
        for (int i = 0; i < SCHEMAS; i++) {
            Schema schema = RandomSchemas.schema(random);
            Schema read = read(schema.jsonSchema());
            assertThat(read.jsonSchema()).isEqualTo(schema.jsonSchema());
            assertThat(read(read.jsonSchema())).isEqualTo(read);
            for (int j = 0; j < 20; j++) {
                Document document = RandomSchemas.document(random);
                assertThat(read.misfit("1", document).isPresent())
                        .as("%s and %s", schema, document)
                        .isEqualTo(schema.misfit("1", document).isPresent());
                assertThat(read.withDefaults(document)).isEqualTo(schema.withDefaults(document));
            }
        }
    }
}
