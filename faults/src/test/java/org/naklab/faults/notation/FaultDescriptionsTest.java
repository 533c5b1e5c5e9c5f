package org.naklab.faults.notation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;

/** Checks that kinds of faults do what they say about themselves. */
@Timeout(60)
final class FaultDescriptionsTest {
    private static Collection<FaultKind> kinds() {
        return FaultKinds.onClassPath().all().stream()
                .filter(kind -> kind.getClass().getName().startsWith("org.naklab.faults."))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldBeDescribedWithAnExampleThatParses(FaultKind kind) {
        FaultDescription description = kind.description();
        assertThat(description.summary()).isNotBlank();
        assertThat(description.proof()).isNotBlank();
        assertThat(description.on()).isNotBlank();
        assertThat(kind.privileges()).isNotBlank();
        assertThat(FaultNotation.kindOf(description.example())).isEqualTo(kind.name());
        assertThat(example(kind).kind()).isEqualTo(kind.name());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldDescribeEveryParameterAndNoOther(FaultKind kind) {
        assertThat(kind.description().parameters())
                .extracting(FaultParameter::name)
                .containsExactlyElementsOf(leaves("", kind.parameterType()));
        assertThat(kind.description().parameters())
                .extracting(FaultParameter::meaning)
                .allSatisfy(meaning -> assertThat(meaning).isNotBlank());
        assertThat(kind.description().words()).doesNotHaveDuplicates().doesNotContain("on", "for", "id");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldRefuseWhatIsAboveTheDescribedBounds(FaultKind kind) {
        for (FaultParameter parameter : kind.description().parameters()) {
            if (parameter.max() != FaultParameter.UNBOUNDED) {
                assertThatThrownBy(() -> with(kind, parameter, parameter.max() + 1))
                        .as(parameter.name())
                        .isInstanceOf(FaultException.class)
                        .hasMessageContaining(parameter.word());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldUseTheDescribedDefaults(FaultKind kind) throws ReflectiveOperationException {
        for (FaultParameter parameter : kind.description().parameters()) {
            String fallback = parameter.fallback();
            if (fallback != null) {
                ObjectNode plan = example(kind).parameters().deepCopy();
                parent(plan, parameter).remove(leaf(parameter));
                Record read = spec(kind, plan).parametersAs(kind.parameterType());
                Object value = value(read, parameter.name());
                assertThat(String.valueOf(value)).as(parameter.name()).isIn(spellings(fallback));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldNeedWhatIsDescribedAsRequired(FaultKind kind) {
        for (FaultParameter parameter : kind.description().parameters()) {
            if (parameter.isRequired()) {
                ObjectNode plan = example(kind).parameters().deepCopy();
                plan.remove(parameter.name());
                assertThatThrownBy(() -> spec(kind, plan).parametersAs(kind.parameterType()))
                        .as(parameter.name())
                        .isInstanceOf(FaultException.class);
            }
        }
    }

    private static FaultSpec example(FaultKind kind) {
        return FaultNotation.parse(kind.description().example(), kind, kind.name(), Set.of());
    }

    private static FaultSpec spec(FaultKind kind, JsonNode parameters) {
        return new FaultSpec(null, kind.name(), null, null, 0, parameters);
    }

    private static void with(FaultKind kind, FaultParameter parameter, long value) {
        ObjectNode plan = example(kind).parameters().deepCopy();
        parent(plan, parameter).put(leaf(parameter), value);
        spec(kind, plan).parametersAs(kind.parameterType());
    }

    private static ObjectNode parent(ObjectNode plan, FaultParameter parameter) {
        int dot = parameter.name().indexOf('.');
        return dot < 0 ? plan : plan.withObject("/" + parameter.name().substring(0, dot));
    }

    private static String leaf(FaultParameter parameter) {
        return parameter.name().substring(parameter.name().indexOf('.') + 1);
    }

    private static Object value(Record read, String path) throws ReflectiveOperationException {
        Object value = read;
        for (String name : path.split("\\.", -1)) {
            value = value.getClass().getMethod(name).invoke(value);
        }
        return value;
    }

    private static List<String> spellings(String fallback) {
        String upper = fallback.toUpperCase(Locale.ROOT);
        return List.of(fallback, fallback + ".0", upper, "[" + upper + "]");
    }

    /** Parameters that are lists are leaves. */
    private static List<String> leaves(String prefix, Class<?> type) {
        List<String> leaves = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Type itsType = component.getGenericType();
            if (component.getType().isRecord() && !(itsType instanceof ParameterizedType)) {
                leaves.addAll(leaves(prefix + component.getName() + ".", component.getType()));
            } else {
                leaves.add(prefix + component.getName());
            }
        }
        return leaves;
    }
}
