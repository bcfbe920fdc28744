package dev.pail.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each numbered rule of {@code spec/} has one home in the code, and a test that is named after it. */
class RulesTest {
    private static final String NUMBER = "[A-Z]+[0-9]+(?:\\.[0-9]+)?";

    /** A rule in a page: {@code - **V0.3 Long keys.** Text}. */
    private static final Pattern RULE = Pattern.compile("(?m)^ *- \\*\\*(" + NUMBER + ")\\b");

    /** The mark of a home, as {@code spec/README.md} has it. */
    private static final Pattern HOME = Pattern.compile("\\bRule (" + NUMBER + ")\\b");

    /** What declares a test or a test class, and its name. */
    private static final Pattern TEST =
            Pattern.compile("(?:\\b(?:void|class|interface)|Stream<Dynamic\\w+>) +(\\w+)|@DisplayName\\(\"([^\"]*)\"");

    /** A number in the name of a test: {@code deleteJoinsNoShards_V1_5}. */
    private static final Pattern NAMED = Pattern.compile("_([A-Z]+[0-9]+(?:_[0-9]+)?)(?=_|$)");

    /** A test as a page names it: {@code ShardRulesTest.aDeleteJoinsNoShards_V1_5}. */
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+Test)[.](\\w+)`");

    /** A line of the table of the specification of Pail: section, text, rules, tests. */
    private static final Pattern LINE = Pattern.compile("(?m)^\\| (.+) \\| (.+) \\| (.+) \\| (`\\w+Test[.].+) \\|$");

    private static final Path PROJECT = Modules.PROJECT;

    /** All rules, with the page of each. */
    private static Map<String, String> rules() throws IOException {
        Map<String, String> rules = new LinkedHashMap<>();
        try (Stream<Path> pages = Files.list(PROJECT.resolve("spec"))) {
            for (Path page : pages.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                for (MatchResult rule :
                        RULE.matcher(Files.readString(page)).results().toList()) {
                    assertThat(rules.put(rule.group(1), page.getFileName().toString()))
                            .as("another rule %s", rule.group(1))
                            .isNull();
                }
            }
        }
        assertThat(rules).hasSizeGreaterThan(200);
        return rules;
    }

    private static List<Path> sources(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    /** A number of a kind that rules have, wherever it stands as a word. */
    private static Pattern mention(Set<String> rules) {
        Set<String> letters = new TreeSet<>();
        rules.forEach(rule -> letters.add(rule.replaceFirst("[0-9.]+", "")));
        return Pattern.compile("(?<![\\w.#/%\\\\-])((?:" + String.join("|", letters) + ")[0-9]+(?:\\.[0-9]+)?)(?!\\w)");
    }

    @Test
    void eachRuleHasOneHomeAndATest() throws IOException {
        Map<String, String> rules = rules();
        Pattern mention = mention(rules.keySet());
        Map<String, List<String>> homes = new LinkedHashMap<>();
        Set<String> complaints = new TreeSet<>();
        for (Path module : Modules.published()) {
            for (Path source : sources(module.resolve("src/main/java"))) {
                String text = Files.readString(source);
                String file = source.getFileName().toString();
                HOME.matcher(text)
                        .results()
                        .forEach(home -> homes.computeIfAbsent(home.group(1), rule -> new ArrayList<>())
                                .add(file));
                mention.matcher(text)
                        .results()
                        .map(found -> found.group(1))
                        .filter(rule -> !rules.containsKey(rule))
                        .forEach(rule -> complaints.add(file + " cites " + rule + ", which is no rule"));
            }
        }
        Set<String> tested = new TreeSet<>();
        List<Path> tests = new ArrayList<>(sources(PROJECT.resolve("pail-testkit/src/main/java")));
        for (Path module : Modules.published()) {
            tests.addAll(sources(module.resolve("src/test/java")));
        }
        for (Path test : tests) {
            for (MatchResult declared :
                    TEST.matcher(Files.readString(test)).results().toList()) {
                Stream<String> numbers = declared.group(1) == null
                        ? mention.matcher(declared.group(2)).results().map(found -> found.group(1))
                        : NAMED.matcher(declared.group(1))
                                .results()
                                .map(found -> found.group(1).replace('_', '.'));
                numbers.forEach(number -> {
                    tested.add(number);
                    if (!rules.containsKey(number)) {
                        complaints.add(test.getFileName() + " is named after " + number + ", which is no rule");
                    }
                });
            }
        }
        rules.forEach((rule, page) -> {
            List<String> in = homes.getOrDefault(rule, List.of());
            if (in.isEmpty()) {
                complaints.add(rule + " of " + page + ": no comment in main code has \"Rule " + rule + "\"");
            } else if (in.size() > 1) {
                complaints.add(rule + " of " + page + " has several homes: " + String.join(", ", in));
            }
            if (!tested.contains(rule)) {
                complaints.add(rule + " of " + page + ": no test has a name that ends in _" + rule.replace('.', '_'));
            }
        });
        homes.keySet().removeAll(rules.keySet());
        homes.forEach((rule, in) -> complaints.add(in + ": home of " + rule + ", which is no rule"));
        assertThat(complaints).isEmpty();
    }

    @Test
    void eachTestThatAPageNamesIsThere() throws IOException {
        Map<String, Path> tests = new LinkedHashMap<>();
        for (Path module : Modules.published()) {
            sources(module.resolve("src/test/java"))
                    .forEach(test -> tests.put(test.getFileName().toString().replace(".java", ""), test));
        }
        Set<String> complaints = new TreeSet<>();
        int named = 0;
        for (String folder : List.of("spec", "docs")) {
            try (Stream<Path> pages = Files.walk(PROJECT.resolve(folder))) {
                for (Path page : pages.filter(file -> file.toString().endsWith(".md"))
                        .sorted()
                        .toList()) {
                    for (MatchResult name :
                            NAMED_TEST.matcher(Files.readString(page)).results().toList()) {
                        named++;
                        Path test = tests.get(name.group(1));
                        if (test == null || !isTest(Files.readString(test), name.group(2))) {
                            complaints.add(page.getFileName() + " names " + name.group(1) + "." + name.group(2)
                                    + ", which is no test");
                        }
                    }
                }
            }
        }
        assertThat(complaints).isEmpty();
        assertThat(named).isGreaterThan(30);
    }

    private static boolean isTest(String source, String method) {
        return Pattern.compile("@(?:Parameterized)?Test\\R(?: *@.*\\R)* *void " + method + "\\(")
                .matcher(source)
                .find();
    }

    @Test
    void theSpecificationOfPailIsComparedRuleByRule() throws IOException {
        Set<String> rules = rules().keySet();
        List<MatchResult> lines = LINE.matcher(Files.readString(PROJECT.resolve("spec/pail.md")))
                .results()
                .toList();
        assertThat(lines).hasSize(26);
        for (MatchResult line : lines) {
            assertThat(line.group(3).replace("C1 to C8", "C1, C8").split(", "))
                    .as(line.group())
                    .isSubsetOf(rules);
        }
    }
}
