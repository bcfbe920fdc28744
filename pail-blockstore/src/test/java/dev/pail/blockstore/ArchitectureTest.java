package dev.pail.blockstore;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** All file work goes through the disk, so that tests can stand in for it. */
class ArchitectureTest {
    private static final JavaClasses STORES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(
                    "dev.pail.blockstore",
                    "dev.pail.segment",
                    "dev.pail.car",
                    "dev.pail.dag",
                    "dev.pail.lock",
                    "dev.pail.sweep",
                    "dev.pail.repository",
                    "dev.pail.disk");

    @Test
    void onlyTheDiskTouchesFiles() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.pail.disk")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Files.class, java.io.File.class, java.io.RandomAccessFile.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("java.nio.channels..")
                .check(STORES);
    }

    @Test
    void theDiskKnowsNothingOfPails() {
        noClasses()
                .that()
                .resideInAPackage("dev.pail.disk")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.pail", "dev.pail.ipld", "dev.pail.blockstore", "dev.pail.car", "dev.pail.repository")
                .check(STORES);
    }

    @Test
    void blockStoresKnowNothingOfRepositories() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.pail.blockstore",
                        "dev.pail.segment",
                        "dev.pail.car",
                        "dev.pail.dag",
                        "dev.pail.sweep",
                        "dev.pail.lock")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pail.repository")
                .check(STORES);
    }

    /** What goes into a CAR and comes out of it is the contract of block stores, whichever there are. */
    @Test
    void carsKnowNothingOfOtherStores() {
        noClasses()
                .that()
                .resideInAPackage("dev.pail.car")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pail.blockstore")
                .check(STORES);
    }

    @Test
    void noStaticMutableState() {
        fields().that().areStatic().should().beFinal().check(STORES);
    }
}
