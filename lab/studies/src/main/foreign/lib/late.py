"""A receiver in C that calls a symbol of a library for the first time when it is told to."""
import os

import foreign
import receiver

_CALLER = """
#include <dlfcn.h>
int late_symbol(int value);
static atomic_int wanted;
static volatile int total;

void on_datagram(const char *datagram, long bytes)
{
    (void)datagram, (void)bytes;
    if (atomic_exchange(&wanted, 0)) {
        long long began_ns = now_ns();
        total = late_symbol(total);
        print_span("call", began_ns, now_ns());
    }
}

void on_word(const char *word)
{
    (void)word;
    atomic_store(&wanted, 1);
}
"""


def program(environment=None):
    """Returns the program; build() makes its library beforehand."""
    return receiver.c(_CALLER, "-Wl,-z,lazy", "-L{work}/library", "-llate", "-Wl,-rpath,{work}/library", environment=environment)


def build(work, directory, symbols=1):
    """Compiles the library, with this number of further symbols, in a directory."""
    source = work / "late.c"
    source.write_text("int late_symbol(int value) { return value + 1; }\n"
                      + "".join(f"int another_symbol_of_the_library_{i}(int value) {{ return value + {i}; }}\n" for i in range(1, symbols)))
    foreign.command("gcc", "-O1", "-shared", "-fPIC", "-o", str(directory / "liblate.so"), str(source))
    os.symlink(directory, work / "library")


def evict(library):
    """Removes the pages of the library from memory; those that are mapped stay."""
    handle = os.open(library, os.O_RDONLY)
    try:
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(handle)
