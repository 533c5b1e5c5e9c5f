# From a clean checkout, on an ordinary network:  docker build -t naklab .
# Where no registry is reachable: lab/src/main/docker/make-base and make-image.
# Dated, because a tag without a date is another image next month. docs/how-to/docker.md says what is pinned and what is not.
ARG BUILD_IMAGE=debian:bookworm-20250520
ARG BASE_IMAGE=debian:bookworm-20250520-slim
# Builders print this line beside the error of the next one.
ARG IF_NO_REGISTRY_ANSWERS="./naklab list && lab/src/main/docker/make-base naklab-base && BASE_IMAGE=naklab-base lab/src/main/docker/make-image naklab"
FROM ${BUILD_IMAGE} AS build
RUN apt-get update -q \
    && apt-get install -q -y --no-install-recommends openjdk-17-jdk-headless maven gcc libc6-dev binutils \
        clang bpftool libbpf-dev libelf-dev libdw-dev libbz2-dev
WORKDIR /build
COPY . .
RUN ./naklab list && lab/src/main/docker/make-distribution /image

FROM ${BASE_IMAGE}
# A base made by make-base has the packages already; an ordinary one gets them here.
COPY lab/src/main/docker/packages /tmp/packages
RUN command -v tini-static >/dev/null \
    || { apt-get update -q \
        && xargs apt-get install -q -y --no-install-recommends </tmp/packages \
        && rm -rf /var/lib/apt/lists/*; }
COPY --from=build /image/jre /opt/jre
COPY --from=build /image/naklab /opt/naklab
# Native libraries run with the C library that they were built for. The directory is a volume's; its owner is the lab's user.
RUN test "$(getconf GNU_LIBC_VERSION)" = "$(cat /opt/naklab/native/built-for)" \
    && useradd --uid 10001 --user-group --no-create-home naklab \
    && install -d -o naklab -g naklab /journal /runs \
    && ln -s /opt/naklab/naklab /usr/local/bin/naklab

ENV JAVA_HOME=/opt/jre
USER naklab
WORKDIR /runs
# Static, as the health check is: see is-healthy.
ENTRYPOINT ["tini-static", "--"]
CMD ["naklab", "--help"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/opt/naklab/bin/is-healthy"]
