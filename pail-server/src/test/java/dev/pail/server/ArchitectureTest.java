package dev.pail.server;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the server may know: repositories, and no files. */
class ArchitectureTest {
    private static final JavaClasses SERVER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.pail.server");

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.pail");

    @Test
    void theServerKnowsRepositoriesAndNoFiles() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.pail..")
                        .and(DescribedPredicate.not(resideInAnyPackage(
                                "dev.pail",
                                "dev.pail.car",
                                "dev.pail.dag",
                                "dev.pail.ipld",
                                "dev.pail.repository",
                                "dev.pail.server",
                                "dev.pail.unixfs"))))
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("java.nio.file..", "java.nio.channels..")
                .check(SERVER);
    }

    @Test
    void nothingElseKnowsTheServer() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.pail.server")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pail.server")
                .check(ALL);
    }

    @Test
    void noStaticMutableState() {
        fields().that().areStatic().should().beFinal().check(SERVER);
    }
}
