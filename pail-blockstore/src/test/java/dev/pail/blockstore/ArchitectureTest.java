package dev.pail.blockstore;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.nio.file.Files;
import java.util.List;
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
                    "dev.pail.unixfs",
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
                .resideInAnyPackage("dev.pail", "dev.pail.ipld", "dev.pail.blockstore", "dev.pail.car")
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

    /** What stands in the files of segments depends on nothing of the store that reads and writes them. */
    @Test
    void segmentFormatKnowsNothingOfTheStore() {
        noClasses()
                .that()
                .resideInAPackage("dev.pail.segment.format..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pail.segment")
                .check(STORES);
    }

    /** So that a reader can start with the files that use no others. */
    @Test
    void sourceFilesOfTheSegmentStoreHaveNoCycles() {
        for (String each : List.of("dev.pail.segment", "dev.pail.segment.format")) {
            slices().assignedFrom(bySourceFile(each)).should().beFreeOfCycles().check(STORES);
        }
    }

    private static SliceAssignment bySourceFile(String packageName) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass each) {
                if (!each.getPackageName().equals(packageName)) {
                    return SliceIdentifier.ignore();
                }
                JavaClass top = each;
                while (top.getEnclosingClass().isPresent()) {
                    top = top.getEnclosingClass().get();
                }
                return SliceIdentifier.of(top.getSimpleName());
            }

            @Override
            public String getDescription() {
                return "source files of " + packageName;
            }
        };
    }

    @Test
    void noStaticMutableState() {
        fields().that().areStatic().should().beFinal().check(STORES);
    }
}
