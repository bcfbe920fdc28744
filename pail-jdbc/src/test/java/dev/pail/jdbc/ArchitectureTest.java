package dev.pail.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The module uses the interfaces of stores and the JDBC of the JDK, and no files; only the locator knows the driver. */
class ArchitectureTest {
    private static final JavaClasses JDBC = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.pail.jdbc");

    @Test
    void storesWithoutFiles() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.pail.disk..", "dev.pail.repository.files..")
                .check(JDBC);
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Files.class, Path.class, java.io.File.class)
                .check(JDBC);
    }

    @Test
    void onlyTheLocatorKnowsTheDriver() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(PostgresLocator.class, BehindPooler.class)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.postgresql..")
                .check(JDBC);
        noClasses()
                .that()
                .doNotBelongToAnyOf(PostgresLocator.class, BehindPooler.class)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(BehindPooler.class)
                .check(JDBC);
    }

    @Test
    void noStaticMutableState() {
        fields().that().areStatic().should().beFinal().check(JDBC);
    }
}
