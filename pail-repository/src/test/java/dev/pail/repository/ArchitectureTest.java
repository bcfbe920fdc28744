package dev.pail.repository;

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
import dev.pail.remote.Quarantine;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A repository is over any stores: only folders know of files, and these go through the disk. */
class ArchitectureTest {
    private static final JavaClasses REPOSITORIES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(
                    "dev.pail.repository",
                    "dev.pail.remote",
                    "dev.pail.locate",
                    "dev.pail.values",
                    "dev.pail.folder",
                    "dev.pail.through");

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
                // What arrives waits in a folder for temporary files, also where the repository is in no folder.
                .doNotBelongToAnyOf(Quarantine.class)
                .and()
                // Folders that are put and restored are those of the user, and no part of the repository.
                .resideOutsideOfPackage("dev.pail.folder")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Files.class, java.io.File.class, java.io.RandomAccessFile.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("java.nio.channels..")
                .check(REPOSITORIES);
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
                .check(REPOSITORIES);
        noMethods()
                .that()
                .areDeclaredIn(Repository.class)
                .and()
                .areNotStatic()
                .should(dependOnFiles())
                .check(REPOSITORIES);
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

    /** Arrows go down: a room knows only those below it. */
    @Test
    void roomsHaveNoCycles() {
        slices().matching("dev.pail.(repository..)").should().beFreeOfCycles().check(REPOSITORIES);
    }

    @Test
    void noStaticMutableState() {
        fields().that().areStatic().should().beFinal().check(REPOSITORIES);
    }
}
