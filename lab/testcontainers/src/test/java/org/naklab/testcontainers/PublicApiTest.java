package org.naklab.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever uses the API must not have to name a type that is internal. */
@Timeout(30)
class PublicApiTest {
    private static final List<String> PUBLIC = List.of(
            "java.", "org.testcontainers.", "com.github.dockerjava.", "org.assertj.", "org.naklab.testcontainers.");

    private static List<Class<?>> publicTypes() throws Exception {
        List<Class<?>> types = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory(), "*.class")) {
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".class", "");
                Class<?> type = Class.forName(PublicApiTest.class.getPackageName() + '.' + name);
                if (Modifier.isPublic(type.getModifiers())) {
                    types.add(type);
                }
            }
        }
        return types;
    }

    private static Path directory() throws URISyntaxException {
        return Path.of(ContainerFaults.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve("org/naklab/testcontainers");
    }

    private static Stream<Executable> visible(Class<?> type) {
        return Stream.<Executable>concat(
                        Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors()))
                .filter(member -> (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
                .filter(member -> !member.isSynthetic());
    }

    private static Stream<Class<?>> named(Executable member) {
        Stream<Class<?>> result = member instanceof Method method ? Stream.of(method.getReturnType()) : Stream.of();
        return Stream.of(result, Arrays.stream(member.getParameterTypes()), Arrays.stream(member.getExceptionTypes()))
                .flatMap(types -> types);
    }

    private static boolean isPublic(Class<?> type) {
        Class<?> element = type.isArray() ? type.getComponentType() : type;
        return element.isPrimitive() || PUBLIC.stream().anyMatch(element.getName()::startsWith);
    }

    @Test
    void shouldNameTypesOfTheJdkAndOfTestcontainersOnly() throws Exception {
        List<Class<?>> types = publicTypes();

        assertThat(types).contains(ContainerFaults.class, InjectedFault.class, ExchangeContainer.class);
        assertThat(types.stream().flatMap(PublicApiTest::visible).filter(member -> !named(member)
                        .allMatch(PublicApiTest::isPublic)))
                .isEmpty();
    }
}
