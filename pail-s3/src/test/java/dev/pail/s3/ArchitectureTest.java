package dev.pail.s3;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The module uses the interfaces of stores, and no files; only three classes know the SDK. */
class ArchitectureTest {
    private static final JavaClasses S3 = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.pail.s3");

    @Test
    void storesWithoutFiles() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.pail..")
                        .and(DescribedPredicate.not(resideInAnyPackage(
                                "dev.pail",
                                "dev.pail.blockstore",
                                "dev.pail.car",
                                "dev.pail.dag",
                                "dev.pail.ipld",
                                "dev.pail.locate",
                                "dev.pail.s3",
                                "dev.pail.repository",
                                "dev.pail.sweep",
                                "dev.pail.trace"))))
                .check(S3);
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Files.class, Path.class, java.io.File.class)
                .check(S3);
    }

    @Test
    void onlyTheBucketAndItsMakersKnowTheSdk() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(S3Bucket.class, S3Storage.class, S3Locator.class)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("software.amazon..")
                .check(S3);
    }

    @Test
    void noStaticMutableState() {
        fields().that().areStatic().should().beFinal().check(S3);
    }
}
