package org.naklab.lab.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.DockerEngine;

/** The compile-time arrows between the modules. */
@AnalyzeClasses(packages = "org.naklab", importOptions = WithoutTests.class)
final class ArrowsTest {
    private static final DescribedPredicate<JavaClass> CODECS = resideInAPackage("org.naklab.messaging.codec..")
            .or(resideInAPackage("org.naklab.messaging.feed.."))
            .as("the codecs of messaging");

    private static final DescribedPredicate<JavaClass> FILES =
            resideInAPackage("org.naklab.files..").as("the module files");

    @ArchTest
    static final ArchRule FILES_KNOWS_NO_OTHER_MODULE = noClasses()
            .that()
            .resideInAPackage("org.naklab.files..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.naklab..").and(not(FILES)));

    /** It follows symbolic links, and so may whoever plants one choose what is deleted. */
    @ArchTest
    static final ArchRule NOBODY_DELETES_WITH_AGRONA =
            noClasses().should().callMethod(IoUtil.class, "delete", File.class, boolean.class);

    @ArchTest
    static final ArchRule MESSAGING_KNOWS_NO_OTHER_MODULE = noClasses()
            .that()
            .resideInAPackage("org.naklab.messaging..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.naklab..")
                    .and(not(resideInAPackage("org.naklab.messaging..")))
                    .and(not(FILES)));

    @ArchTest
    static final ArchRule EXCHANGE_KNOWS_MESSAGING_ONLY = noClasses()
            .that()
            .resideInAPackage("org.naklab.exchange..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.naklab.subscriber..", "org.naklab.journaler..", "org.naklab.faults..", "org.naklab.lab..");

    @ArchTest
    static final ArchRule SUBSCRIBER_KNOWS_MESSAGING_AND_JOURNALER_ONLY = noClasses()
            .that()
            .resideInAPackage("org.naklab.subscriber..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.naklab.exchange..", "org.naklab.faults..", "org.naklab.lab..");

    @ArchTest
    static final ArchRule JOURNALER_KNOWS_THE_CODECS_ONLY = noClasses()
            .that()
            .resideInAPackage("org.naklab.journaler..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.naklab..")
                    .and(not(resideInAPackage("org.naklab.journaler..")))
                    .and(not(CODECS)));

    @ArchTest
    static final ArchRule REPLICA_NEVER_IMPORTS_FAULTS = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.naklab.messaging..",
                    "org.naklab.exchange..",
                    "org.naklab.subscriber..",
                    "org.naklab.journaler..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.naklab.faults..");

    @ArchTest
    static final ArchRule FAULTS_KNOW_NO_OTHER_MODULE = noClasses()
            .that()
            .resideInAPackage("org.naklab.faults..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.naklab..")
                    .and(not(resideInAPackage("org.naklab.faults..")))
                    .and(not(FILES)))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule NOBODY_KNOWS_THE_LAB = noClasses()
            .that()
            .resideOutsideOfPackage("org.naklab.lab..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.naklab.lab..");

    @ArchTest
    static final ArchRule ONLY_COMMANDS_KNOW_PICOCLI = noClasses()
            .that()
            .resideOutsideOfPackages("org.naklab.lab.cli..", "org.naklab.lab.terminal..", "org.naklab.lab..command..")
            .and()
            .haveNameNotMatching(".*Command(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    /** The guard reports errors with the exception of faults, and faults register their undo actions with the guard. */
    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES = slices().matching("org.naklab.(**)")
            .should()
            .beFreeOfCycles()
            .ignoreDependency(resideInAPackage("org.naklab.faults.guard"), resideInAPackage("org.naklab.faults"));

    /** The module's dependencies say so too; this also holds for what they bring along. */
    @ArchTest
    static final ArchRule DIAGNOSIS_KNOWS_THE_CORE_ONLY = noClasses()
            .that()
            .resideInAPackage("org.naklab.lab.diagnosis..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.naklab..")
                    .and(not(resideInAnyPackage("org.naklab.lab.diagnosis..", "org.naklab.lab.core.."))));

    /** What the client prints is read in one place. */
    @ArchTest
    static final ArchRule ONLY_THE_ENGINE_ASKS_DOCKER = noClasses()
            .that()
            .doNotBelongToAnyOf(Docker.class, DockerEngine.class)
            .should()
            .callMethod(Docker.class, "run", String[].class)
            .orShould()
            .callMethod(Docker.class, "attempt", String[].class)
            .orShould()
            .callMethod(Docker.class, "feed", Path.class, String[].class);

    /** Test support is in the test scope everywhere. */
    @ArchTest
    static final ArchRule NOBODY_NEEDS_TEST_SUPPORT = noClasses()
            .that()
            .resideOutsideOfPackage("org.naklab.testing..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.naklab.testing..");
}
