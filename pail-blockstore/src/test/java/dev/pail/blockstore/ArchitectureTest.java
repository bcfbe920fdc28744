package dev.pail.blockstore;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryServer;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
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
                    "dev.pail.unixfs",
                    "dev.pail.values",
                    "dev.pail.disk");

    /** What a repository over any stores does not know. */
    private static final String[] FILES = {
        "java.nio.file..",
        "dev.pail.disk..",
        "dev.pail.lock..",
        "dev.pail.segment..",
        "dev.pail.blockstore..",
        "dev.pail.repository.files.."
    };

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
                        "dev.pail", "dev.pail.ipld", "dev.pail.blockstore", "dev.pail.car", "dev.pail.repository..")
                .check(STORES);
    }

    @Test
    void blockStoresKnowNothingOfRepositories() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.pail.blockstore",
                        "dev.pail.segment..",
                        "dev.pail.car",
                        "dev.pail.dag",
                        "dev.pail.sweep",
                        "dev.pail.unixfs",
                        "dev.pail.values",
                        "dev.pail.lock")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pail.repository..")
                .check(STORES);
    }

    /** A repository is over any stores: only its doors to folders know of files. */
    @Test
    void onlyStaticMethodsOfARepositoryKnowOfFiles() {
        noClasses()
                .that()
                .resideInAPackage("dev.pail.repository")
                .and()
                .doNotHaveFullyQualifiedName(Repository.class.getName())
                .and()
                // Tokens and certificates are always files of the server, even if its repository is over another store.
                .doNotHaveFullyQualifiedName(RepositoryServer.Options.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(FILES)
                .check(STORES);
        noMethods()
                .that()
                .areDeclaredIn(Repository.class)
                .and()
                .areNotStatic()
                .should(dependOnFiles())
                .check(STORES);
    }

    private static ArchCondition<JavaMethod> dependOnFiles() {
        DescribedPredicate<JavaClass> ofFiles = JavaClass.Predicates.resideInAnyPackage(FILES);
        return new ArchCondition<>("depend on files") {
            @Override
            public void check(JavaMethod unit, ConditionEvents events) {
                Stream<JavaClass> accessed = unit.getAccessesFromSelf().stream().map(JavaAccess::getTargetOwner);
                Stream<JavaClass> named = unit.getAllInvolvedRawTypes().stream();
                Stream.concat(accessed, named)
                        .filter(ofFiles)
                        .forEach(each -> events.add(SimpleConditionEvent.satisfied(
                                unit, unit.getFullName() + " knows of " + each.getName())));
            }
        };
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
