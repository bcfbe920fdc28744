package dev.pail;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.pail.bytes.Utf8;
import java.nio.charset.Charset;
import org.junit.jupiter.api.Test;

/** What the parts of the core may know of each other and of the world. */
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.pail");

    @Test
    void noInputNoOutputNoClock() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..", "java.util.logging..")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(System.Logger.class, java.time.Clock.class)
                .check(CORE.that(DescribedPredicate.not(assignableTo(Throwable.class))));
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(CORE);
    }

    @Test
    void noStaticMutableState() {
        fields().that().areStatic().should().beFinal().check(CORE);
    }

    @Test
    void bytesKnowNothingBlocksKnowBytesAndErrorsAndHowTheseAreWritten() {
        noClasses()
                .that()
                .resideInAPackage("dev.pail.bytes")
                .should()
                .dependOnClassesThat(
                        resideInAPackage("dev.pail..").and(DescribedPredicate.not(resideInAPackage("dev.pail.bytes"))))
                .check(CORE);
        noClasses()
                .that()
                .resideInAPackage("dev.pail.ipld")
                .should()
                .dependOnClassesThat(resideInAPackage("dev.pail")
                        .and(DescribedPredicate.not(assignableTo(PailException.class)
                                .or(assignableTo(PailException.Kind.class))
                                .or(assignableTo(Escapes.class)))))
                .check(CORE);
    }

    @Test
    void keysKnowBytesAndErrorsAndHowTheseAreWritten() {
        noClasses()
                .that()
                .resideInAPackage("dev.pail.keys")
                .should()
                .dependOnClassesThat(resideInAPackage("dev.pail..")
                        .and(DescribedPredicate.not(assignableTo(PailException.class)
                                .or(assignableTo(PailException.Kind.class))
                                .or(assignableTo(Escapes.class))
                                .or(resideInAnyPackage("dev.pail.bytes", "dev.pail.keys")))))
                .check(CORE);
    }

    @Test
    void theMapKnowsNothingOfClocks() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.pail.clock..", "dev.pail.sign")
                .should()
                .dependOnClassesThat(resideInAPackage("dev.pail.clock.."))
                .check(CORE);
    }

    /** Only these find out which layout a shard has: another one is added there, and nowhere else. */
    /** The rooms behind the API, from the bottom: shards; and above them edits and walks, which do not know each other. */
    @Test
    void editsAndWalksStandOnShards() {
        noClasses()
                .that()
                .resideInAPackage("dev.pail.shard")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.pail.edit", "dev.pail.walk")
                .check(CORE);
        noClasses()
                .that()
                .resideInAPackage("dev.pail.edit")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pail.walk")
                .check(CORE);
        noClasses()
                .that()
                .resideInAPackage("dev.pail.walk")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pail.edit")
                .check(CORE);
    }

    /** Of the API, the rooms behind it know block stores, errors and what walks give. */
    @Test
    void theRoomsKnowTheWordsOfTheApiAlone() {
        DescribedPredicate<JavaClass> words = assignableTo(PailException.class)
                .or(isNamed("BlockStore|OriginHints|Entry|EntryCounts|KeyChange|ShardChanges|Escapes"));
        noClasses()
                .that()
                .resideInAnyPackage("dev.pail.shard", "dev.pail.edit", "dev.pail.walk")
                .should()
                .dependOnClassesThat(resideInAPackage("dev.pail").and(DescribedPredicate.not(words)))
                .check(CORE);
        noClasses()
                .that(words)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.pail.shard", "dev.pail.edit", "dev.pail.walk")
                .check(CORE);
    }

    @Test
    void twoPlacesKnowWhichLayoutsThereAre() {
        classes()
                .that(isNamed("LayoutV[0-9]"))
                .should()
                .onlyHaveDependentClassesThat(isNamed("Layout(V[0-9])?|Placement(V[0-9])?|ShardFormat"))
                .check(CORE);
        classes()
                .that(isNamed("PlacementV[0-9]"))
                .should()
                .onlyHaveDependentClassesThat(isNamed("Placement(V[0-9])?"))
                .check(CORE);
    }

    /** The classes with such a simple name, and those nested in them. */
    private static DescribedPredicate<JavaClass> isNamed(String pattern) {
        return DescribedPredicate.describe(
                pattern, type -> type.getName().matches("dev[.]pail[.]([a-z]+[.])?(" + pattern + ")([$].*)?"));
    }

    @Test
    void textBecomesBytesStrictly() {
        DescribedPredicate<JavaClass> others = DescribedPredicate.not(assignableTo(Utf8.class));
        noClasses()
                .that(others)
                .should()
                .callMethod(String.class, "getBytes", Charset.class)
                .orShould()
                .callMethod(String.class, "getBytes")
                .orShould()
                .callConstructor(String.class, byte[].class, Charset.class)
                .orShould()
                .callConstructor(String.class, byte[].class, int.class, int.class, Charset.class)
                .orShould()
                .callConstructor(String.class, byte[].class)
                .check(CORE);
    }

    @Test
    void blocksAreMadeInTwoWaysOnly() {
        classes()
                .that()
                .haveFullyQualifiedName("dev.pail.ipld.Block")
                .should()
                .haveOnlyPrivateConstructors()
                .check(CORE);
    }
}
