package dev.pail.s3;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

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
                .dependOnClassesThat()
                .resideInAnyPackage("dev.pail.disk..", "dev.pail.repository.files..")
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
