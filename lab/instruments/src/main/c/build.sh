#!/bin/sh
# Builds the sampler's native library: build.sh OUTPUT_DIRECTORY JAVA_HOME
#
# Where it cannot be built, says so and succeeds: the sampler does without it and takes more of a processor. In continuous integration
# (NAKLAB_CI), which has all that it needs, it fails.
set -eu

output=$1
java_home=$2
mkdir -p "$output"
library=$output/libnaklab_sampler.so
built=$(mktemp)
trap 'rm -f "$built"' EXIT
if ! message=$("${CC:-cc}" -std=c11 -Wall -Wextra -pedantic -Werror -O2 -fPIC -shared -fvisibility=hidden -Wl,-z,now -Wl,-z,defs \
    -I"$java_home/include" -I"$java_home/include/linux" -o "$built" "${0%/*}/naklab_sampler.c" 2>&1); then
    printf 'the sampler goes without its native library: %s\n' "$message"
    rm -f "$library"
    [ -z "${NAKLAB_CI:-}" ] || exit 1
elif ! cmp -s "$built" "$library"; then
    # Only one that differs: with a new date, modules that depend on it would be compiled again.
    cp "$built" "$library"
fi
