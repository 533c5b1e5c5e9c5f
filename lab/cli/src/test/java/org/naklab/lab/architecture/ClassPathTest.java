package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ClassPathTest {
    @Test
    void shouldHoldNoLibraryThatCallsHome() {
        String classPath = System.getProperty("java.class.path");
        assertThat(classPath.split(File.pathSeparator, -1)).noneMatch(entry -> entry.contains("chronicle-analytics"));
        assertThat(classPath).as("the class path really is what is looked at").contains("chronicle-queue");
        assertThat(ClassPathTest.class.getResource("/net/openhft/chronicle/analytics/Analytics.class"))
                .isNull();
    }
}
