package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The size of packages. */
@AnalyzeClasses(packages = "org.naklab", importOptions = WithoutTests.class)
final class PackageSizeTest {
    private static final int MAX_FILES = 25;
    private static final String GENERATED = "org.naklab.messaging.codec";

    @ArchTest
    static void shouldHaveAtMost25FilesInEachPackage(JavaClasses classes) {
        Map<String, Set<String>> filesByPackage = new TreeMap<>();
        for (JavaClass type : classes) {
            if (!type.getPackageName().equals(GENERATED)) {
                filesByPackage
                        .computeIfAbsent(type.getPackageName(), name -> new TreeSet<>())
                        .add(type.getSource().flatMap(Source::getFileName).orElse(type.getName()));
            }
        }
        assertThat(filesByPackage).isNotEmpty();
        filesByPackage.values().removeIf(files -> files.size() <= MAX_FILES);
        assertThat(filesByPackage).isEmpty();
    }
}
