#!/bin/sh
# Builds the recorder of waits and system calls, and the one of calls by uprobes: build.sh OUTPUT_DIRECTORY
#
# They need clang, bpftool and libbpf, as the kernel recorder. Where one cannot be built, says so and succeeds: 'naklab libprof' then refuses by name. In
# continuous integration (NAKLAB_CI), which has all that it needs, it fails.
set -eu

output=$1
compiler=${CC:-cc}
target='' headers='' bpftool=''
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$output"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

link() {
    program=$1
    shift
    "$compiler" -std=gnu11 -Wall -Wextra -Werror -O2 "-I$work" -o "$work/naklab-$program" \
        "$source/naklab_$program.c" "$@" -pthread
}

build() {
    # shellcheck source=/dev/null
    . "$source/../../../../../instruments/src/main/c/bpf-target.sh" || return 1
    printf '#include <asm/unistd.h>\n' | "$compiler" -E -dM - \
        | sed -n '/__NR_syscalls/d; s/^#define __NR_\([a-z0-9_]*\) .*/    [__NR_\1] = "\1",/p' >"$work/names.h"
    "${CLANG:-clang}" -O2 -g -target bpf "-D__TARGET_ARCH_$target" "-I$headers" -Wall -Werror -fdebug-compilation-dir=. -fdebug-prefix-map="$source=." -fdebug-prefix-map="$work=." \
        -c "$source/naklab_$1.bpf.c" -o "$work/naklab_$1.bpf.o" || return 1
    "$bpftool" gen skeleton "$work/naklab_$1.bpf.o" name "naklab_$1_bpf" >"$work/naklab_$1.skel.h" || return 1
    link "$1" -Wl,-Bstatic -lbpf -lelf -lz -Wl,-Bdynamic 2>"$work/static" || link "$1" -lbpf -lelf -lz
}

for name in waits calls; do
    if ! message=$(build "$name" 2>&1); then
        printf 'the recorder of %s is not built: %s\n' "$name" "$message"
        rm -f "$output/naklab-$name"
        [ -z "${NAKLAB_CI:-}" ] || exit 1
    elif ! cmp -s "$work/naklab-$name" "$output/naklab-$name"; then
        # Only one that differs: with a new date, modules that depend on it would be compiled again.
        cp "$work/naklab-$name" "$output/naklab-$name"
    fi
done
