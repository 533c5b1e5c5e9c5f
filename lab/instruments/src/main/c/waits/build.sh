#!/bin/sh
# Builds the recorder of waits and system calls: build.sh OUTPUT_DIRECTORY
#
# It needs clang and libbpf, as the kernel recorder. Where it cannot be built, says so and succeeds: 'naklab libprof --system' then refuses by name.
set -eu

output=$1
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$output"
program=$output/naklab-waits
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

link() {
    "${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -O2 -DNAKLAB_BPF_OBJECT="\"$work/naklab_waits.bpf.o\"" "-I$work" -o "$work/naklab-waits" \
        "$source/naklab_waits.c" "$@"
}

build() {
    if [ "$(uname -m)" != x86_64 ]; then
        echo 'it knows the system calls of x86-64 only'
        return 1
    fi
    printf '#include <asm/unistd.h>\n' | "${CC:-cc}" -E -dM - \
        | sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9][0-9]*\)$/    [\2] = "\1",/p' >"$work/names.h"
    "${CLANG:-clang}" -O2 -g -target bpf -D__TARGET_ARCH_x86 "-I/usr/include/$(uname -m)-linux-gnu" -Wall -Werror -fdebug-prefix-map="$source=." \
        -c "$source/naklab_waits.bpf.c" -o "$work/naklab_waits.bpf.o" || return 1
    link -Wl,-Bstatic -lbpf -lelf -lz -Wl,-Bdynamic 2>"$work/static" || link -lbpf -lelf -lz
}

if ! message=$(build 2>&1); then
    printf 'the recorder of waits and system calls is not built: %s\n' "$message"
    rm -f "$program"
elif ! cmp -s "$work/naklab-waits" "$program"; then
    # Only one that differs: with a new date, modules that depend on it would be compiled again.
    cp "$work/naklab-waits" "$program"
fi
