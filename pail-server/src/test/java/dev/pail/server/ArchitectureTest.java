package dev.pail.server;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.pail.server.access.SecretFile;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** What the server may know: repositories, and of files only those that open its door. */
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
                                "dev.pail.clock",
                                "dev.pail.dag",
                                "dev.pail.ipld",
                                "dev.pail.proof",
                                "dev.pail.remote",
                                "dev.pail.remote.wire",
                                "dev.pail.repository",
                                "dev.pail.server..",
                                "dev.pail.table",
                                "dev.pail.unixfs",
                                "dev.pail.values"))))
                .check(SERVER);
        noClasses()
                .that()
                .doNotBelongToAnyOf(SecretFile.class)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Files.class, java.io.File.class, java.io.RandomAccessFile.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("java.nio.channels..")
                .check(SERVER);
    }

    @Test
    void nothingElseKnowsTheServer() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.pail.server..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pail.server..")
                .check(ALL);
    }

    @Test
    void roomsUseThoseBelowThem() {
        slices().matching("dev.pail.server.(*)..").should().beFreeOfCycles().check(SERVER);
        noClasses()
                .that()
                .resideInAnyPackage("dev.pail.server.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pail.server")
                .check(SERVER);
    }

    @Test
    void noStaticMutableState() {
        fields().that().areStatic().should().beFinal().check(SERVER);
    }
}
