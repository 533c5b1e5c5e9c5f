package org.naklab.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever uses the API must not have to name a type that is internal. */
@Timeout(30)
class PublicApiTest {
    private static final Pattern INTERNAL = Pattern.compile("org\\.naklab\\.(?!testcontainers\\.)");

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

    /** Returns the declaration with all types in it, those of type parameters and exceptions too. */
    private static String declaration(Executable member) {
        return member instanceof Method method ? method.toGenericString() : ((Constructor<?>) member).toGenericString();
    }

    @Test
    void shouldNameNoInternalType() throws Exception {
        List<Class<?>> types = publicTypes();

        assertThat(types).contains(ContainerFaults.class, InjectedFault.class, ExchangeContainer.class);
        assertThat(types.stream().flatMap(PublicApiTest::visible).map(PublicApiTest::declaration))
                .isNotEmpty()
                .noneMatch(declaration -> INTERNAL.matcher(declaration).find());
    }
}
