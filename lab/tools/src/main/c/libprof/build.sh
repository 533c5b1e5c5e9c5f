#!/bin/sh
# Builds the profiler of library calls: build.sh OUTPUT_DIRECTORY
#
# Where it cannot be built, writes the reason to OUTPUT_DIRECTORY/unavailable.txt and succeeds: 'naklab libprof' then says why it cannot start
# programs. In continuous integration (NAKLAB_CI), which has all that it needs, it fails.
set -eu

output=$1
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$output"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {
    case $("${CC:-cc}" -dumpmachine) in
        x86_64-*) ;;
        *)
            echo 'it reads the registers of x86-64 only'
            return 1
            ;;
    esac
    # It binds early: it must not stumble over its own first calls.
    "${CC:-cc}" -std=c11 -Wall -Wextra -pedantic -Werror -O2 -fPIC -shared -Wl,-z,now -Wl,-z,defs \
        -o "$work/libnaklab_libprof.so" "$source/naklab_libprof.c" || return 1
    "${CC:-cc}" -std=c11 -Wall -Wextra -pedantic -Werror -O2 -fplt -fno-builtin -Wl,-z,lazy \
        -o "$work/naklab-libprof-gauge" "$source/naklab_libprof_gauge.c"
}

# Only what differs: with a new date, modules that depend on it would be compiled again.
keep() {
    cmp -s "$work/$1" "$output/$1" || cp "$work/$1" "$output/$1"
}

if message=$(build 2>&1); then
    rm -f "$output/unavailable.txt"
    keep libnaklab_libprof.so
    keep naklab-libprof-gauge
else
    printf 'the profiler of library calls is not built: %s\n' "$message"
    rm -f "$output/libnaklab_libprof.so" "$output/naklab-libprof-gauge"
    printf '%s\n' "$message" >"$output/unavailable.txt"
    [ -z "${NAKLAB_CI:-}" ] || exit 1
fi
