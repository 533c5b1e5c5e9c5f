# shellcheck shell=sh disable=SC2034,SC2154
# Read by the scripts that build BPF programs and their loaders. Of the machine that $compiler compiles for, which need not be this one, it sets:
#
#     target   as bpf_tracing.h has it
#     headers  the directory of the kernel's headers for it
#     bpftool  writes a header with the programs and the names of their maps and constants
#     emulator what runs its programs here (NAKLAB_EMULATOR), or nothing
case $("$compiler" -dumpmachine) in
    x86_64-*) target=x86 ;;
    aarch64-*) target=arm64 ;;
    *)
        echo 'it knows the registers of x86-64 and aarch64 only'
        return 1
        ;;
esac
headers=$(printf '#include <asm/types.h>\n' | "$compiler" -E - | sed -n 's|^# 1 "\(.*\)/asm/types.h".*|\1|p' | head -n 1)
emulator=${NAKLAB_EMULATOR:-}
# Debian has it in a directory of the administrator's.
if ! bpftool=$(PATH=$PATH:/usr/sbin command -v bpftool); then
    echo 'there is no bpftool; on Debian: apt-get install bpftool'
    return 1
fi
