package org.naklab.testing;

import java.io.IOException;
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
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the public declarations of packages that other projects use, and the types of this project in them. */
public final class PublicApi {
    private static final Pattern TYPE = Pattern.compile("(org\\.naklab(?:\\.[a-z]\\w*)*)\\.[A-Z]");

    private final List<String> declarations = new ArrayList<>();
    private final List<Class<?>> types = new ArrayList<>();

    private PublicApi() {}

    /**
     * Reads the classes of packages from the directory of classes that a class was loaded from.
     *
     * @param anchor a class of the module
     * @param packages that are public
     */
    public static PublicApi of(Class<?> anchor, Set<String> packages)
            throws IOException, URISyntaxException, ClassNotFoundException {
        Path classes = Path.of(
                anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
        PublicApi api = new PublicApi();
        for (String name : packages) {
            Path directory = classes.resolve(name.replace('.', '/'));
            if (Files.isDirectory(directory)) {
                api.add(directory, name);
            }
        }
        return api;
    }

    private void add(Path directory, String name) throws IOException, ClassNotFoundException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.class")) {
            for (Path file : files) {
                String simple = file.getFileName().toString().replace(".class", "");
                if (!simple.equals("package-info")) {
                    add(Class.forName(name + '.' + simple));
                }
            }
        }
    }

    private void add(Class<?> type) {
        if (isVisible(type)) {
            types.add(type);
            visible(type).map(PublicApi::declaration).forEach(declarations::add);
        }
    }

    /** A nested type is visible only where all types around it are. */
    private static boolean isVisible(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getEnclosingClass() == null || isVisible(type.getEnclosingClass()));
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

    /** Returns the public types. */
    public List<Class<?>> types() {
        return List.copyOf(types);
    }

    /**
     * Returns the declarations that name a type of this project in a package that is not public.
     *
     * @param packages all that are public, also those of other modules
     */
    public List<String> namingInternalTypes(Set<String> packages) {
        return declarations.stream()
                .filter(declaration -> {
                    Matcher types = TYPE.matcher(declaration);
                    boolean isInternal = false;
                    while (types.find()) {
                        isInternal |= !packages.contains(types.group(1));
                    }
                    return isInternal;
                })
                .toList();
    }
}
