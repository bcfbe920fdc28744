package dev.pail.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables from CSV. */
class CsvTextsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeTables() {
        shell = Shell.withRepository(folder);
        shell.run("table", "create", "a").done();
        shell.run("table", "create", "b").done();
    }

    private Answer load(String csv, String... options) {
        String[] load = {"table", "load", "b", "--csv", "-q"};
        return shell.feed(
                csv, Stream.concat(Stream.of(load), Stream.of(options)).toArray(String[]::new));
    }

    private List<String> rows() {
        return shell.run("table", "scan", "b", "--json").done().json().stream()
                .map(row -> row.get("id").asText() + " " + row.get("document"))
                .toList();
    }

    @Test
    void readsWhatOthersWrite() {
        load("\ufeffid,name,age:number,vip:boolean,tags:json,address.city,note:text,a\\.b,x:y\r\n"
                        + "1,\"Bo, \"\"B\"\"\",9.50,true,\"[1,\"\"a\"\"]\",\"New\nYork\",7,8,9\r\n"
                        + "2,é,,,,,,,\r\n\r\n"
                        + "3,\"\",-1,false,null,,null,,")
                .done();
        assertThat(rows())
                .containsExactly(
                        "1 {\"id\":\"1\",\"a.b\":\"8\",\"age\":9.5,\"vip\":true,\"x:y\":\"9\",\"name\":\"Bo, \\\"B\\\"\",\"note\":\"7\","
                                + "\"tags\":[1,\"a\"],\"address\":{\"city\":\"New\\nYork\"}}",
                        "2 {\"id\":\"2\",\"name\":\"é\"}",
                        "3 {\"id\":\"3\",\"age\":-1,\"vip\":false,\"note\":\"null\",\"tags\":null}");
    }

    /** As some versions of the reader did not. */
    @Test
    void keepsLineBreaksInTheLastCell() {
        load("id,a\nx,\"\r1\"\ny,\"2\r\"\nz,\"\n\r\n\"\r\n").done();
        assertThat(rows())
                .containsExactly(
                        "x {\"a\":\"\\r1\",\"id\":\"x\"}",
                        "y {\"a\":\"2\\r\",\"id\":\"y\"}",
                        "z {\"a\":\"\\n\\r\\n\",\"id\":\"z\"}");
    }

    @Test
    void takesIdsFromAColumn() {
        load("key,n:number\na,1\n", "--id", "key").done();
        load("number:number,n:number\n7,1\n", "--id", "number").done();
        load("row id,id:number\nx,1\n").done();
        assertThat(rows()).containsExactly("7 {\"n\":1,\"number\":7}", "a {\"n\":1,\"key\":\"a\"}", "x {\"id\":1}");
    }

    private void refused(String csv, String named, String... options) {
        assertThat(load(csv, options).refused(Exit.FAILED)).as(csv).contains(named);
        assertThat(rows()).as(csv).isEmpty();
    }

    @Test
    void refusesWhatItCannotKeep() {
        refused("", "line 1: no CSV");
        refused("name\nx\n", "no column has the name \"id\"");
        refused("id,id:number\nx,1\n", "two columns have the name \"id\"");
        refused("id,a,b\nx,1\n", "line 2: the line has 2 fields, and the first line has 3");
        refused("id\nx,1\n", "line 2: the line has 2 fields, and the first line has 1 field");
        refused("id,a\nx,1\ny,\"2\n", "after line 2: not CSV: ");
        refused("id,a\nx,\"1\"2\n", "not CSV: ");
        refused("id,a:number\nx,one\n", "line 2: the cell \"one\" in column 2 is no number");
        refused("id,a:number\nx,\"1,\"\"b\"\":2\"\n", "is no number");
        refused("id,a:json\nx,\"1,\"\"b\"\":2\"\n", "is no JSON");
        refused("id,a:json\nx,\"1}\"\n", "is no JSON");
        refused("id,a:json\nx,\"\"\"y\"\",\"\"b\"\":2\"\n", "is no JSON");
        refused("id,a:json\nx,\"[],\"\"b\"\":2\"\n", "is no JSON");
        refused("id,a:json\nx,[1\n", "is no JSON");
        refused("id,a:json\nx,[[1] [2]]\n", "is no JSON");
        refused("id,a:boolean\nx,1\n", "is no boolean");
        refused("id,a:json\nx,\"{\"\"a\"\":1,\"\"a\"\":2}\"\n", "line 2");
        refused("id,a,a.b\nx,1,2\n", "a field has both a value and fields in it");
        refused("id,a.b,a\nx,1,2\n", "a field has both a value and fields in it");
        refused("id" + ",".repeat(10_001) + "\n", "not CSV: ");
        refused("id,a\nx," + "1".repeat((8 << 20) + 1) + "\n", "not CSV: ");
        refused("id,a" + ".a".repeat(500) + "\nx,1\n", "more than 500 levels");
        refused("id,a:number\nx," + "1".repeat(1001) + "\n", "1000 digits");
        refused("id\n1\n", "no column has the name \"x\"", "--cells", "json", "--id", "x");
        refused("id,a\n\"\"\"x\"\"\",y\n", "the cell \"y\" in column 2 is no JSON", "--cells", "json");
        refused("id,a\n,1\n", "the cell \"\" in column 1 is no JSON", "--cells", "json");
        assertThat(load("id\nx\n", "--document", "d").refused(Exit.USAGE)).contains("--csv takes no --document");
        assertThat(load("id\nx\n", "--cells", "spreadsheet").refused(Exit.USAGE))
                .contains("--cells plain or json");
    }

    @Test
    void tellsOfOtherSeparatorsAndColumnsWithoutNames() {
        String commas = "hint: nothing was changed; columns are separated by commas, and the first line has ";
        refused("id;name;price\n1;Ann;1,50\n", commas + "semicolons");
        refused("id;price,eur;name\n1;1,50;Ann\n", commas + "semicolons");
        refused("id\tname;x\n1\tAnn\n", commas + "tabs");
        refused("id|name\n1|Ann\n", commas + "vertical bars");
        refused("id,,x\n2,2,3\n", "line 1: column 2 has no name\nhint: nothing was changed; name it");
        refused("id,x, \n2,2,3\n", "column 3 has no name");
        refused("id,:number\n2,2\n", "column 2 has no name");
        refused(",id\n2,2\n", "column 1 has no name");
        load("a;b,v\n1,2\n", "--id", "a;b").done();
        assertThat(rows()).containsExactly("1 {\"v\":\"2\",\"a;b\":\"1\"}");
    }

    @Test
    void namesTheColumnsThatCouldHaveTheIds() {
        String hint = "hint: nothing was changed; name the column with --id FIELD: ";
        refused("key\n1\n", hint + "no text comes twice in \"key\"\n");
        refused("n:number,key,place\n1,a,x\n1,b,y\n,c,x\n", hint + "no text comes twice in \"key\"\n");
        refused("a,b\n1,\n1,2\n", hint + "the first line has \"a\", \"b\"\n", "--id", "c");
        refused("a,b,c,d,e,f\n1,1,1,1,1,1\n", "\"a\", \"b\", \"c\", \"d\", \"e\" \u2026\n");
        refused("a,b\n1,2\n1,3\n1,\"4\n", hint + "no text comes twice in \"b\"\n");
        refused("a\u001b,b\n1,2\n", "\"a\\u{1b}\"");
    }

    /** As the list of releases of Debian, in which a release that is not supported any more has a date more. */
    @Test
    void takesLinesWithFewerFieldsOnlyIfAsked() {
        String csv = "id,a,b\nx,1,2\ny,1\nz\n\nu,,\n";
        refused(
                csv,
                "line 3: the line has 2 fields, and the first line has 3 fields; too few: 2 lines (3, 4)\nhint: "
                        + "nothing was changed; if fields are missing at the end of lines, give --ragged\n");
        load(csv, "--ragged").done();
        assertThat(rows())
                .containsExactly(
                        "u {\"id\":\"u\"}",
                        "x {\"a\":\"1\",\"b\":\"2\",\"id\":\"x\"}",
                        "y {\"a\":\"1\",\"id\":\"y\"}",
                        "z {\"id\":\"z\"}");
        assertThat(load("{}", "--ragged", "--cells", "json").status()).isNotZero();
        assertThat(shell.run("table", "load", "b", "--ragged").refused(Exit.USAGE))
                .contains("--ragged is for --csv");
    }

    @Test
    void countsLinesWithTheWrongNumberOfFields() {
        String quotes = "put cells that have commas in double quotes\n";
        String both = "id,a\nx,1\ny,1,2\n" + "z\n".repeat(6) + "z,1\nu,2,\n";
        refused(
                both,
                "line 3: the line has 3 fields, and the first line has 2 fields; too few: 6 lines (4, 5, 6, 7, 8 \u2026); "
                        + "too many: 2 lines (3, 11)\nhint: nothing was changed; if fields are missing at the end of lines, give "
                        + "--ragged; " + quotes);
        refused(
                both,
                "the first line has 2 fields; too many: 2 lines (3, 11)\nhint: nothing was changed; " + quotes,
                "--ragged");
        // Lines behind what is no CSV are not counted.
        refused("id,a\nx\ny,\"1\n", "too few: 1 line (2)\n");
        refused("a,id\n1\n", "line 2: the line has no id: that is in column 2", "--ragged");
    }

    /** Any JSON, in any names, comes back with the same CIDs. */
    @Test
    void whatScanPrintsIsLoadedAsItWas() {
        long seed = Randomness.seed("CsvTextsTest.roundTrip");
        int runs = Randomness.times(40, 400);
        for (int run = 0; run < runs; run++) {
            Random random = Randomness.random(seed + run);
            StringBuilder rows = new StringBuilder();
            boolean hasIds = random.nextBoolean();
            for (int row = 0; row < 20; row++) {
                String id = quoted(random) + row;
                rows.append("{\"key\":\"").append(id).append("\",\"document\":{");
                rows.append(hasIds || random.nextInt(8) == 0 ? "\"id\":\"" + id + "\"" : "\"n\":" + row);
                fields(random, rows, 2);
                rows.append("}}\n");
            }
            for (String table : List.of("a", "b")) {
                shell.run("table", "drop", table, "-q").done();
                shell.run("table", "create", table, "-q").done();
            }
            shell.feed(rows.toString(), "-q", "table", "load", "a", "--id", "key", "--document", "document")
                    .done();
            String csv = shell.run("table", "scan", "a", "--format", "csv", "--cells", "json")
                    .done()
                    .text();
            assertThat(load(csv, "--cells", "json").err()).as(csv).isEmpty();
            assertThat(shell.run("table", "ls", "b", "--json").done().lines())
                    .as(csv)
                    .isEqualTo(shell.run("table", "ls", "a", "--json").done().lines());
        }
    }

    private static void fields(Random random, StringBuilder out, int depth) {
        for (int field = random.nextInt(4); field > 0; field--) {
            // A number keeps the names of an object apart.
            out.append(",\"")
                    .append(quoted(random))
                    .append(field)
                    .append(random.nextInt(5) == 0 ? ".\\\\" : "")
                    .append("\":");
            switch (random.nextInt(depth > 0 ? 9 : 7)) {
                case 0 -> out.append("null");
                case 1 -> out.append(random.nextBoolean());
                case 2 -> out.append(random.nextInt(10)).append(random.nextBoolean() ? ".0" : "");
                case 3 -> out.append("123456789012345678901234567890.5e").append(random.nextInt(40) - 20);
                case 4 -> out.append("[1,{\"\":[]}]");
                case 5 -> out.append(random.nextBoolean() ? "{}" : "\"\\ud800\"");
                case 6 -> out.append('"').append(quoted(random)).append('"');
                default -> {
                    out.append("{\"\":0");
                    fields(random, out, depth - 1);
                    out.append('}');
                }
            }
        }
    }

    /** The inside of a text in JSON. */
    private static String quoted(Random random) {
        List<String> parts = List.of(
                "a", "é", "😀", "\\\"", ",", "\\n", "\\r", " ", "=", ":", ":json", ".", "\\\\", "null", "1", "");
        StringBuilder out = new StringBuilder();
        for (int count = random.nextInt(4); count > 0; count--) {
            out.append(parts.get(random.nextInt(parts.size())));
        }
        return out.toString();
    }
}
