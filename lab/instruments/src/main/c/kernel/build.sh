#!/bin/sh
# Builds the kernel recorder's program: build.sh OUTPUT_DIRECTORY
#
# It needs clang, bpftool, libbpf, libelf and libdw; on Debian: clang bpftool libbpf-dev libelf-dev libdw-dev. libstdc++, which Debian's clang
# installs, gives the plain names of C++ functions. A bill of materials beside the program names what is linked into it. Where it cannot be built, says so and succeeds: the recorder then uses perf or
# /proc, and says why. In continuous integration (NAKLAB_CI), which has all that it needs, it fails. The libraries are linked statically, if there are such, so that nothing needs to be installed where the
# program runs.
set -eu

output=$1
compiler=${CC:-cc}
target='' headers='' emulator='' bpftool=''
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$output"
program=$output/naklab-kernel
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The program's files are all but the one that is compiled for BPF.
link() {
    "$compiler" -std=gnu11 -Wall -Wextra -Werror -O2 "-I$work" -o "$work/naklab-kernel" \
        "$source"/naklab_[!k]*.c "$source/naklab_kernel.c" "$@"
}

build() {
    # shellcheck source=/dev/null
    . "$source/../bpf-target.sh" || return 1
    "${CLANG:-clang}" -O2 -g -target bpf "-D__TARGET_ARCH_$target" "-I$headers" -Wall -Werror -fdebug-compilation-dir=. -fdebug-prefix-map="$source=." -fdebug-prefix-map="$work=." \
        -c "$source/naklab_kernel.bpf.c" -o "$work/naklab_kernel.bpf.o" || return 1
    "$bpftool" gen skeleton "$work/naklab_kernel.bpf.o" name naklab_kernel_bpf >"$work/naklab_kernel.skel.h" || return 1
    set -- -Wl,-Bstatic -ldw -lbpf -lelf -llzma -lbz2 -lz
    link "$@" -Wl,-u,__cxa_demangle -lstdc++ -Wl,-Bdynamic 2>"$work/plain" \
        || link "$@" -Wl,-Bdynamic 2>"$work/static" || link -ldw -lbpf -lelf || return 1
    # shellcheck disable=SC2086 # a program and its options
    $emulator "$work/naklab-kernel" --libraries >"$work/naklab-kernel.cdx.json"
}

if ! message=$(build 2>&1); then
    printf 'the kernel recorder goes without its program: %s\n' "$message"
    rm -f "$program" "$program.cdx.json"
    [ -z "${NAKLAB_CI:-}" ] || exit 1
elif ! cmp -s "$work/naklab-kernel" "$program" || [ ! -e "$program.cdx.json" ]; then
    # Only one that differs: with a new date, modules that depend on it would be compiled again.
    cp "$work/naklab-kernel" "$work/naklab-kernel.cdx.json" "$output"
fi
