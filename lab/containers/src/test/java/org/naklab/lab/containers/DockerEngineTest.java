package org.naklab.lab.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.containers.DockerEngine.Container;
import org.naklab.lab.containers.DockerEngine.Failure;
import org.naklab.lab.containers.DockerEngine.Resource;
import org.naklab.lab.core.LabException;

@Timeout(60)
final class DockerEngineTest {
    /** Shortened from what {@code docker container inspect} prints, after a warning of the client. */
    private static final String CONTAINER = """
            WARNING: Error loading config file: /root/.docker/config.json: permission denied
            [
                {
                    "Id": "4c01db0b339c",
                    "State": {"Status": "paused", "Running": true, "Paused": true, "Pid": 4711, "ExitCode": 0},
                    "Name": "/mds",
                    "HostConfig": {"Memory": 268435456, "MemorySwap": -1, "Binds": null},
                    "Mounts": [
                        {"Type": "volume", "Name": "journal", "Source": "/var/lib/docker/volumes/journal/_data",
                         "Destination": "/journal", "RW": true},
                        {"Type": "bind", "Source": "/tmp", "Destination": "/host"}
                    ],
                    "Config": {"Hostname": "mds", "Labels": {"org.naklab.lab": "of a lab, with a comma"}}
                }
            ]""";

    @Test
    void shouldReadAContainer() {
        Container container = DockerEngine.parse(CONTAINER, "container mds", Container[].class)[0];

        assertThat(container.id()).isEqualTo("4c01db0b339c");
        assertThat(container.name()).isEqualTo("mds");
        assertThat(container.state()).isEqualTo(new DockerEngine.State(true, true, 4711, 0));
        assertThat(container.limits()).isEqualTo(new DockerEngine.Limits(268_435_456, -1));
        assertThat(container.label("org.naklab.lab")).contains("of a lab, with a comma");
        assertThat(container.label("another")).isEmpty();
        assertThat(container.mounts())
                .extracting(DockerEngine.Mount::type, DockerEngine.Mount::name, DockerEngine.Mount::destination)
                .containsExactly(tuple("volume", "journal", "/journal"), tuple("bind", null, "/host"));
    }

    @Test
    void shouldReadANetworkWithItsContainers() {
        String json = "[\n{\"Name\": \"feed\", \"Labels\": {}, \"Containers\": {\"4c01\": {\"Name\": \"mds\"}}}]";
        Resource network = DockerEngine.parse(json, "network feed", Resource[].class)[0];

        assertThat(network.containers()).containsEntry("4c01", new DockerEngine.Endpoint("mds"));
        assertThat(network.label("org.naklab.lab")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"''", "[]", "warning", "{}"})
    void shouldRefuseWhatDescribesNothing(String json) {
        assertThatThrownBy(() -> DockerEngine.parse(json, "container mds", Container[].class))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("container mds");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    127 | Cannot run program "docker"                               | NO_CLIENT
                    124 | no end within 120 s                                       | TIMED_OUT
                    130 | interrupted                                               | INTERRUPTED
                    1   | Error: No such container: mds                             | GONE
                    1   | Error: No such object: mds                                | GONE
                    1   | Error response from daemon: get journal: no such volume   | GONE
                    1   | Error response from daemon: network feed not found        | GONE
                    1   | Error response from daemon: Container 4c01 is not running | GONE
                    1   | removal of container mds is already in progress           | GONE
                    1   | Cannot connect to the Docker daemon                       | REFUSED
                    2   | cat: /journal: No such file or directory                  | REFUSED
                    """)
    void shouldTellWhyACommandFailed(int exitCode, String output, Failure failure) {
        assertThat(DockerEngine.failure(exitCode, output)).contains(failure);
        assertThat(new Docker.Result(exitCode, output).isGone()).isEqualTo(failure == Failure.GONE);
        assertThatThrownBy(() -> new Docker.Result(exitCode, output).outputOrThrow("no counters of mds"))
                .isInstanceOf(LabException.class)
                .hasMessage("no counters of mds: " + output);
    }

    @Test
    void shouldNotTakeASuccessForAFailure() {
        assertThat(DockerEngine.failure(0, "Error: No such container: mds")).isEmpty();
        assertThat(new Docker.Result(0, "mds").outputOrThrow("nothing")).isEqualTo("mds");
    }
}
