package dev.pail.table;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.charset.Charset;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What tables may know: the map and its blocks, but not where these are kept. */
class ArchitectureTest {
    private static final JavaClasses TABLES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.pail.table");

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.pail");

    @Test
    void tablesKnowTheMapAndItsBlocksOnly() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.pail..")
                        .and(DescribedPredicate.not(resideInAnyPackage(
                                "dev.pail",
                                "dev.pail.ipld",
                                "dev.pail.bytes",
                                "dev.pail.unsafe",
                                "dev.pail.update",
                                "dev.pail.table.."))))
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.net..")
                .check(TABLES);
    }

    @Test
    void nothingBelowKnowsTables() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.pail.table..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pail.table..")
                .check(ALL);
    }

    /** The rooms below the API, from the bottom: documents, schemas, indexes, and above them queries and merges. */
    @Test
    void roomsKnowTheRoomsBelow() {
        knowsNoneOf("document", "schema", "index", "query", "merge");
        knowsNoneOf("schema", "index", "query", "merge");
        knowsNoneOf("index", "query", "merge");
        knowsNoneOf("query", "merge");
        knowsNoneOf("merge", "query");
    }

    private static void knowsNoneOf(String room, String... others) {
        noClasses()
                .that()
                .resideInAPackage("dev.pail.table." + room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        Stream.of(others).map(name -> "dev.pail.table." + name).toArray(String[]::new))
                .check(TABLES);
    }

    /** Of the API, the rooms know errors, keys and records, and these know of the rooms only how keys are written. */
    @Test
    void roomsKnowTheWordsOfTheApiAlone() {
        DescribedPredicate<JavaClass> words = named(
                "(TableException|DocumentException|Bytes|FieldPath|FieldForm|Column|Index|FieldKey|ReverseKey|Orphans|RowMerge|TableConflict)([$].*)?");
        noClasses()
                .that()
                .resideInAPackage("dev.pail.table.*")
                .should()
                .dependOnClassesThat(resideInAPackage("dev.pail.table").and(DescribedPredicate.not(words)))
                .check(TABLES);
        noClasses()
                .that(words.or(named("KeyParts|Scalar")))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.pail.table..")
                        .and(DescribedPredicate.not(words.or(resideInAPackage("dev.pail.table.document"))
                                .or(named("KeyParts|Scalar|KeyText|EscapedText|OrderedValue|TableText")))))
                .check(TABLES);
    }

    /** Another kind of index is added in one place. */
    @Test
    void onePlaceKnowsWhichKindsOfIndexesThereAre() {
        classes()
                .that(named("LowerCase"))
                .should()
                .onlyHaveDependentClassesThat(named("IndexKinds|LowerCase([$].*)?"))
                .check(TABLES);
    }

    private static DescribedPredicate<JavaClass> named(String names) {
        return DescribedPredicate.describe(
                "named " + names,
                type -> type.getBaseComponentType()
                        .getName()
                        .matches("dev[.]pail[.]table[.]([a-z]+[.])?(" + names + ")"));
    }

    @Test
    void noStaticMutableState() {
        fields().that().areStatic().should().beFinal().check(TABLES);
    }

    @Test
    void textBecomesBytesStrictly() {
        noClasses()
                .should()
                .callMethod(String.class, "getBytes", Charset.class)
                .orShould()
                .callMethod(String.class, "getBytes")
                .check(TABLES);
    }

    /** JSON comes in at one place. */
    @Test
    void onlyTheReaderKnowsTheParser() {
        noClasses()
                .that()
                .haveNameNotMatching(".*JsonReader.*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml..")
                .check(TABLES);
    }
}
