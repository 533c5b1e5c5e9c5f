#!/bin/sh
# Builds the two native libraries: build.sh OUTPUT_DIRECTORY JAVA_HOME
#
# Where they cannot be built (no compiler, no glibc, no JDK headers), writes the reason and the cure to
# OUTPUT_DIRECTORY/unavailable.txt and succeeds: the rest of the lab does without them and refuses by name what needs them.
set -eu

sources=${0%/*}
output=$1
java_home=$2
compiler=${CC:-cc}

unavailable() {
    rm -f "$output"/libnaklab_*.so* 2>/dev/null || true
    printf '%s\n' "$1" >"$output/unavailable.txt"
    printf 'native libraries not built: %s\n' "$1"
    exit 0
}

[ -d "$output" ] || mkdir -p "$output"

command -v "$compiler" >/dev/null 2>&1 ||
    unavailable "no C compiler ($compiler); install one (Debian: apt-get install gcc libc6-dev) and build again"
[ "$(uname -s)" = Linux ] || unavailable "they need Linux with glibc, and this is $(uname -s)"
case $(uname -m) in
    x86_64 | aarch64) ;;
    *) unavailable "they need x86-64 or aarch64, and this is $(uname -m)" ;;
esac
printf '#include <features.h>\n#ifndef __GLIBC__\n#error\n#endif\n' | "$compiler" -E - >/dev/null 2>&1 ||
    unavailable "no glibc headers; lazy binding and rtld-audit are glibc's (Debian: apt-get install libc6-dev)"
[ -f "$java_home/include/linux/jni_md.h" ] ||
    unavailable "no jni.h below $java_home/include; build with a JDK that has its headers"

rm -f "$output/unavailable.txt"

# Replaces a library only by one that differs, so that modules which depend on it are not compiled again.
keep() {
    if cmp -s "$output/$1.new" "$output/$1"; then
        rm "$output/$1.new"
    else
        mv "$output/$1.new" "$output/$1"
    fi
}

flags="-std=c11 -Wall -Wextra -pedantic -Werror -O2 -fPIC -shared"

# -fplt and -z lazy undo what some distributions' compilers take for granted (-fno-plt, -z now).
# shellcheck disable=SC2086
"$compiler" $flags -fplt -fvisibility=hidden -I"$java_home/include" -I"$java_home/include/linux" \
    -Wl,-z,lazy -Wl,-z,defs -o "$output/libnaklab_yield.so.new" "$sources/naklab_yield.c" "$sources/naklab_pages.c"
keep libnaklab_yield.so
# The audit library itself binds early: it must not stumble over its own first calls.
# shellcheck disable=SC2086
"$compiler" $flags -Wl,-z,now -Wl,-z,defs -o "$output/libnaklab_audit.so.new" "$sources/naklab_audit.c"
keep libnaklab_audit.so
