package dev.pail.table;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.charset.Charset;
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
